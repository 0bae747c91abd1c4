# What the hook scripts share: where the state is, whose session this is, small files, JSON text.
# Sourced; bash builtins only, since every tool call passes through here. Functions answer in REPLY.
# shellcheck shell=bash

# Bytes, not characters: lengths, ranges and `read -N` all count in them.
LC_ALL=C
# In posix mode a redirection that fails ends the shell, and a server that is gone is an ordinary thing here.
set +o posix
# A server that hangs up while we write must be an error of printf, not the end of the hook.
trap '' PIPE

# Sets STATE. Relative values are ignored, as the XDG specification says.
find_state() {
  local home=${HOME-}
  if [[ ${TRAI_STATE_HOME-} == /* ]]; then
    STATE=$TRAI_STATE_HOME
  elif [[ ${XDG_STATE_HOME-} == /* ]]; then
    STATE=${XDG_STATE_HOME%/}/trai
  else
    if [[ $home != /* ]]; then
      # Without HOME the tilde is the password file's directory.
      unset HOME
      home=~
    fi
    STATE=${home%/}/.local/state/trai
  fi
  while [[ $STATE == */ && $STATE != / ]]; do STATE=${STATE%/}; done
}

# The whole of a small file; fails when it can't be read.
slurp() {
  REPLY=
  [[ -f $1 && -r $1 ]] || return 1
  IFS= read -r -d '' REPLY <"$1"
  return 0
}

# The first line of a small file; fails when there is none.
first_line() {
  slurp "$1" || return 1
  REPLY=${REPLY%%$'\n'*}
  [[ -n $REPLY ]]
}

# Sets BODY to what stdin holds. `-N` reads in blocks; `-d ''` would make one system call for each byte.
read_body() {
  IFS= read -r -N 67108864 BODY
  return 0
}

# An id that is safe as a file name and fits `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`; fails for an empty one.
safe_id() {
  REPLY=${1//[!A-Za-z0-9._-]/-}
  [[ -z $REPLY || $REPLY == [A-Za-z0-9]* ]] || REPLY=x$REPLY
  REPLY=${REPLY:0:64}
  [[ -n $REPLY ]]
}

# Sets CLAUDE_ID: the client's session id as the event names it (it is the first field of every event).
find_claude_id() {
  local id=${CLAUDE_CODE_SESSION_ID-} pattern='"session_id" *: *"([^"]*)"'
  [[ ${BODY:0:4096} =~ $pattern ]] && id=${BASH_REMATCH[1]}
  CLAUDE_ID=
  safe_id "$id" && CLAUDE_ID=$REPLY
  [[ -n $CLAUDE_ID ]]
}

# Sets SESSION: our session of this client session, or empty.
find_session() {
  SESSION=
  [[ -n $CLAUDE_ID ]] && first_line "$STATE/claude/$CLAUDE_ID" && safe_id "$REPLY" && SESSION=$REPLY
}

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

# Sets ROOT, the plugin's folder, and LIB, its programs: in the repository the built files are in dist.
find_plugin() {
  ROOT=$1
  LIB=$ROOT/lib
  [[ -f $LIB/fallback.mjs ]] || LIB=$ROOT/dist/plugin/lib
}

# Sets VERSION, which the manifest names.
find_version() {
  local pattern='"version" *: *"([^"]*)"'
  VERSION=0
  slurp "$ROOT/.claude-plugin/plugin.json" && [[ $REPLY =~ $pattern ]] && safe_id "${BASH_REMATCH[1]}" && VERSION=$REPLY
}

# One line for the person who looks for a reason later. Never the environment, never the event's text.
note_error() {
  local log=$STATE/hook-errors.log now
  [[ -d $STATE && -w $STATE ]] || return 0
  TZ=UTC printf -v now '%(%Y-%m-%dT%H:%M:%SZ)T' -1
  { (umask 077 && printf '%s %s\n' "$now" "$1" >>"$log"); } 2>/dev/null
  return 0
}
