# What most events have no use for, apart from common.sh, since bash pays for every line that it reads: the client's
# process and version, JSON text, the look for a sandbox around us, the error log. Sourced after common.sh.
# shellcheck shell=bash

# "PID.STARTTIME" of the client (field 22 of /proc/PID/stat; the name in field 2 may hold spaces and parentheses).
# A pid alone comes back for another process.
client_process() {
  local pid=${CLAUDE_PID-}
  local -a fields
  REPLY=
  [[ $pid =~ ^[0-9]+$ ]] && slurp "/proc/$pid/stat" || return 1
  fields=(${REPLY##*) })
  REPLY=$pid.${fields[19]-0}
}

# Sets CLIENT_VERSION, or leaves it empty: the client names itself in AI_AGENT, as
# claude-code_2-1-330_harness, earlier as claude-code/2.1.120/harness.
find_client_version() {
  local pattern='^claude-code[_/]([0-9]+)[-.]([0-9]+)[-.]([0-9]+)'
  CLIENT_VERSION=
  [[ ${AI_AGENT-} =~ $pattern ]] && CLIENT_VERSION=${BASH_REMATCH[1]}.${BASH_REMATCH[2]}.${BASH_REMATCH[3]}
  return 0
}

# Text as the inside of a JSON string; control characters other than newline become blanks.
json_text() {
  REPLY=${1//\\/\\\\}
  REPLY=${REPLY//\"/\\\"}
  REPLY=${REPLY//$'\n'/\\n}
  REPLY=${REPLY//[[:cntrl:]]/ }
}

# True inside a sandbox of ours, whose session is then in OUTER: one of our overlays is mounted, and a mask lies over a
# state directory (which may be a mount point of its own outside, too). It need not be the state directory that this
# environment names: a client with another HOME is covered all the same. mountinfo writes blanks as \040.
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

# Sets VERSION, which the manifest names.
find_version() {
  local pattern='"version" *: *"([^"]*)"'
  VERSION=0
  slurp "$ROOT/.claude-plugin/plugin.json" && [[ $REPLY =~ $pattern ]] && safe_id "${BASH_REMATCH[1]}" && VERSION=$REPLY
}

# One line for the user who looks for a reason later. Never the environment, never the event's text.
note_error() {
  local log=$STATE/hook-errors.log now
  [[ -d $STATE && -w $STATE ]] || return 0
  TZ=UTC printf -v now '%(%Y-%m-%dT%H:%M:%SZ)T' -1
  { (umask 077 && printf '%s %s\n' "$now" "$1" >>"$log"); } 2>/dev/null
  return 0
}
