#!/usr/bin/env bash
# Starts a server even with `autostart` off: the user asked for the dashboard. Prints its process id and does not wait:
# who asked sees in server.json that it listens.
set -u
HERE=${BASH_SOURCE[0]%/*}
. "$HERE/lib/common.sh"
. "$HERE/lib/more.sh"
. "$HERE/lib/find-node.sh"
. "$HERE/lib/start-server.sh"
umask 077
find_plugin "$(cd -P -- "$HERE/.." && pwd -P)"
system mkdir -p -m 700 -- "$STATE" || exit 1
find_node "$STATE/node" || exit 1
launch_server && echo "$SERVER_PID"
