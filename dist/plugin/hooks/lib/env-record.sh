# The env file of a client session. state/claude-env/<client id> records the client process, the file's path,
# and from the third line on its content. Sourced after common.sh.
# shellcheck shell=bash

# Sets ENV_LINE: ok, missing or changed. Compares the content: the client caches it, and runs a changed file
# at the next `cd`.
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

# Removes the line when its session ends, so that it does not outlive the plugin. If another client has
# resumed the session, the record names that client and the line stays.
forget_env_line() {
  local record file
  [[ -n $CLAUDE_ID && -n $CLIENT ]] && slurp "$STATE/claude-env/$CLAUDE_ID" || return 0
  [[ ${REPLY%%$'\n'*} == "$CLIENT" ]] || return 0
  record=${REPLY#*$'\n'}
  file=${record%%$'\n'*}
  [[ $REPLY == *'# trai:'* && -f $file ]] && : >"$file"
  return 0
}
