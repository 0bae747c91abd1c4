# Shared by the hook scripts, which set HERE. Builtins only, as every tool call runs this. Functions return
# values in REPLY.
# shellcheck shell=bash

# Lengths, ranges and `read -N` count bytes.
LC_ALL=C
# In posix mode a failed redirection ends the shell, as to a server that is gone.
set +o posix
shopt -u xpg_echo
# A server that hangs up or a limit of file sizes must be a failed write, not the end of the hook.
trap '' PIPE XFSZ

# Sets STATE. Relative values are ignored, as the XDG specification demands.
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

# Where the client itself runs in a session, this is all that there is of the state, and INSIDE names the
# session. Its calls see an empty directory there.
find_inside() {
  INSIDE=
  [[ -f $STATE/inside/host/rules ]] || return 1
  STATE=$STATE/inside
  for INSIDE in "$STATE"/sessions/*; do INSIDE=${INSIDE##*/}; done
}

# Fails when the file is not readable.
slurp() {
  REPLY=
  [[ -f $1 && -r $1 ]] || return 1
  IFS= read -r -d '' REPLY <"$1"
  return 0
}

# Fails when there is none.
first_line() {
  slurp "$1" || return 1
  REPLY=${REPLY%%$'\n'*}
  [[ -n $REPLY ]]
}

# `-N` reads blocks; `-d ''` makes a system call for each byte.
read_body() {
  IFS= read -r -N 67108864 BODY
  return 0
}

# An id as a safe file name, as isSessionId demands; fails for an empty one.
safe_id() {
  REPLY=${1//[!A-Za-z0-9._-]/-}
  [[ -z $REPLY || $REPLY == [A-Za-z0-9]* ]] || REPLY=x$REPLY
  REPLY=${REPLY:0:64}
  [[ -n $REPLY ]]
}

# Sets CLAUDE_ID, the client's session id; it is each event's first field.
find_claude_id() {
  local id=${BODY:0:4096} pattern='"session_id" *: *"([^"]*)"'
  # The client's usual form: a regular expression takes longer than everything else here.
  if [[ $id == *'"session_id":"'*'"'* ]]; then
    id=${id#*'"session_id":"'}
    id=${id%%'"'*}
  elif [[ $id =~ $pattern ]]; then
    id=${BASH_REMATCH[1]}
  else
    id=${CLAUDE_CODE_SESSION_ID-}
  fi
  CLAUDE_ID=
  safe_id "$id" && CLAUDE_ID=$REPLY
  [[ -n $CLAUDE_ID ]]
}

# Sets SESSION, empty for an unknown client session.
find_session() {
  SESSION=
  [[ -n $CLAUDE_ID ]] && first_line "$STATE/claude/$CLAUDE_ID" && safe_id "$REPLY" && SESSION=$REPLY
}

# Sets ROOT, the plugin's folder, and LIB, its programs (in the repository below dist).
find_plugin() {
  ROOT=$1
  LIB=$ROOT/lib
  [[ -f $LIB/fallback.mjs ]] || LIB=$ROOT/dist/plugin/lib
}
