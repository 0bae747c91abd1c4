# Reads sessions/ID/rules.about (server/hooks/world/rules-marker.ts) into ABOUT and STOPS; fails when it is missing, or
# when the rules changed since. Builtins only. Sourced after common.sh.
# shellcheck shell=bash

# A regular expression that bash cannot use matches everything, and so does one for a tool that is not known.
matches() {
  local rest="${2//[A-Za-z]/}|"
  [[ -n $2 ]] || return 1
  [[ -n $1 ]] || return 0
  # Names only, which most rules have: a regular expression takes longer than the rest.
  if [[ -z ${rest//'(^$)|'/} ]]; then
    [[ "|$2|" == *"|(^$1\$)|"* ]]
    return
  fi
  # bash 5.3 says so.
  [[ $1 =~ $2 ]] 2>/dev/null
  (($? != 1))
}

marker=$STATE/sessions/$SESSION/rules.about ABOUT=. STOPS=.
[[ -n $SESSION && -f $marker ]] || return 1
# `read` takes five system calls for each line.
mapfile -t lines <"$marker" || return 1
for line in ${lines[@]+"${lines[@]}"}; do
  case $line in
    -*) [[ ! -e ${line#-} && ! -L ${line#-} ]] || return 1 ;;
    +*)
      line=${line#* }
      [[ -e $line && ! $line -nt $marker ]] || return 1
      ;;
    about=*) ABOUT=${line#about=} ;;
    stops=*) STOPS=${line#stops=} ;;
  esac
done
