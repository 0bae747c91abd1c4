# One event on its way: to the resident server over /dev/tcp, or, without one, to the same functions in Node.
# The protocol stands in docs/protocol.md. Sourced after common.sh.
# shellcheck shell=bash

# Seconds that a server may take. It answers in milliseconds; after this the Node path does the same work.
ANSWER_SECONDS=5
# Bytes of an answer: the client cuts what a hook says at 10,000 characters anyway.
ANSWER_BYTES=4194304

# Sends BODY as event $1. Sets STATUS, STREAM and TEXT. Fails, with the reason in WHY, for anything but a whole
# answer that begins with the proof from server.json: whoever else sits on that port is not believed, and gets no more
# than a head that says nothing of the session. (A credential is worth nothing without the server that made it.)
ask_server() {
  local event=$1 file=$STATE/server.json pid stat port secret proof sock answer head body
  WHY='no server is running'
  slurp "$file" || return 1
  WHY="$file is not a server's"
  [[ -O $file && $REPLY == *'"pid":'[0-9]*'"port":'[0-9]*'"hook":"'*'"'*'"proof":"'*'"'* ]] || return 1
  pid=${REPLY#*'"pid":'}
  pid=${pid%%[!0-9]*}
  port=${REPLY#*'"port":'}
  port=${port%%[!0-9]*}
  secret=${REPLY#*'"hook":"'}
  secret=${secret%%'"'*}
  proof=${REPLY#*'"proof":"'}
  proof=${proof%%'"'*}
  [[ -n $secret && $secret != *[!A-Za-z0-9_-]* && -n $proof && $proof != *[!A-Za-z0-9_-]* ]] || return 1

  # Of one that was killed the port may be anybody's by now.
  WHY="the server (process $pid) is gone"
  [[ -O /proc/$pid ]] && read -r stat 2>/dev/null <"/proc/$pid/stat" || return 1
  # A zombie listens no more.
  [[ ${stat##*) } != Z* ]] || return 1
  WHY="nothing listens on port $port"
  { exec {sock}<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 1
  WHY='the server did not take the event'
  head="POST /hook/$event HTTP/1.1"$'\r\n'"Host: 127.0.0.1:$port"$'\r\n'"Authorization: Bearer $secret"$'\r\n'
  head+="Content-Type: application/json"$'\r\n'"Content-Length: ${#BODY}"$'\r\n'"Connection: close"$'\r\n'
  # A process of ours may have the number of a server that was killed: the proof comes first, and the body then.
  head+="Expect: 100-continue"$'\r\n'
  about_caller
  # `echo` hands all of it over at once; `printf` would make a system call of every line.
  if ! { echo -n "$head$REPLY"$'\r\n' >&"$sock"; } 2>/dev/null || ! is_proven || ! { echo -n "$BODY" >&"$sock"; } 2>/dev/null; then
    exec {sock}>&-
    IFS= read -r -N "$ANSWER_BYTES" REPLY </dev/null
    return 1
  fi
  WHY="no whole answer within $ANSWER_SECONDS s"
  # A server that is killed resets the connection: `read` then says so, and leaves the variable alone.
  answer=
  IFS= read -r -N "$ANSWER_BYTES" -t "$ANSWER_SECONDS" -u "$sock" answer 2>/dev/null
  exec {sock}>&-
  # What bash has taken from the socket and not given out, when the time is over or the answer too long, would be the
  # beginning of whatever file is read next: the path of Node, by the words of anybody who sits on that port.
  IFS= read -r -N "$ANSWER_BYTES" REPLY </dev/null

  # To cut bash tries each place, and looks to the end of the text from each: of megabytes without an end it would never return.
  head=${answer:0:4096}
  [[ $head == 'HTTP/1.1 200 '*$'\r\n\r\n'* ]] || return 1
  head=${head%%$'\r\n\r\n'*}
  body=${answer#*$'\r\n\r\n'}
  # A server killed in the middle of its answer must not leave half of a JSON text behind.
  [[ $head$'\r' == *[Cc]ontent-[Ll]ength:" ${#body}"$'\r'* ]] || return 1
  WHY='the answer has no valid proof'
  [[ $body == "$proof"$'\n'* ]] || return 1
  body=${body#*$'\n'}
  STATUS=${body%%$'\n'*}
  body=${body#*$'\n'}
  STREAM=${body%%$'\n'*}
  TEXT=${body#*$'\n'}
  WHY='the answer has an unknown form'
  [[ $STATUS == [02] && $STREAM == @(out|err|run) ]]
}

# Reads as many bytes as the interim answer of our server has, and no byte more: the answer itself comes after it.
is_proven() {
  local want="HTTP/1.1 100 Continue"$'\r\n'"Proof: $proof"$'\r\n\r\n'
  answer=
  IFS= read -r -N "${#want}" -t "$ANSWER_SECONDS" -u "$sock" answer 2>/dev/null
  [[ $answer == "$want" ]] && return 0
  WHY='the server gave no valid proof'
  return 1
}

# What the server can't find in the client's JSON, as header lines (ids and numbers only).
about_caller() {
  local name value CLIENT_PID=${CLIENT%%.*} CLIENT_START=${CLIENT##*.}
  REPLY=
  for name in Session:SESSION Env:ENV_LINE Claude-Pid:CLIENT_PID Claude-Start:CLIENT_START; do
    value=${name#*:}
    value=${!value-}
    [[ -z $value ]] || REPLY+="X-Trai-${name%%:*}: $value"$'\r\n'
  done
}

# Prints the answer that ask_server got, and exits with its status.
give_answer() {
  [[ $STREAM != run ]] || {
    . "$HERE/lib/more.sh"
    . "$HERE/lib/run-typed.sh"
    run_typed
  }
  if [[ $STREAM == err ]]; then printf '%s' "$TEXT" >&2; else printf '%s' "$TEXT"; fi
  exit "$STATUS"
}

# Sends the event, prints the answer, exits with its status. Returns only when neither way worked.
deliver() {
  ask_server "$1" && give_answer
  . "$HERE/lib/ask-node.sh"
  ask_node "$1"
}
