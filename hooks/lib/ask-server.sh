# Asks the server about the event in BODY. Builtins only. Sourced after common.sh, by what does not end before.
# shellcheck shell=bash

. "$HERE/launcher/talk"

# Seconds that a server may take; it answers in milliseconds, but to a question when the user does.
ANSWER_SECONDS=5
HOLD_SECONDS=

send_body() {
  echo -n "$BODY"
}

# Sends BODY as event $1. Sets STATUS, STREAM and TEXT, or WHY, and fails.
ask_server() {
  local t_state=$STATE t_answer t_why about="Content-Type: application/json"$'\r\n'
  [[ -z $SESSION ]] || about+="X-Trai-Session: $SESSION"$'\r\n'
  [[ -z $ENV_LINE ]] || about+="X-Trai-Env: $ENV_LINE"$'\r\n'
  [[ -z ${ENTRY-} ]] || about+="X-Trai-Entry: $ENTRY"$'\r\n'
  [[ -z $CLIENT ]] || about+="X-Trai-Claude-Pid: ${CLIENT%%.*}"$'\r\n'"X-Trai-Claude-Start: ${CLIENT##*.}"$'\r\n'
  talk "/hook/$1" "$ANSWER_SECONDS" "$about" "${#BODY}" "$HOLD_SECONDS" || { WHY=$t_why; return 1; }
  STATUS=${t_answer%%$'\n'*}
  t_answer=${t_answer:${#STATUS}+1}
  STREAM=${t_answer%%$'\n'*}
  TEXT=${t_answer:${#STREAM}+1}
  WHY='the answer has an unknown form'
  [[ $STATUS == [02] && $STREAM == @(out|err|run) ]]
}

give_answer() {
  [[ $STREAM != run ]] || {
    . "$HERE/lib/more.sh"
    . "$HERE/lib/run-typed.sh"
    run_typed
  }
  if [[ $STREAM == err ]]; then printf '%s' "$TEXT" >&2; else printf '%s' "$TEXT"; fi
  exit "$STATUS"
}

# Returns when neither server nor Node answers.
deliver() {
  ask_server "$1" && give_answer
  . "$HERE/lib/ask-node.sh"
  ask_node "$1"
}
