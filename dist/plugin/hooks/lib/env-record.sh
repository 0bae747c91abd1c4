# state/claude-env/<client id>: the client process, the env file's path, and below its content.
# shellcheck shell=bash

# Sets ENV_LINE: ok, missing or changed, by content: the client runs a changed file at the next `cd`.
check_env_line() {
  local IFS= file=$STATE/claude-env/$CLAUDE_ID
  local -a record found
  ENV_LINE=missing
  [[ -n $CLAUDE_ID && -f $file && -r $file ]] || return 0
  # `read` looks at each character.
  mapfile record <"$file"
  file=${record[1]-}
  file=${file%$'\n'}
  [[ -f $file && -r $file ]] || return 0
  mapfile found <"$file"
  ENV_LINE=changed
  [[ -z ${record[2]-} || "${found[*]-}" != "${record[*]:2}" ]] || ENV_LINE=ok
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
