# What most events do not need: bash parses every line that it reads. Sourced after common.sh.
# shellcheck shell=bash

# Where the system's programs are: PATH may lead into the project. NixOS has `env` alone in /usr/bin (core/kernel/programs.ts).
SYSTEM_PATH=/usr/bin:/bin:/run/current-system/sw/bin

# system PROGRAM ARGUMENTS...
system() {
  PATH=$SYSTEM_PATH "$@"
}

# "PID.STARTTIME" of the client: field 22 of /proc/PID/stat, where field 2 may contain spaces.
client_process() {
  local pid=${CLAUDE_PID-}
  local -a fields
  REPLY=
  [[ $pid =~ ^[0-9]+$ ]] && slurp "/proc/$pid/stat" || return 1
  fields=(${REPLY##*) })
  REPLY=$pid.${fields[19]-0}
}

# AI_AGENT is claude-code_2-1-330_harness, in earlier clients claude-code/2.1.120/harness.
find_client_version() {
  local pattern='^claude-code[_/]([0-9]+)[-.]([0-9]+)[-.]([0-9]+)'
  CLIENT_VERSION=
  [[ ${AI_AGENT-} =~ $pattern ]] && CLIENT_VERSION=${BASH_REMATCH[1]}.${BASH_REMATCH[2]}.${BASH_REMATCH[3]}
  return 0
}

# answer_by END: the server has until second END of this script, for its proof and then for its answer.
answer_by() {
  local left=$(($1 - SECONDS))
  ANSWER_SECONDS=$((left < 2 ? 1 : left < 8 ? left / 2 : 4))
  HOLD_SECONDS=$((left < 2 ? 1 : left - ANSWER_SECONDS))
}

# A descriptor; the environment may have a variable of that name.
SILENT=

# pause SECONDS. On a busy machine sleep(1) starts late, and takes its time from what is waited for.
pause() {
  # A pipe with both ends here has no end of file.
  [[ -n $SILENT ]] || exec {SILENT}<> <(:)
  read -r -t "$1" -u "$SILENT"
  # Its time limit is no failure.
  return 0
}

# The inside of a JSON string; control characters except newline become blanks.
json_text() {
  REPLY=${1//\\/\\\\}
  REPLY=${REPLY//\"/\\\"}
  REPLY=${REPLY//$'\n'/\\n}
  REPLY=${REPLY//[[:cntrl:]]/ }
}

# Sets OUTER to the session. The signs are an overlay of trai's and a mask over some state directory, as a
# client with another HOME is covered as well.
inside_sandbox() {
  local fields want=$STATE masked= line
  OUTER=
  [[ -r /proc/self/mountinfo ]] || return 1
  want=${want//\\/\\134}
  want=${want// /\\040}
  want=${want//$'\t'/\\011}
  want=${want//$'\n'/\\012}
  while read -r -a fields; do
    [[ ${fields[4]-} != "$want" && ! (${fields[3]-} == */mask && ${fields[4]-} != */mask) ]] || masked=1
    line=${fields[*]}
    [[ $line != *' - overlay trai:'* ]] || OUTER=${line##* - overlay trai:}
  done </proc/self/mountinfo
  OUTER=${OUTER#*:}
  OUTER=${OUTER%% *}
  [[ -n $masked && -n $OUTER ]]
}

# Sets ROOT, the plugin's folder, and LIB, its programs (in the repository below dist).
find_plugin() {
  ROOT=$1
  LIB=$ROOT/lib
  [[ -f $LIB/fallback.mjs ]] || LIB=$ROOT/dist/plugin/lib
}

find_version() {
  local pattern='"version" *: *"([^"]*)"'
  VERSION=0
  slurp "$ROOT/.claude-plugin/plugin.json" && [[ $REPLY =~ $pattern ]] && safe_id "${BASH_REMATCH[1]}" && VERSION=$REPLY
}

# A line for later diagnosis; never with the environment or the event's text.
note_error() {
  local log=$STATE/hook-errors.log now
  [[ -d $STATE && -w $STATE ]] || return 0
  TZ=UTC printf -v now '%(%Y-%m-%dT%H:%M:%SZ)T' -1
  { (umask 077 && printf '%s %s\n' "$now" "$1" >>"$log"); } 2>/dev/null
  return 0
}

# A client in a sandbox cannot reach the outer session's state: answered here, without the model.
step_aside() {
  . "$HERE/lib/run-typed.sh"
  typed_name || exit 0
  block_prompt "trai: this client runs inside the sandbox of session $OUTER, which covers it: what it writes is pending there. Type /trai:$TYPED in the client of that session, or run in a terminal: trai $TYPED --session $OUTER"
}
