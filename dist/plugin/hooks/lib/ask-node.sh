# Runs an event in Node when no server answers. Sourced on demand.
# shellcheck shell=bash

# Exits with the answer's status, or returns with the reason in WHY.
ask_node() {
  local event=$1 node status
  first_line "$STATE/node" && [[ -x $REPLY ]] || {
    WHY="$WHY, and $STATE/node names no Node program"
    return 1
  }
  node=$REPLY
  [[ -f $LIB/fallback.mjs ]] || {
    WHY="$WHY, and $LIB/fallback.mjs is missing"
    return 1
  }
  TRAI_SESSION=$SESSION TRAI_ENV=$ENV_LINE TRAI_CLAUDE_PID=${CLIENT%%.*} TRAI_CLAUDE_START=${CLIENT##*.} \
    "$node" "$LIB/fallback.mjs" hook "$event" <<<"$BODY"
  status=$?
  [[ $status != 3 ]] || {
    . "$HERE/lib/run-typed.sh"
    run_typed
  }
  # Not exec: a crashed Node ends with 1, which the client takes for "go on".
  [[ $status == [02] ]] && exit "$status"
  WHY="$WHY, and $node ended with status $status"
  return 1
}
