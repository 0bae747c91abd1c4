#!/usr/bin/env bash
# hook.sh EVENT [block]: forwards one event of the client to trai and prints the answer.
# `block` = without an answer the call must not run (PreToolUse of Bash and Monitor); other events are let go.
set -u
HERE=${BASH_SOURCE[0]%/*}
[[ $HERE == /* ]] || HERE=$PWD/$HERE
. "$HERE/lib/common.sh"
. "$HERE/lib/ask.sh"

EVENT=$1
BLOCK=${2-}

# Turned off for the session: the user sees it at every call instead of believing in a sandbox that is not there.
# What is said to the server about calls would only look like calls that slipped out of it.
pass_when_off() {
  [[ $EVENT == *ToolUse* || $EVENT == PostToolBatch ]] || return 0
  # The first is SessionStart's finding about this client, the second the server's about the session.
  first_line "$STATE/claude-off/$CLAUDE_ID" || { [[ -n $SESSION ]] && first_line "$STATE/sessions/$SESSION/off"; } || return 0
  if [[ -n $BLOCK ]]; then
    . "$HERE/lib/more.sh"
    json_text "trai is off for this session: $REPLY. This command runs on the host, and nothing of it is pending."
    printf '{"systemMessage":"%s"}' "$REPLY"
  fi
  exit 0
}

refuse() {
  printf '%s\n' "trai: this command was not run, because nothing can decide where it may run." \
    "Expected: trai's server, or Node 20.19 or newer. Found: $WHY." \
    "What to do: ask the user to run /trai:doctor, or to start a new session (SessionStart looks for Node and starts the server)." >&2
  exit 2
}

# The outer session's sandbox covers a client that runs inside it, and hides its state directory. Our commands could do
# nothing there: answered here, they cost no turn of the model.
step_aside() {
  . "$HERE/lib/run-typed.sh"
  typed_name || exit 0
  block_prompt "trai: this client runs inside the sandbox of session $OUTER, which covers it: what it writes is pending there. Type /trai:$TYPED in the client of that session, or run in a terminal: trai $TYPED --session $OUTER"
}

main() {
  read_body
  find_state
  find_claude_id
  find_session
  pass_when_off
  CLIENT= ENV_LINE=
  case $EVENT in
    PreToolUse)
      . "$HERE/lib/env-record.sh"
      check_env_line
      ;;
    SessionEnd)
      . "$HERE/lib/more.sh"
      . "$HERE/lib/env-record.sh"
      ANSWER_SECONDS=1
      client_process && CLIENT=$REPLY
      forget_env_line
      ;;
  esac
  # Not looked at in a session that we know, where it costs time: a client inside has none.
  if [[ -z $SESSION || ! -f $STATE/server.json ]]; then
    . "$HERE/lib/more.sh"
    ! inside_sandbox || step_aside
  fi
  # Nearly every event ends here.
  ask_server "$EVENT" && give_answer
  . "$HERE/lib/more.sh"
  . "$HERE/lib/ask-node.sh"
  find_plugin "${HERE%/*}"
  ask_node "$EVENT"
  note_error "$EVENT: $WHY"
  [[ -z $BLOCK ]] || refuse
  # bin/trai needs no server, and says what is missing.
  . "$HERE/lib/run-typed.sh"
  ! typed_name || run_typed
  exit 0
}

main
