# Runs a typed /trai: command in its hook: the user sees the output of bin/trai, and the model is not asked.
# bin/trai reads what was typed from the permit: nothing of it passes through a shell.
# shellcheck shell=bash

# The client waits 600 s (hooks.json), and asks the model then.
TYPED_SECONDS=570

# Sets TYPED, the command's name. (Quotes in typed text are escaped.)
typed_name() {
  local pattern='"command_name" *: *"trai:([a-z]+)"'
  [[ $EVENT == UserPromptExpansion && ${BODY:0:65536} =~ $pattern ]] && TYPED=${BASH_REMATCH[1]}
}

block_prompt() {
  json_text "$1"
  printf '{"decision":"block","reason":"%s"}\n' "$REPLY"
  exit 0
}

# A commit that takes longer goes on, and is logged.
run_typed() {
  local out text=
  typed_name || exit 0
  find_plugin "${HERE%/*}"
  exec {out}< <(CLAUDE_CODE_SESSION_ID=$CLAUDE_ID exec "$BASH" -p "$ROOT/bin/trai" "$TYPED" --from-prompt --answer </dev/null 2>&1)
  IFS= read -r -N 1048576 -t "$TYPED_SECONDS" -u "$out" text
  (($? <= 128)) || block_prompt "trai: /trai:$TYPED is still at work after $TYPED_SECONDS s, and goes on. /trai:status says what is pending, /trai:undo --list what was done."
  # The last line is the answer; otherwise bash or Node failed, and the text says how.
  while [[ $text == *$'\n' ]]; do text=${text%$'\n'}; done
  [[ ${text##*$'\n'} == '{"decision":"block"'* ]] || block_prompt "${text:-trai: /trai:$TYPED ended without a word.}"
  printf '%s\n' "${text##*$'\n'}"
  exit 0
}
