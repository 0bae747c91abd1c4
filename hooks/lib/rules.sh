# Permission rules before a server or Node is asked (PreToolUse). Builtins only. Sourced after common.sh.
# shellcheck shell=bash

# Reads sessions/ID/rules.about (server/hooks/world/rules-marker.ts) into ABOUT and STOPS; fails when it is missing, or
# when the rules changed since.
read_rules_marker() {
  local file=$STATE/sessions/$SESSION/rules.about lines line path
  ABOUT=. STOPS=.
  [[ -n $SESSION && -f $file ]] || return 1
  # `read` takes five system calls for each line.
  mapfile -t lines <"$file"
  for line in ${lines[@]+"${lines[@]}"}; do
    case $line in
      about=*) ABOUT=${line#about=} ;;
      stops=*) STOPS=${line#stops=} ;;
      +*)
        path=${line#* }
        [[ -e $path && ! $path -nt $file ]] || return 1
        ;;
      -*) [[ ! -e ${line#-} && ! -L ${line#-} ]] || return 1 ;;
    esac
  done
}

# For a tool that trai itself does not look at.
no_rule_is_about() {
  read_rules_marker && ! matches "$1" "$ABOUT"
}

# Without server and Node: whether a rule may deny $1 or ask about it; $1 is empty for a tool that is not known.
may_be_stopped() {
  local dir=${CLAUDE_PROJECT_DIR-}
  if read_rules_marker; then
    matches "$1" "$STOPS"
    return
  fi
  ! any_of "${XDG_CONFIG_HOME:-${HOME-}/.config}"/trai/rules{,.imported}.json "$STATE/sessions/${SESSION:-.}/rules.json" || return 0
  # The repository's top level may be above.
  while [[ $dir == /* ]]; do
    ! any_of "$dir"/.claude/trai.rules{,.imported}.json || return 0
    dir=${dir%/*}
  done
  return 1
}

any_of() {
  local file
  for file; do [[ ! -e $file && ! -L $file ]] || return 0; done
  return 1
}

# A regular expression that bash cannot use matches everything, and so does one for a tool that is not known.
matches() {
  [[ -n $2 ]] || return 1
  [[ -n $1 ]] || return 0
  # bash 5.3 says so.
  [[ $1 =~ $2 ]] 2>/dev/null
  (($? != 1))
}
