#!/usr/bin/env bash
# session-start.sh [late|mend]: attaches a client session. `late` and `mend` are asynchronous hooks beside it.
#   choose the session (that of `trai claude`, if it started the client); say where trai cannot work (why_off)
#   write the env line first, with builtins only: a command typed meanwhile must meet it
#   record session, client and env file; start the server; copy the launcher meanwhile; remember Node
#   forward the event (lib/ask-server.sh)
#   late: ends when the line is written, so that the client notices it (finish_late)
#   mend: repeats the event if the first hook was killed at its time limit (mend_session)
set -u
HERE=${BASH_SOURCE[0]%/*}
[[ $HERE == /* ]] || HERE=$PWD/$HERE
. "$HERE/lib/common.sh"
. "$HERE/lib/ask-server.sh"
. "$HERE/lib/more.sh"
. "$HERE/lib/env-record.sh"
. "$HERE/lib/env-line.sh"

# Exec-form hooks (2.1.139), which the plugin's other hooks use.
OLDEST_CLIENT=2.1.139

# As mount tables and the server name it: stateDir in core/session/dirs.ts. The launcher compares its own name with theirs.
unlink_state() {
  local above=${STATE%/*} below=/${STATE##*/}
  while [[ $above == /* ]]; do
    if REPLY=$(cd -- "$above" 2>/dev/null && pwd -P && echo .); then
      REPLY=${REPLY%$'\n.'}
      STATE=${REPLY%/}$below
      return
    fi
    below=/${above##*/}$below above=${above%/*}
  done
}

# A known client session keeps its session; `/clear` and a fork continue their process's; others begin one.
choose_session() {
  local pattern='"source" *: *"([a-z]+)"'
  SOURCE=startup
  [[ ${BODY:0:16384} =~ $pattern ]] && SOURCE=${BASH_REMATCH[1]}
  if [[ -n $INSIDE ]]; then SESSION=$INSIDE; return 0; fi
  find_session && return 0
  if [[ $SOURCE == @(clear|fork) && -n $CLIENT ]] && first_line "$STATE/claude-pid/$CLIENT" && safe_id "$REPLY"; then
    SESSION=$REPLY
  elif [[ $SOURCE == fork ]] && forked_from && SESSION=$REPLY; then
    return 0
  else
    SESSION=$CLAUDE_ID
  fi
}

# `--resume ID` is only on the client's command line; `--continue` is the project's newest conversation. A
# choice from the client's list remains unknown.
forked_from() {
  local word before='' pattern='"transcript_path" *: *"([^"\\]*)"' newest='' file
  [[ ${CLAUDE_PID-} =~ ^[0-9]+$ && -r /proc/$CLAUDE_PID/cmdline ]] || return 1
  while IFS= read -r -d '' word; do
    [[ $word != --resume=* ]] || before=--resume word=${word#*=}
    if [[ $before == @(--resume|-r) ]] && session_of "$word"; then return 0; fi
    before=$word
    [[ $word == @(--continue|-c) && ${BODY:0:16384} =~ $pattern ]] || continue
    for file in "${BASH_REMATCH[1]%/*}"/*.jsonl; do
      [[ $file == "${BASH_REMATCH[1]}" || ! -f $file || $newest -nt $file ]] || newest=$file
    done
    newest=${newest##*/}
    session_of "${newest%.jsonl}" && return 0
  done <"/proc/$CLAUDE_PID/cmdline"
  return 1
}

session_of() {
  safe_id "$1" && first_line "$STATE/claude/$REPLY" && safe_id "$REPLY"
}

# Fails when the plugin can work.
why_off() {
  if [[ $OSTYPE != linux* ]]; then
    REPLY="trai needs Linux (found $OSTYPE); on other systems use Claude Code's own sandbox, see /sandbox"
  elif [[ -n $CLIENT_VERSION ]] && older "$CLIENT_VERSION" "$OLDEST_CLIENT"; then
    REPLY="trai needs Claude Code $OLDEST_CLIENT or newer, this is $CLIENT_VERSION; run: claude update"
  elif [[ ${SANDBOX_RUNTIME-} == 1 ]]; then
    REPLY="Claude Code's own sandbox is on, and nothing can be nested in it; turn one of the two off"
  elif [[ -n ${CLAUDE_CODE_SHELL-} && ${CLAUDE_CODE_SHELL##*/} != @(bash|zsh) ]]; then
    REPLY="trai needs bash or zsh as the client's shell, and CLAUDE_CODE_SHELL is $CLAUDE_CODE_SHELL"
  elif [[ -z ${CLAUDE_ENV_FILE-} ]]; then
    REPLY="Claude Code gave this hook no CLAUDE_ENV_FILE; trai needs Claude Code $OLDEST_CLIENT or newer"
  else
    return 1
  fi
}

write_env_line() {
  remove_other_lines "$CLAUDE_ENV_FILE"
  env_line "$BASH" "$STATE/bin/$VERSION/launch" "$SESSION" "$CLAUDE_ENV_FILE"
  LINE=$REPLY
  [[ $ENV_LINE == ok ]] || { system rm -f -- "$STATE/claude-late/$CLAUDE_ID"; }
  printf '%s' "$LINE" >"$CLAUDE_ENV_FILE"
}

# A client in a sandbox may continue a conversation from outside, whose launcher is hidden. The change lands
# in the overlay.
drop_env_lines() {
  [[ -n ${CLAUDE_ENV_FILE-} ]] || return 0
  remove_other_lines "$CLAUDE_ENV_FILE"
  slurp "$CLAUDE_ENV_FILE" && [[ $REPLY == *'# trai:'* ]] || return 0
  : >"$CLAUDE_ENV_FILE"
}

# Atomic.
put() {
  printf '%s' "$2" >"$1.$$" && system mv -f -- "$1.$$" "$1" && return 0
  system rm -f -- "$1.$$"
  return 1
}

# Only the server makes the session's directory: without meta.json it counts as damaged.
write_records() {
  local record
  system mkdir -p -m 700 -- "$STATE" "$STATE"/{claude,claude-pid,claude-env,claude-off,claude-late} || return 1
  # For a home directory that is a work tree.
  [[ -e $STATE/.gitignore ]] || put "$STATE/.gitignore" $'*\n' || return 1
  put "$STATE/claude/$CLAUDE_ID" "$SESSION"$'\n' || return 1
  if [[ -z $OFF ]]; then
    put "$STATE/claude-env/$CLAUDE_ID" "$CLIENT"$'\n'"$CLAUDE_ENV_FILE"$'\n'"$LINE" || return 1
    system rm -f -- "$STATE/claude-off/$CLAUDE_ID"
  else
    put "$STATE/claude-off/$CLAUDE_ID" "$OFF"$'\n' || return 1
  fi
  for record in "$STATE"/claude-pid/*; do
    [[ -e $record && ! -e /proc/${record##*/}/ ]] || continue
    [[ ${record##*/} =~ ^([0-9]+)\. && -e /proc/${BASH_REMATCH[1]} ]] || system rm -f -- "$record"
  done
  [[ -z $CLIENT ]] || put "$STATE/claude-pid/$CLIENT" "$SESSION"$'\n'
}

# `launch` comes last, so that an incomplete copy never runs; renames, as bash reads a script while it runs.
install_launcher() {
  local bin=$STATE/bin/$VERSION source
  [[ -d $bin/lib ]] || system mkdir -p -m 700 -- "$STATE/bin" "$bin" "$bin/lib" || return 1
  copy_fallback "$LIB/fallback.mjs" "$bin/lib/fallback.mjs"
  for source in "$HERE"/launcher/*; do
    [[ ${source##*/} == launch ]] || copy_script "$source"
  done
  copy_script "$HERE/launcher/launch"
}

# To $bin. Read by bash, which takes less time than a process for each.
copy_script() {
  local target=$bin/${1##*/} content
  slurp "$1" || return 1
  content=$REPLY
  slurp "$target" && [[ $REPLY == "$content" ]] || put "$target" "$content"
}

# A megabyte.
copy_fallback() {
  [[ -f $1 ]] && ! system cmp -s -- "$1" "$2" || return 0
  system cp -- "$1" "$2.$$" && system mv -f -- "$2.$$" "$2" || system rm -f -- "$2.$$"
}

remember_node() {
  . "$HERE/lib/find-node.sh"
  find_node "$STATE/node" || return 1
  first_line "$STATE/node" && [[ $REPLY == "$NODE" && ! $NODE -nt $STATE/node ]] || put "$STATE/node" "$NODE"$'\n'
}

say() {
  json_text "trai: $1"
  printf '{"systemMessage":"%s"}' "$REPLY"
  exit 0
}

# After a command that was typed just before the line is written, the client assumes for the whole session
# that there is no env file, until an asynchronous SessionStart hook ends. So the first hook waits for this
# one.
finish_late() {
  local tries
  for ((tries = 0; tries < 500; tries++)); do
    check_env_line
    [[ $ENV_LINE != ok && ! -e $STATE/claude-off/$CLAUDE_ID ]] || break
    pause 0.02
  done
  [[ $ENV_LINE != ok ]] || : >"$STATE/claude-late/$CLAUDE_ID"
  exit 0
}

wait_for_late() {
  local tries
  for ((tries = 0; tries < 20; tries++)); do
    [[ ! -e $STATE/claude-late/$CLAUDE_ID ]] || break
    pause 0.05
  done
  # Time for the client to notice.
  pause 0.05
}

# For a first hook that was killed at its time limit (20 s, hooks.json): without a session every call is refused.
mend_session() {
  local end=$((SECONDS + 22))
  while ((SECONDS < end)); do
    find_session
    [[ -z $SESSION || ! -e $STATE/sessions/$SESSION/meta.json ]] || exit 0
    pause 0.2
  done
  check_env_line
  [[ $ENV_LINE != ok ]] || deliver SessionStart
  exit 0
}

# No Node can answer from inside.
start_inside() {
  ask_server SessionStart && give_answer
  note_error "SessionStart: $WHY"
  say "this client runs in session $INSIDE: what it writes is pending there. The server does not answer ($WHY), so its calls are not named in the log."
}

main() {
  # The environment may have a variable of that name, from which bash counts on.
  SECONDS=0
  umask 077
  unlink_state
  . "$HERE/lib/event.sh"
  find_plugin "${HERE%/*}"
  find_version
  . "$HERE/lib/start-server.sh"
  [[ -n $CLAUDE_ID ]] || say "off for this session: the client named no session id (expected session_id in the event)."
  CLIENT= OFF= LINE= ENV_LINE= SERVER_PID=
  client_process && CLIENT=$REPLY
  find_client_version
  if [[ -z $INSIDE ]] && inside_sandbox; then
    [[ -z ${1-} ]] || exit 0
    drop_env_lines
    say "this client runs inside the sandbox of session $OUTER, which covers it: what it writes is pending there."
  fi
  case ${1-} in
    late) finish_late ;;
    mend) mend_session ;;
  esac
  choose_session
  if why_off; then
    OFF=$REPLY
    [[ -z ${CLAUDE_ENV_FILE-} ]] || : >"$CLAUDE_ENV_FILE"
  else
    case $STATE$CLAUDE_ENV_FILE$BASH in *[[:cntrl:]]*) say "off: control characters in the path of the state directory or the env file." ;; esac
    check_env_line
    write_env_line || say "the env file could not be written ($CLAUDE_ENV_FILE), so Bash calls of this session will be refused."
  fi
  write_records || say "the state directory could not be written ($STATE), so Bash calls of this session will be refused. Is the disk full?"
  [[ -z $OFF ]] || say "off for this session: $OFF. Bash runs on the host, and nothing of it is pending."
  [[ -n $INSIDE ]] || ! remember_node || begin_server ||
    note_error "SessionStart: the server could not be started, $LIB/server.mjs is missing"
  install_launcher || note_error 'SessionStart: the launcher could not be copied'
  await_server || note_error "SessionStart: the server did not start, see $STATE/server.log"
  [[ $ENV_LINE == ok ]] || wait_for_late
  ENV_LINE=ok
  [[ -z $INSIDE ]] || start_inside
  # It may have to count what is pending, and to try whether this machine can run the sandbox. The client waits 20 s (hooks.json).
  answer_by 18
  deliver SessionStart
  note_error "SessionStart: $WHY"
  say "neither the server nor Node answers: $WHY. Bash calls will be refused until that is mended: see /trai:doctor."
}

main "$@"
