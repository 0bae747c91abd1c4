# state/claude-env/<client id>: the client process, the env file's path, and below its content.
# shellcheck shell=bash

# Sets ENV_LINE: ok, missing or changed, by content: the client runs a changed file at the next `cd`.
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

# The line must not outlive the plugin. If another client has resumed the session, the record names that one.
forget_env_line() {
  local record file
  [[ -n $CLAUDE_ID && -n $CLIENT ]] && slurp "$STATE/claude-env/$CLAUDE_ID" || return 0
  [[ ${REPLY%%$'\n'*} == "$CLIENT" ]] || return 0
  record=${REPLY#*$'\n'}
  file=${record%%$'\n'*}
  [[ $REPLY == *'# trai:'* && -f $file ]] && : >"$file"
  return 0
}
