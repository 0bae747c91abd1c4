# The env file's line, which runs the client's shell again in the sandbox. Sourced after common.sh.
# shellcheck shell=bash

# One single-quoted word for bash and zsh.
quoted() {
  local rest=$1 out=
  while [[ $rest == *\'* ]]; do
    out+=${rest%%\'*}\'\\\'\'
    rest=${rest#*\'}
  done
  REPLY="'$out$rest'"
}

# env_line BASH LAUNCHER SESSION ENV_FILE: the line for bash and zsh, with its newline.
# - The guard is the pid of the shell that runs again, so nothing leaks into the command. `typeset +x`, not
#   unset: a second copy of the line needs it.
# - `exit 125`: with `shopt -s execfail` a failed exec would go on outside the sandbox.
# - The client may pass its command in __CLAUDE_CC_COMMAND_TEXT without the export.
# - bash runs the launcher, as the state directory may be mounted noexec.
env_line() {
  local bash launcher session=$3 dir=${2%/bin/*}/sessions/$3 overlay text kept gone
  quoted "$1" && bash=$REPLY
  quoted "$2" && launcher=$REPLY
  quoted "$dir/overlay" && overlay=$REPLY
  quoted "trai: $2 is gone (was trai removed?). Nothing of the command was run. To go on without trai, delete $4 and start the session again."
  text=$REPLY
  quoted "What Bash changed before and was not committed is in $dir. To get it, install trai again and type /trai:commit in this session."
  kept=$REPLY
  quoted "$dir is gone, too, with what was pending in it."
  gone=$REPLY
  REPLY="if [ \"\${TRAI_IN-}\" = \"\$\$\" ]; then typeset +x TRAI_IN;"
  REPLY+=" elif [ -r $launcher ]; then [ -z \"\${__CLAUDE_CC_COMMAND_TEXT+x}\" ] || export __CLAUDE_CC_COMMAND_TEXT;"
  REPLY+=" \\builtin exec $bash -p $launcher $session"
  REPLY+=" \"\${ZSH_VERSION:+\$SHELL}\${BASH_VERSION:+\$BASH}\" \"\${ZSH_EXECUTION_STRING-\$BASH_EXECUTION_STRING}\" \"\${BASHOPTS-\$-}\";"
  REPLY+=" exit 125; else if [ -d $overlay ]; then \\builtin printf '%s\\n' $text $kept >&2; else \\builtin printf '%s\\n' $text $gone >&2; fi; exit 125; fi # trai:$session"$'\n'
}

# A file is named after its hook's index, which changes with the plugins.
remove_other_lines() {
  local own=$1 file line kept found
  for file in "${own%/*}"/*.sh; do
    [[ $file != "$own" ]] && slurp "$file" && [[ $REPLY == *'# trai:'* ]] || continue
    kept= found=
    while IFS= read -r line || [[ -n $line ]]; do
      if [[ $line =~ \#\ trai:[A-Za-z0-9._-]+$ ]]; then found=1; else kept+=$line$'\n'; fi
    done <"$file"
    [[ -z $found ]] || printf '%s' "$kept" >"$file"
  done
}
