# Starts the server when none answers, or one that is older, which the new one asks to leave. Needs NODE. Sourced after more.sh.
# shellcheck shell=bash

autostart_off() {
  local config=${XDG_CONFIG_HOME-} pattern='"autostart"[[:space:]]*:[[:space:]]*false'
  [[ $config == /* ]] || config=${HOME-}/.config
  slurp "$config/trai/config.json" && [[ $REPLY =~ $pattern ]]
}

older() {
  local a b i
  IFS=.+- read -r -a a <<<"$1"
  IFS=.+- read -r -a b <<<"$2"
  for i in 0 1 2; do
    [[ ${a[i]-0} =~ ^[0-9]+$ && ${b[i]-0} =~ ^[0-9]+$ ]] || return 1
    ((10#${a[i]-0} == 10#${b[i]-0})) || { ((10#${a[i]-0} < 10#${b[i]-0})); return; }
  done
  return 1
}

# Sets RUNNING to its version. The proof counts, as another program may have the port.
server_listens() {
  local BODY='{}' SESSION='' ENV_LINE='' CLIENT='' ANSWER_SECONDS=2 STATUS STREAM TEXT WHY
  RUNNING=
  slurp "$STATE/server.json" || return 1
  [[ $REPLY =~ \"version\":\"([^\"]*)\" ]] && RUNNING=${BASH_REMATCH[1]}
  ask_server hello
}

# Sets SERVER_PID. A fresh environment, as hooks inherit the client's API key.
launch_server() {
  local name program=$LIB/server.mjs
  local -a keep=()
  [[ -f $program ]] || return 1
  for name in HOME USER LOGNAME PATH LANG TZ TMPDIR XDG_STATE_HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR XDG_CACHE_HOME \
    TRAI_STATE_HOME CLAUDE_CONFIG_DIR CLAUDE_PLUGIN_DATA SSH_AUTH_SOCK DOCKER_HOST DBUS_SESSION_BUS_ADDRESS WAYLAND_DISPLAY \
    DISPLAY BROWSER; do
    [[ -z ${!name+x} ]] || keep+=("$name=${!name}")
  done
  (
    cd / || exit
    PATH=$SYSTEM_PATH
    exec setsid env -i "${keep[@]}" "$NODE" "$program" </dev/null >/dev/null 2>>"$STATE/server.log"
  ) &
  SERVER_PID=$!
}

current_server() {
  server_listens && ! older "$RUNNING" "$VERSION"
}

# Sets SERVER_PID; it stays empty where none has to be started.
begin_server() {
  autostart_off || current_server || launch_server
}

SERVER_SECONDS=8

await_server() {
  local end=$((SECONDS + SERVER_SECONDS))
  [[ -n $SERVER_PID ]] || return 0
  while ! current_server; do
    # It leaves when another one was faster, which then answers.
    [[ -e /proc/$SERVER_PID ]] || { current_server; return; }
    ((SECONDS < end)) || return 1
    pause 0.05
  done
}
