/**
 * A live overlay, worked on from outside: through /proc/PID/root of one of the session's processes its mount can be
 * opened, and what is written there is seen by everything in it, inotify included.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { nodePort, nodePort as port } from '../kernel/fs/port.ts';
import { parseMountinfo } from '../kernel/mounts.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { liveProcesses } from './live.ts';

export interface Inside {
  /** A descriptor on the root of the overlay. As long as it is open the overlay stays mounted. */
  fd: number;
  /** The device of its directories: another one means that a mount lies in between. */
  dev: bigint;
  /** The process through which it was opened. */
  pid: number;
  close(): void;
}

/**
 * Opens the overlay of a covered directory where some process of the session has it mounted; null when none has. The session's
 * lock must be held: whoever enters meanwhile would find the overlay busy because of our descriptor.
 */
export async function openInside(source: string, covered: CoveredDir): Promise<Inside | null> {
  for (const { pid } of await liveProcesses(source)) {
    const opened = openAt(pid, source, covered);
    if (opened === null) continue;
    return { ...opened, pid, close: () => port.close(opened.fd) };
  }
  return null;
}

/**
 * The number of a process that has just ended may be another one's by now, and then the path is the host's own. So the
 * descriptor comes first, and what it holds is compared with the table of mounts: a device number that an open
 * descriptor pins belongs to one overlay only.
 */
function openAt(pid: number, source: string, covered: CoveredDir): { fd: number; dev: bigint } | null {
  let fd: number;
  try {
    fd = port.openDir(`/proc/${pid}/root${covered.path}` as BytePath);
  } catch {
    // It has ended, or hides its root from us.
    return null;
  }
  try {
    const { dev } = port.fstat(fd);
    if (isMountedAs(readFileSync(`/proc/${pid}/mountinfo`, 'latin1'), source, covered.path, dev))
      return { fd, dev };
  } catch {
    // It has ended between the two looks.
  }
  port.close(fd);
  return null;
}

function isMountedAs(mountinfo: string, source: string, point: BytePath, dev: bigint): boolean {
  const device = deviceText(dev);
  return parseMountinfo(mountinfo).some(
    (mount) => mount.source === source && mount.device === device && mount.point === point,
  );
}

/** `major:minor` of a device number as stat(2) of glibc and musl gives it. */
function deviceText(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}

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
