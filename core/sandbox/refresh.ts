/** Makes a live overlay see what the host has changed since. */
import { closeSync, openSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { nodePort } from '../kernel/fs/port.ts';
import type { SessionContext } from '../session/session-context.ts';

/**
 * Reads the mount points from stdin, each ended by NUL: Node can't pass arguments that are not UTF-8. It runs with the
 * rights of the mounts' owner on files that the sandbox may have changed, so programs are named in full.
 */
const SCRIPT =
  'export LIBMOUNT_FORCE_MOUNT2=always; while IFS= read -r -d "" at; do /usr/bin/mount -o remount "$at" || exit; done';

/** Whether a process is one of a refresh: it is in the session's namespace for a moment, and nothing of the session's. */
export function isRefresh(argv: readonly string[]): boolean {
  return argv.includes(SCRIPT);
}

/**
 * Remounts the overlays at `points` in the namespace of `pid`, as the owner of the mounts, which drops all names that
 * are not in use: what the host replaced, removed or added since they were looked up is then seen. Names that some
 * process holds open stay old. @returns what went wrong, or null
 */
export async function refreshMounts(
  ctx: Pick<SessionContext, 'root' | 'stateDir'>,
  pid: number,
  points: readonly BytePath[],
): Promise<string | null> {
  const fds: number[] = [];
  try {
    // Opened before nsenter starts: the process may end, and its number be another one's.
    fds.push(openSync(`/proc/${pid}/ns/mnt`, 'r'));
    if (!ctx.root) fds.push(openSync(`/proc/${pid}/root${ctx.stateDir}/userns`, 'r'));
    const owner = ctx.root ? [] : ['--preserve-credentials', '--user=/proc/self/fd/4'];
    // Node's pipes are sockets, and bash takes a socket for a remote login, which reads ~/.bashrc.
    const shell = ['/bin/bash', '--norc', '-p', '-c', SCRIPT];
    const input = Buffer.from(points.map((point) => `${point}\0`).join(''), 'latin1');
    const args = [...owner, '--mount=/proc/self/fd/3', ...shell];
    const { status, stderr } = await nodePort.run('/usr/bin/nsenter', args, input, fds);
    return status === 0 ? null : stderr.trim() || `nsenter ended with status ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}
