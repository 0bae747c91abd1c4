#!/usr/bin/env bash
# hook.sh EVENT: forwards one event of the client to trai and prints the answer. In the order in which it runs, since bash
# parses every line that it gets to.
#   read the event, find the session
#   PreToolUse of a tool that neither trai nor a permission rule is about: pass (lib/rules.sh)
#   trai is off: say so and pass
#   in a sandbox: pass, or block a typed /trai: command (step_aside); not where `trai claude` started the client
#   ask the server; without an answer run fallback.mjs under Node (lib/ask-server.sh, lib/ask-node.sh)
#   PermissionRequest: wait for the server's answer; without a server pass
#   neither works: refuse Bash and Monitor, and what a rule may stop; run a typed /trai: command (lib/run-typed.sh); or pass
set -u
HERE=${BASH_SOURCE[0]%/*}
[[ $HERE == /* ]] || HERE=$PWD/$HERE
. "$HERE/lib/common.sh"
. "$HERE/lib/event.sh"
find_session

EVENT=$1
# Without an answer the call must not run.
BLOCK=

if [[ $EVENT == *ToolUse* ]]; then
  # TOOL is empty where its name is not found before its input, which could hold the same words: it may be any then.
  TOOL=${BODY:0:8192}
  # `#*` would be quadratic.
  before=${TOOL%%'"tool_name":"'*}
  TOOL=${TOOL:${#before}+13}
  if [[ $TOOL == *'"'* && $before != *'"tool_input"'* ]]; then TOOL=${TOOL%%'"'*}; else TOOL=; fi
  # Ends the event of a tool that is nothing to trai. An MCP call is a call of the log where the client is in the session.
  case $EVENT:$TOOL in
    PreToolUse:Bash | PreToolUse:Monitor | PreToolUse:) BLOCK=1 ;;
    # Or it may be the sign that a question was answered.
    PostToolUse*:mcp__*) [[ -n $INSIDE || -d $STATE/sessions/${SESSION:-.}/questions ]] || exit 0 ;;
    PostToolUse*) ;;
    *:Skill | *:SlashCommand | *:Read | *:Edit | *:MultiEdit | *:Write | *:NotebookEdit | *:Grep | *:Glob | *:LS) ;;
    *) [[ -n $INSIDE ]] || ! . "$HERE/lib/rules.sh" || matches "$TOOL" "$ABOUT" || exit 0 ;;
  esac
fi

. "$HERE/lib/ask-server.sh"

# Each call says that trai is off: nobody must rely on a missing sandbox. The server hears nothing of them.
if [[ $EVENT == @(*ToolUse*|PostToolBatch|Permission*) ]] &&
  # SessionStart's finding about this client, then the server's about the session.
  { first_line "$STATE/claude-off/$CLAUDE_ID" || { [[ -n $SESSION ]] && first_line "$STATE/sessions/$SESSION/off"; }; }; then
  if [[ -n $BLOCK ]]; then
    . "$HERE/lib/more.sh"
    json_text "trai is off for this session: $REPLY. This command runs on the host, nothing of it is pending, and no permission rule of trai's counts."
    printf '{"systemMessage":"%s"}' "$REPLY"
  fi
  exit 0
fi

CLIENT= ENV_LINE= ENTRY=
case $EVENT in
  PreToolUse)
    . "$HERE/lib/env-record.sh"
    check_env_line
    ;;
  PermissionRequest)
    . "$HERE/lib/more.sh"
    client_process && CLIENT=$REPLY
    ENTRY=${CLAUDE_CODE_ENTRYPOINT-} HOLD_SECONDS=86400
    ask_server "$EVENT" && give_answer
    exit 0
    ;;
  SessionEnd)
    . "$HERE/lib/more.sh"
    . "$HERE/lib/env-record.sh"
    ANSWER_SECONDS=1
    client_process && CLIENT=$REPLY
    forget_env_line
    ;;
esac
# Slow, so not for a known session: a client in a sandbox has none.
if [[ -z $INSIDE && (-z $SESSION || ! -f $STATE/server.json) ]]; then
  . "$HERE/lib/more.sh"
  ! inside_sandbox || step_aside
fi
ask_server "$EVENT" && give_answer

refuse() {
  printf '%s\n' "trai: this was not run, because nothing can decide $1." \
    "Expected: trai's server, or Node 20.19 or newer. Found: $WHY." \
    "What to do: ask the user to run /trai:doctor, or to start a new session (SessionStart looks for Node and starts the server)." >&2
  exit 2
}

# Without server and Node: whether a rule may deny $1 or ask about it; $1 is empty for a tool that is not known.
may_be_stopped() {
  local dir=${CLAUDE_PROJECT_DIR-}
  if . "$HERE/lib/rules.sh"; then
    matches "$1" "$STOPS"
    return
  fi
  ! any_of "${XDG_CONFIG_HOME:-${HOME-}/.config}"/trai/rules{,.imported}.json "$STATE/sessions/${SESSION:-.}/rules.json" || return 0
  # The repository's top level may be above.
  while [[ $dir == /* ]]; do
    ! any_of "$dir"/.claude/trai.rules{,.imported}.json || return 0
    dir=${dir%/*}
  done
  return 1
}

any_of() {
  local file
  for file; do [[ ! -e $file && ! -L $file ]] || return 0; done
  return 1
}

# Without an answer: a rule may deny the tool, or ask about it.
refuse_what_is_stopped() {
  ! may_be_stopped "$TOOL" || refuse 'whether a permission rule allows it'
}

# No server can be started from inside. What the client and its calls write is pending nevertheless.
pass_inside() {
  [[ -z $BLOCK || $ENV_LINE == ok ]] || refuse 'where it may run'
  [[ $EVENT != PreToolUse ]] || refuse_what_is_stopped
  . "$HERE/lib/more.sh"
  . "$HERE/lib/run-typed.sh"
  ! typed_name || block_prompt "trai: the server does not answer ($WHY). Run in a terminal outside of this session: trai $TYPED --session $INSIDE"
  exit 0
}

[[ -z $INSIDE ]] || pass_inside
. "$HERE/lib/more.sh"
. "$HERE/lib/ask-node.sh"
find_plugin "${HERE%/*}"
ask_node "$EVENT"
note_error "$EVENT: $WHY"
[[ -z $BLOCK ]] || refuse 'where it may run'
[[ $EVENT != PreToolUse ]] || refuse_what_is_stopped
. "$HERE/lib/run-typed.sh"
! typed_name || run_typed
exit 0
