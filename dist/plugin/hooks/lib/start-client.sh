# `trai claude` and `trai box -y` without Node: the server makes the session, this bash starts the launcher in it and
# waits, and the server does the end. Sourced by bin/trai. What the server does not do, or is in doubt about, it leaves to
# Node, which does the same and says what is wrong. Variables start with t_, as in launch: the client gets this environment.
# shellcheck shell=bash

. "$t_root/hooks/launcher/talk"

send_body() {
  printf '%s\0' "${t_body[@]}"
}

# ask_server ROUTE SECONDS WORDS...: posts this process and the words. Sets t_answer, or fails.
ask_server() {
  local LC_ALL=C t_name t_word t_length=0 t_done
  t_name=trai-${SRANDOM:-$RANDOM}
  t_body=("$$" "$t_name" "${@:3}")
  for t_word in "${t_body[@]}"; do ((t_length += ${#t_word} + 1)); done
  # `post` reads 4 MB of an answer, which has up to four bytes for one of a word, and the variables of a box besides.
  ((t_length <= 16384)) || return
  # The server knows by it that this process asks: no other one can give it a name.
  { printf %s "$t_name" >"/proc/$$/comm"; } 2>/dev/null || return
  # A server that hangs up must be a failed write; what is ignored the launcher would inherit.
  trap : PIPE
  talk "/hook/$1" 2 '' "$t_length" "$2"
  t_done=$?
  trap - PIPE
  printf trai >"/proc/$$/comm"
  return "$t_done"
}

# Sets t_session, t_keep, t_env and t_more (variables), t_signals, t_args (for descriptor 3) and t_command; fails for another answer.
read_start() {
  local LC_ALL=C IFS=$'\x1f' t_count t_i
  local -
  local -a t_words
  [[ $t_answer =~ ^started\ ([A-Za-z0-9-]+)\ (keep|-)\ (more|only)\ ([0-9]+)\ ([A-Z,]+|-)$'\n' ]] || return
  t_session=${BASH_REMATCH[1]} t_keep=${BASH_REMATCH[2]} t_env=${BASH_REMATCH[3]} t_count=${BASH_REMATCH[4]}
  t_signals=${BASH_REMATCH[5]#-}
  set -f
  t_words=(${t_answer:${#BASH_REMATCH[0]}})
  for t_i in "${!t_words[@]}"; do
    [[ ${t_words[t_i]} != *\\* ]] || printf -v "t_words[t_i]" %b "${t_words[t_i]}"
  done
  t_more=("${t_words[@]:0:t_count}") t_args=${t_words[t_count]} t_command=("${t_words[@]:t_count+1}")
}

# Sets t_open.
find_open() {
  local GLOBIGNORE= t_fd
  t_open=()
  for t_fd in /proc/self/fd/*; do
    t_fd=${t_fd##*/}
    ((t_fd <= 2)) || t_open+=("$t_fd")
  done
}

# A box has no variable but those that it was given.
export_none() {
  local t_one
  mapfile -d '' -t t_old <"/proc/$$/environ"
  for t_one in "${t_old[@]}" PWD OLDPWD SHLVL _; do
    t_one=${t_one%%=*}
    case $t_one in
      BASH_FUNC_*) t_one=${t_one#BASH_FUNC_} && export -nf "${t_one%\%%}" ;;
      *) export -n "$t_one" ;;
    esac
  done
}

close_open() { # up to
  local t_fd
  for t_fd in "${t_open[@]}"; do ((t_fd > $1)) || eval "exec $t_fd>&-"; done
}

# To what the launcher has started: it stays to log the end.
forward() { # signal
  t_caught=$1
  signal_below "$t_child" "$1"
}

signal_below() { # pid signal
  local t_pid t_name
  local -a t_children=()
  { read -r -a t_children <"/proc/$1/task/$1/children"; } 2>/dev/null
  for t_pid in "${t_children[@]}"; do
    signal_below "$t_pid" "$2"
    t_name=
    { read -r t_name <"/proc/$t_pid/comm"; } 2>/dev/null
    # With bwrap itself a box would end at once, before the client has ended.
    [[ $t_name == bwrap ]] || kill -s "$2" "$t_pid" 2>/dev/null
  done
}

seems_served() {
  local t_line= t_pid t_stat
  [[ -f $t_state/server.json ]] && { IFS= read -r t_line <"$t_state/server.json"; } 2>/dev/null
  t_pid=${t_line#*'"pid":'}
  t_pid=${t_pid%%[!0-9]*}
  [[ -n $t_pid && -O /proc/$t_pid ]] && { read -r t_stat <"/proc/$t_pid/stat"; } 2>/dev/null && [[ ${t_stat##*) } != Z* ]]
}

# A client in a session cannot start a server. Reads a pipe that ends with this bash.
keep_server() {
  trap '' INT QUIT TERM HUP
  exec >/dev/null 2>&1
  close_open 65535
  while :; do
    read -r -t 2
    (($? > 128)) || exit 0
    seems_served || TRAI_STATE_HOME=$t_state "$BASH" "$t_root/hooks/start-server.sh" </dev/null
  done
}

# Sets t_rc, and t_lost where it is a guess.
run_client() {
  local t_pipe t_one
  find_open
  # bash would remark on a launcher that is killed.
  exec 2>/dev/null
  t_child= t_caught=
  # What is ignored bash 5.3 does not reset in a background process.
  trap : INT
  trap 'forward TERM' TERM
  trap 'forward HUP' HUP
  trap 'forward QUIT' QUIT
  (
    # bash lets other background processes ignore these.
    trap - INT QUIT TERM HUP
    # As where bin/trai becomes another program.
    SHLVL=$((SHLVL - 1))
    [[ $t_env == more ]] || export_none
    ((${#t_more[@]} == 0)) || export "${t_more[@]}"
    exec 2>&"$t_err" {t_err}>&-
    # The caller's own (`<(...)` is 63) are the client's; the launcher has numbers below 10.
    close_open 9
    [[ -z $t_args ]] || exec 3<"$t_args" || exit 125
    exec "${t_command[@]}"
  ) <&0 &
  t_child=$!
  # It has started nothing by then.
  [[ -z $t_caught ]] || kill -s "$t_caught" "$t_child"
  # Also while the end is asked for.
  trap '' INT
  # Which the terminal cannot send it.
  for t_one in ${t_signals//,/ }; do trap "forward $t_one" "$t_one"; done
  [[ $t_keep == - ]] || exec {t_pipe}> >(keep_server)
  t_lost=
  while :; do
    t_caught=
    wait "$t_child"
    t_rc=$?
    [[ -n $t_caught ]] || break
    # bash can lose the status of a child that ends at that moment, and would wait for the other one.
    [[ -e /proc/$t_child || -z $(jobs -pr) ]] || { t_rc=$((128 + $(kill -l "$t_caught"))) t_lost=lost && break; }
  done
  trap - TERM HUP QUIT
  [[ $t_keep == - ]] || exec {t_pipe}>&-
  exec 2>&"$t_err"
}

# Fails where no server does it; may change t_rc.
end_client() {
  ask_server client-end 600 "$t_session" "$t_rc" $t_lost && [[ $t_answer =~ ^[0-9]+$'\n' ]] || return
  t_rc=${t_answer%%$'\n'*}
  printf %s "${t_answer#*$'\n'}" >&2
}

# Returns where Node is to do it; with t_rc, the end.
start_client() {
  # `printf %b` of earlier ones differs; in posix mode a failed redirection ends the shell.
  ((BASH_VERSINFO[0] >= 5)) && [[ ! -o posix ]] || return 0
  [[ -L /proc/self/fd/0 && -L /proc/self/fd/1 && -L /proc/self/fd/2 ]] || return 0
  exec {t_err}>&2 || return 0
  ask_server client-start 10 "$t_root" "$@" && read_start || { exec {t_err}>&-; return 0; }
  run_client
  end_client && exit "$t_rc"
  return 0
}
