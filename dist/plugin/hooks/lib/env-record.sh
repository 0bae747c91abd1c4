# The env file of a client session, and our record of what must stand in it: state/claude-env/<claude id> holds the
# client process, the file's path, and from the third line on its content. Sourced after common.sh.
# shellcheck shell=bash

# Sets ENV_LINE: ok, missing or changed. The content is compared, not the size: the client caches the text and would
# run a changed file's at the next `cd`.
check_env_line() {
  local record file want
  ENV_LINE=missing
  [[ -n $CLAUDE_ID ]] && slurp "$STATE/claude-env/$CLAUDE_ID" || return 0
  record=${REPLY#*$'\n'}
  file=${record%%$'\n'*}
  want=${record#*$'\n'}
  slurp "$file" || return 0
  ENV_LINE=changed
  [[ $REPLY != "$want" ]] || ENV_LINE=ok
}

# At the end of the session that wrote it the line goes, so that it can't outlive the plugin. Another client may have
# resumed the same session meanwhile: then the record names that one, and the line is its.
forget_env_line() {
  local record file
  [[ -n $CLAUDE_ID && -n $CLIENT ]] && slurp "$STATE/claude-env/$CLAUDE_ID" || return 0
  [[ ${REPLY%%$'\n'*} == "$CLIENT" ]] || return 0
  record=${REPLY#*$'\n'}
  file=${record%%$'\n'*}
  [[ $REPLY == *'# trai:'* && -f $file ]] && : >"$file"
  return 0
}
