# `trai claude` and `trai box`: this bash starts the launcher in a session and waits, so that nothing larger stays beside the
# client. The server makes the session; what it does not do, or is in doubt about, it leaves to Node, which does the same, says
# what is wrong, and ends. The server does the end, or Node. Sourced by bin/trai. Variables start with t_, as in launch: the
# client gets this environment.
# shellcheck shell=bash

. "$t_root/hooks/launcher/talk"

# The signal that came, and the one that has ended a box; Node, while it is waited for; the launcher.
t_caught= t_ended= t_node_pid= t_child=

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

# Sets t_session, t_keep, t_stay, t_env and t_more (variables), t_signals, t_args (for descriptor 3) and t_command; fails for
# another answer.
read_start() {
  local LC_ALL=C IFS=$'\x1f' t_count t_i
  local -
  local -a t_words
  [[ $t_answer =~ ^started\ ([A-Za-z0-9._-]+)\ (keep|-)\ (keep-running|-)\ (more|only)\ ([0-9]+)\ ([A-Z,]+|-)$'\n' ]] || return
  t_session=${BASH_REMATCH[1]} t_keep=${BASH_REMATCH[2]} t_stay=${BASH_REMATCH[3]#-} t_env=${BASH_REMATCH[4]}
  t_count=${BASH_REMATCH[5]} t_signals=${BASH_REMATCH[6]#-}
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

# To what the launcher has started, which stays to log the end; or to Node.
forward() { # signal
  t_caught=$1
  if [[ -n $t_node_pid ]]; then
    kill -s "$1" "$t_node_pid" 2>/dev/null
    return
  fi
  t_boxes=()
  signal_below "$t_child" "$1" || end_boxes "$1"
}

# Of a box that has not begun: bwrap alone, which ignores signals in the box, and some outside.
end_boxes() { # signal
  ((${#t_boxes[@]})) && [[ $1 != WINCH ]] || return 0
  t_ended=$1
  kill -s KILL "${t_boxes[@]}" 2>/dev/null
}

# Ctrl-C, which bwrap ignores. A box that has begun has it from the terminal.
interrupt_waiting() {
  t_caught=INT
  [[ ! -p ${t_args%args}gate ]] || forward INT
}

# Fails where there was nothing but bwrap, with t_boxes.
signal_below() { # pid signal
  local t_pid t_name t_none=1
  local -a t_children=()
  { read -r -a t_children <"/proc/$1/task/$1/children"; } 2>/dev/null
  for t_pid in "${t_children[@]}"; do
    signal_below "$t_pid" "$2" && t_none=0
    t_name=
    { read -r t_name <"/proc/$t_pid/comm"; } 2>/dev/null
    # With bwrap itself a box would end at once, before the client has ended.
    if [[ $t_name == bwrap ]]; then t_boxes+=("$t_pid")
    else kill -s "$2" "$t_pid" 2>/dev/null && t_none=0; fi
  done
  return "$t_none"
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

catch_signals() {
  # What is ignored bash 5.3 does not reset in a background process.
  trap : INT
  trap 'forward TERM' TERM
  trap 'forward HUP' HUP
  trap 'forward QUIT' QUIT
}

# Sets t_rc, and t_lost where it is a guess.
run_client() {
  local t_pipe t_one t_gate=
  find_open
  # bash would remark on a launcher that is killed.
  exec 2>/dev/null
  # bwrap takes a FIFO that nobody holds for the sign to begin.
  [[ -z $t_args || ! -p ${t_args%args}gate ]] || exec {t_gate}<>"${t_args%args}gate"
  catch_signals
  (
    # bash lets other background processes ignore these.
    trap - INT QUIT TERM HUP
    # As where bin/trai becomes another program.
    SHLVL=$((SHLVL - 1))
    [[ $t_env == more ]] || export_none
    ((${#t_more[@]} == 0)) || export "${t_more[@]}"
    exec 2>&"$t_err" {t_err}>&-
    [[ -z $t_gate ]] || exec {t_gate}>&-
    # The caller's own (`<(...)` is 63) are the client's; the launcher has numbers below 10.
    close_open 9
    [[ -z $t_args ]] || exec 3<"$t_args" || exit 125
    exec "${t_command[@]}"
  ) <&0 &
  t_child=$!
  # It has started nothing by then.
  [[ -z $t_caught ]] || kill -s "$t_caught" "$t_child"
  if [[ -n $t_gate ]]; then trap interrupt_waiting INT; else trap '' INT; fi
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
  # Also while the end is asked for.
  trap '' INT
  trap - TERM HUP QUIT
  [[ -z $t_ended || $t_rc != 137 ]] || t_rc=$((128 + $(kill -l "$t_ended")))
  [[ -z $t_gate ]] || exec {t_gate}>&-
  [[ $t_keep == - ]] || exec {t_pipe}>&-
  exec 2>&"$t_err"
}

# Fails where no server does it; may change t_rc.
end_client() {
  ask_server client-end 600 "$t_session" "$t_rc" $t_lost $t_stay && [[ $t_answer =~ ^[0-9]+$'\n' ]] || return
  t_rc=${t_answer%%$'\n'*}
  printf %s "${t_answer#*$'\n'}" >&2
}

# Returns where Node is to do the end.
run_to_end() {
  run_client
  end_client && exit "$t_rc"
}

# end_by_node PROGRAM CLI: where Claude Code has ended, and no server did what follows. Leaves with its status.
end_by_node() {
  # It may have run for days.
  if [[ ! -x $1 || ! -f $2 ]]; then
    printf 'trai: expected %s and %s, found that one is gone. Run trai again in session %s: it does what follows Claude Code.\n' "$1" "$2" "$t_session" >&2
    exit "$t_rc"
  fi
  # Somebody may have removed the directory meanwhile.
  pwd -P >/dev/null 2>&1 || cd /
  # Waited for, as it looks who has asked.
  TRAI_ROOT=$t_root "$1" "$2" client-ended "$t_session" "$t_rc" $t_lost $t_stay
  exit
}

# `printf %b` of earlier ones differs; in posix mode a failed redirection ends the shell.
can_wait() {
  ((BASH_VERSINFO[0] >= 5)) && [[ ! -o posix && -L /proc/self/fd/0 && -L /proc/self/fd/1 && -L /proc/self/fd/2 ]]
}

# Returns where Node is to do it; with t_rc, the end.
start_client() {
  can_wait && exec {t_err}>&2 || return 0
  if ask_server client-start 10 "$t_root" "$@" && read_start; then run_to_end; else exec {t_err}>&-; fi
  return 0
}

# start_by_node PROGRAM CLI WORDS...: Node makes the session and hands the start over, or does all of it and is waited for.
# Fails where it cannot be waited for.
start_by_node() {
  local t_out t_from t_head t_ends
  can_wait && exec {t_err}>&2 {t_out}>&1 || return
  # By it runningClient (core/sandbox/client-door.ts) knows who waits.
  { printf trai >"/proc/$$/comm"; } 2>/dev/null
  catch_signals
  trap 'forward INT' INT
  exec {t_from}< <(
    trap - INT QUIT TERM HUP
    exec 3>&1 >&"$t_out" {t_out}>&- {t_err}>&-
    # As if this bash had become it.
    t_ends=$(PATH=/usr/bin:/bin:/run/current-system/sw/bin type -P setpriv)
    TRAI_ROOT=$t_root exec ${t_ends:+"$t_ends" --pdeathsig KILL --} "$1" "$2" --start-fd 3 "${@:3}"
  )
  t_node_pid=$!
  exec {t_out}>&-
  [[ -z $t_caught ]] || kill -s "$t_caught" "$t_node_pid" 2>/dev/null
  t_answer=
  # However long Node takes: the user may look at the screen. Empty where it does all.
  TMOUT= IFS= read -r t_head <&"$t_from" && t_answer=$t_head$'\n'$(<"/proc/$$/fd/$t_from")
  while wait "$t_node_pid"; t_rc=$?; ((t_rc > 128)) && [[ -e /proc/$t_node_pid ]]; do :; done
  t_node_pid=
  exec {t_from}<&-
  # Of a Node that was killed it may be half of the answer.
  [[ $t_rc == 0 && -n $t_answer ]] || exit "$t_rc"
  if ! read_start; then
    printf 'trai: Node’s answer to bin/trai is of another version, and nothing was started: the plugin has just changed. Run it again.\n' >&2
    exit 125
  fi
  run_to_end
  # Not by bin/trai, of which bash has not read the rest: it may be another one by now.
  end_by_node "$1" "$2"
}
