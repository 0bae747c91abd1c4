# Sends an event to the server (docs/protocol.md), or runs it in Node. Sourced after common.sh.
# shellcheck shell=bash

# Seconds that a server may take; it answers in milliseconds.
ANSWER_SECONDS=5
# Bytes of an answer; the client cuts a hook's output at 10,000 characters.
ANSWER_BYTES=4194304

# Sends BODY as event $1. Sets STATUS, STREAM and TEXT if a whole answer begins with server.json's proof, else
# WHY, and fails. A stranger on that port gets a head without anything about the session.
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

  # Another user's process may have the port of a killed server.
  WHY="the server (process $pid) is gone"
  [[ -O /proc/$pid ]] && read -r stat 2>/dev/null <"/proc/$pid/stat" || return 1
  [[ ${stat##*) } != Z* ]] || return 1
  WHY="nothing listens on port $port"
  { exec {sock}<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 1
  WHY='the server did not take the event'
  head="POST /hook/$event HTTP/1.1"$'\r\n'"Host: 127.0.0.1:$port"$'\r\n'"Authorization: Bearer $secret"$'\r\n'
  head+="Content-Type: application/json"$'\r\n'"Content-Length: ${#BODY}"$'\r\n'"Connection: close"$'\r\n'
  # The pid may be reused, too, so the server proves itself before it gets the body.
  head+="Expect: 100-continue"$'\r\n'
  about_caller
  # `echo` writes all at once; `printf` makes a system call for each line.
  if ! { echo -n "$head$REPLY"$'\r\n' >&"$sock"; } 2>/dev/null || ! is_proven || ! { echo -n "$BODY" >&"$sock"; } 2>/dev/null; then
    exec {sock}>&-
    IFS= read -r -N "$ANSWER_BYTES" REPLY </dev/null
    return 1
  fi
  WHY="no whole answer within $ANSWER_SECONDS s"
  # `read` fails and leaves the variable alone when the server is killed.
  answer=
  IFS= read -r -N "$ANSWER_BYTES" -t "$ANSWER_SECONDS" -u "$sock" answer 2>/dev/null
  exec {sock}>&-
  # Drops what bash has buffered from the socket: it would be the start of the next file that is read (the
  # path of Node), in a stranger's words.
  IFS= read -r -N "$ANSWER_BYTES" REPLY </dev/null

  # Pattern removal is quadratic in bash: megabytes without an end would take for ever.
  head=${answer:0:4096}
  [[ $head == 'HTTP/1.1 200 '*$'\r\n\r\n'* ]] || return 1
  head=${head%%$'\r\n\r\n'*}
  body=${answer#*$'\r\n\r\n'}
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

# Reads exactly the bytes of the interim answer; the answer itself follows.
is_proven() {
  local want="HTTP/1.1 100 Continue"$'\r\n'"Proof: $proof"$'\r\n\r\n'
  answer=
  IFS= read -r -N "${#want}" -t "$ANSWER_SECONDS" -u "$sock" answer 2>/dev/null
  [[ $answer == "$want" ]] && return 0
  WHY='the server gave no valid proof'
  return 1
}

about_caller() {
  local name value CLIENT_PID=${CLIENT%%.*} CLIENT_START=${CLIENT##*.}
  REPLY=
  for name in Session:SESSION Env:ENV_LINE Claude-Pid:CLIENT_PID Claude-Start:CLIENT_START; do
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
