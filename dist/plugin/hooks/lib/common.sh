# Shared by the hook scripts, which set HERE; sets STATE. Builtins only, as every tool call runs this. Functions return
# values in REPLY; bash copies one when it is defined and at each call, so what runs once is none.
# shellcheck shell=bash

# Lengths, ranges and `read -N` count bytes.
LC_ALL=C
# In posix mode a failed redirection ends the shell, as to a server that is gone.
set +o posix
shopt -u xpg_echo
# A server that hangs up or a limit of file sizes must be a failed write, not the end of the hook.
trap '' PIPE XFSZ

# Relative values are ignored, as the XDG specification demands.
if [[ ${TRAI_STATE_HOME-} == /* ]]; then
  STATE=$TRAI_STATE_HOME
elif [[ ${XDG_STATE_HOME-} == /* ]]; then
  STATE=${XDG_STATE_HOME%/}/trai
else
  # Without HOME the tilde is the password file's directory.
  [[ ${HOME-} == /* ]] || unset HOME
  STATE=~
  STATE=${STATE%/}/.local/state/trai
fi
# As stateDir in core/session/dirs.ts names it.
if [[ $STATE/ == */@(|.|..)/* ]]; then
  REPLY=$STATE/ STATE=
  while [[ -n $REPLY ]]; do
    case ${REPLY%%/*} in
      '' | .) ;;
      ..) STATE=${STATE%/*} ;;
      *) STATE+=/${REPLY%%/*} ;;
    esac
    REPLY=${REPLY#*/}
  done
  STATE=${STATE:-/}
fi

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

# An id as a safe file name, as isSessionId demands; fails for an empty one.
safe_id() {
  REPLY=$1
  [[ $1 != *[!A-Za-z0-9._-]* ]] || REPLY=${1//[!A-Za-z0-9._-]/-}
  [[ -z $REPLY || $REPLY == [A-Za-z0-9]* ]] || REPLY=x$REPLY
  REPLY=${REPLY:0:64}
  [[ -n $REPLY ]]
}

# Sets SESSION, empty for an unknown client session.
find_session() {
  SESSION=
  [[ -n $CLAUDE_ID ]] && first_line "$STATE/claude/$CLAUDE_ID" && safe_id "$REPLY" && SESSION=$REPLY
}
