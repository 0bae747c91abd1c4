# The way of an event that no server answers. Sourced by ask.sh when it comes to that.
# shellcheck shell=bash

# The Node path. Exits with the answer's status; returns when there is no way to run it.
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
  # Not exec: a Node that crashes ends with 1, which the client would take for "go on".
  [[ $status == [02] ]] && exit "$status"
  WHY="$WHY, and $node ended with status $status"
  return 1
}
