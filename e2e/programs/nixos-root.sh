#!/bin/bash
# nixos-root.sh AT HOME NODE: makes a root like NixOS's at AT of this machine's programs, and makes it the root of its mount
# namespace, with HOME in it. Runs as root of user, mount and process namespaces of its own.
#   /nix/store: read-only, root's, programs with their libraries and loader; /run/current-system leads there
#   /usr/bin has `env` alone, /bin has `sh` alone, there is no /lib; of /etc much is a link by /etc/static
#   alice (1000), a member of `work` (2000), which /etc/subgid lets her map
set -eu
at=$1 home=$2 node=$3
mount -t tmpfs -o mode=755 trai-nixos "$at"
cd "$at"

in_store() { # name: sets REPLY
  REPLY=/nix/store/a1b2c3d4f5g6h7i8j9k0l1m2n3p4q5r6-$1
}
in_store nixos-system
system=$REPLY
in_store system-path
sw=$REPLY/bin
in_store glibc
libs=$REPLY/lib
in_store etc
etc=$REPLY/etc
mkdir -p bin usr/bin etc home/alice proc sys dev root tmp var/tmp run/wrappers/bin nix/var/nix/profiles ".$system" ".$sw" ".$libs" ".$etc"
chmod 1777 tmp var/tmp

files=()
package() { # name, program...: into the store, and into the system's path
  local name=$1 program
  shift
  in_store "$name"
  mkdir -p ".$REPLY/bin"
  for program; do
    files+=(".$REPLY/bin/${program##*/}")
    [[ $program == /* ]] || program=$(type -P "$program")
    cp -L -- "$program" ".$REPLY/bin/"
    ln -s "$REPLY/bin/${program##*/}" ".$sw/"
  done
}
package coreutils cat chmod chown cp cut date dd dirname env false head id ln ls mkdir mkfifo mktemp mv nohup printf pwd readlink realpath \
  rm rmdir sleep sort stat sync tail tee touch tr true uname wc
package util-linux flock mount nsenter setpriv setsid umount unshare
package findutils find xargs
for name in bash bwrap cmp git grep sed; do package "$name" "$name"; done
package nodejs "$node"
package shadow newgidmap
loader=$(patchelf --print-interpreter "${files[0]}")
mapfile -t found < <(for file in "${files[@]}"; do "$loader" --list "$file"; done | sed -nE 's/^.*[[:blank:]](\/[^ ]+) \(.*/\1/p' | sort -u)
cp -L -- "${found[@]}" ".$libs/"
chmod 755 "${files[@]}"
patchelf --set-interpreter "$libs/${loader##*/}" --force-rpath --set-rpath "$libs" "${files[@]}"
install -m 4755 "${files[-1]}" run/wrappers/bin/

in_store bash
ln -s bash ".$REPLY/bin/sh"
ln -s "$REPLY/bin/sh" ".$sw/"
ln -s "$REPLY/bin/sh" bin/
in_store coreutils
ln -s "$REPLY/bin/env" usr/bin/
ln -s "${sw%/bin}" ".$system/sw"
ln -s "$system" run/current-system
ln -s "$etc" etc/static
echo 'ID=nixos' >".$etc/os-release"
echo 'hosts: files' >".$etc/nsswitch.conf"
echo '127.0.0.1 localhost' >".$etc/hosts"
for name in os-release nsswitch.conf hosts; do ln -s "/etc/static/$name" etc/; done
printf '%s\n' root:x:0:0::/root:/bin/sh alice:x:1000:100::/home/alice:/run/current-system/sw/bin/bash >etc/passwd
printf '%s\n' root:x:0: users:x:100: work:x:2000:alice nixbld:x:30000: >etc/group
echo alice:2000:1 >etc/subgid
chgrp 30000 nix/store
chmod 1775 nix/store

mount --bind "$home" home/alice
mount --rbind /dev dev
mount --rbind /sys sys
mount -t proc proc proc
mount --bind nix/store nix/store
mount -o remount,bind,ro nix/store
mkdir old
cd "$at"
pivot_root . old
cd /
PATH=/run/current-system/sw/bin
hash -r
umount -l old
rmdir old
