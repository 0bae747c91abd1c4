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
  local t_state=$STATE t_answer t_why
  about_caller
  talk "/hook/$1" "$ANSWER_SECONDS" "Content-Type: application/json"$'\r\n'"$REPLY" "${#BODY}" "$HOLD_SECONDS" || { WHY=$t_why; return 1; }
  STATUS=${t_answer%%$'\n'*}
  t_answer=${t_answer#*$'\n'}
  STREAM=${t_answer%%$'\n'*}
  TEXT=${t_answer#*$'\n'}
  WHY='the answer has an unknown form'
  [[ $STATUS == [02] && $STREAM == @(out|err|run) ]]
}

about_caller() {
  local name value CLIENT_PID=${CLIENT%%.*} CLIENT_START=${CLIENT##*.}
  REPLY=
  for name in Session:SESSION Env:ENV_LINE Entry:ENTRY Claude-Pid:CLIENT_PID Claude-Start:CLIENT_START; do
    value=${name#*:}
    value=${!value-}
    [[ -z $value ]] || REPLY+="X-Trai-${name%%:*}: $value"$'\r\n'
  done
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
