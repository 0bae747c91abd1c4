# Finds a Node that is new enough, also in version managers. Sourced.
# shellcheck shell=bash

# Sets NODE to its own path: shims of volta, asdf and mise change with the directory.
try_node() {
  local said version major minor
  [[ -x $1 && ! -d $1 ]] || return 1
  said=$("$1" -p 'process.versions.node + " " + process.execPath' 2>/dev/null) || return 1
  version=${said%% *}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [[ $major =~ ^[0-9]+$ && $minor =~ ^[0-9]+$ ]] || return 1
  ((major > 20 || (major == 20 && minor >= 19))) || return 1
  NODE=${said#* }
  [[ $NODE == /* && -x $NODE ]]
}

# Sets NODE (absolute path), or fails. $1 = a file that may name it.
find_node() {
  local known=${1-} home=${HOME-} candidate entry i
  local -a found=()
  NODE=
  if [[ -n $known && -f $known && -r $known ]]; then
    IFS= read -r candidate <"$known" || [[ -n $candidate ]]
    # A Node newer than the file was replaced since.
    if [[ -x $candidate && ! $candidate -nt $known ]]; then
      NODE=$candidate
      return 0
    fi
  fi
  # A relative entry of PATH leads into the project.
  candidate=$(type -P node) && [[ $candidate == /* ]] && try_node "$candidate" && return 0
  for entry in \
    "${NVM_DIR:-$home/.nvm}"/versions/node/*/bin/node \
    "${FNM_DIR:-${XDG_DATA_HOME:-$home/.local/share}/fnm}"/node-versions/*/installation/bin/node \
    "$home"/.fnm/node-versions/*/installation/bin/node \
    "${VOLTA_HOME:-$home/.volta}"/tools/image/node/*/bin/node \
    "${ASDF_DATA_DIR:-$home/.asdf}"/installs/nodejs/*/bin/node \
    "${MISE_DATA_DIR:-${XDG_DATA_HOME:-$home/.local/share}/mise}"/installs/node/*/bin/node; do
    [[ -x $entry ]] && found+=("$entry")
  done
  for ((i = ${#found[@]} - 1; i >= 0; i--)); do
    try_node "${found[i]}" && return 0
  done
  for entry in /usr/local/bin/node /usr/bin/node /home/linuxbrew/.linuxbrew/bin/node /run/current-system/sw/bin/node; do
    try_node "$entry" && return 0
  done
  NODE=
  return 1
}
