# What the hook scripts share: where the state is, whose session this is, small files.
# Sourced; bash builtins only, since every tool call passes through here. Functions answer in REPLY.
# shellcheck shell=bash

# Bytes, not characters: lengths, ranges and `read -N` all count in them.
LC_ALL=C
# In posix mode a redirection that fails ends the shell, and a server that is gone is an ordinary thing here.
set +o posix
# `echo` hands a request over as it is.
shopt -u xpg_echo
# A server that hangs up while we write must be an error of printf, not the end of the hook; so must a limit of file sizes.
trap '' PIPE XFSZ

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
  local id=${BODY:0:4096} pattern='"session_id" *: *"([^"]*)"'
  # The form that the client writes; a regular expression takes bash longer than all the rest of this.
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

# Sets SESSION: our session of this client session, or empty.
find_session() {
  SESSION=
  [[ -n $CLAUDE_ID ]] && first_line "$STATE/claude/$CLAUDE_ID" && safe_id "$REPLY" && SESSION=$REPLY
}

# Sets ROOT, the plugin's folder, and LIB, its programs: in the repository the built files are in dist.
find_plugin() {
  ROOT=$1
  LIB=$ROOT/lib
  [[ -f $LIB/fallback.mjs ]] || LIB=$ROOT/dist/plugin/lib
}
