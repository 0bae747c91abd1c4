/** Access to a live overlay through /proc/PID/root. Writes are visible inside, inotify included. */
import { closeSync, openSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { errorText } from '../kernel/fs/entry.ts';
import { parseMountinfo } from '../kernel/fs/mounts.ts';
import { orNull, nodePort as port } from '../kernel/fs/port.ts';
import { processText } from '../kernel/proc/proc.ts';
import { programPath } from '../kernel/programs.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { liveProcesses } from './live.ts';

export interface Inside {
  fd: number;
  /** Another device below means a mount in between. */
  dev: bigint;
  /** The same as mount tables have it. */
  device: string;
  pid: number;
  close(): void;
}

/** Requires the lock: the descriptor makes the overlay busy. Null when no process has it mounted. */
export async function openInside(source: string, covered: CoveredDir): Promise<Inside | null> {
  return openInsideOf(await liveProcesses(source), source, covered);
}

export function openInsideOf(
  processes: readonly { pid: number }[],
  source: string,
  covered: CoveredDir,
): Inside | null {
  for (const { pid } of processes) {
    const opened = openAt(pid, source, covered);
    if (opened !== null) return { ...opened, pid, close: () => port.close(opened.fd) };
  }
  return null;
}

/**
 * The pid may be reused, so the descriptor comes first, and its device is compared with the mount table: a
 * device number pinned by a descriptor belongs to one overlay only.
 */
function openAt(
  pid: number,
  source: string,
  covered: CoveredDir,
): Pick<Inside, 'fd' | 'dev' | 'device'> | null {
  const fd = orNull(() => port.openDir(`/proc/${pid}/root${covered.path}` as BytePath));
  if (fd === null) return null;
  const dev = orNull(() => port.fstat(fd).dev);
  const device = dev === null ? '' : deviceText(dev);
  const isMounted = parseMountinfo(processText(pid, 'mountinfo') ?? '').some(
    (mount) => mount.source === source && mount.device === device && mount.point === covered.path,
  );
  if (dev !== null && isMounted) return { fd, dev, device };
  port.close(fd);
  return null;
}

/** Of all overlays of a session that its processes have mounted, even a part of one. */
export function mountedDevices(processes: readonly { pid: number }[], source: string): string[] {
  const tables = new Set(processes.map(({ pid }) => processText(pid, 'mountinfo') ?? ''));
  const mounts = [...tables].flatMap(parseMountinfo).filter((mount) => mount.source === source);
  return mounts.map(({ device }) => device);
}

/** `major:minor` of a dev_t as glibc and musl encode it. */
function deviceText(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}

/**
 * Mount points come NUL-terminated on stdin: Node passes only UTF-8 arguments. Programs have absolute paths,
 * as this runs with the rights of the mounts' owner on files that the sandbox may have changed.
 */
const SCRIPT = `export LIBMOUNT_FORCE_MOUNT2=always; while IFS= read -r -d "" at; do ${programPath('mount')} -o remount "$at" || exit; done`;

/** A process of refreshMounts is in the session's namespace for a moment, but not one of the session's. */
export function isRefresh(argv: readonly string[]): boolean {
  return argv.includes(SCRIPT);
}

/**
 * The kernel drops cached names that are not in use, so that the host's changes become visible; names that a
 * process holds open stay stale.
 * @returns the error message, or null
 */
export async function refreshMounts(
  ctx: Pick<SessionContext, 'root' | 'stateDir'>,
  pid: number,
  points: readonly BytePath[],
): Promise<string | null> {
  const fds: number[] = [];
  try {
    // Opened before nsenter starts, because the pid may be reused.
    fds.push(openSync(`/proc/${pid}/ns/mnt`, 'r'));
    if (!ctx.root) fds.push(openSync(`/proc/${pid}/root${ctx.stateDir}/userns`, 'r'));
    const owner = ctx.root ? [] : ['--preserve-credentials', '--user=/proc/self/fd/4'];
    // Node's pipes are sockets; bash takes a socket at stdin for a remote login and would read ~/.bashrc.
    const shell = [programPath('bash'), '--norc', '-p', '-c', SCRIPT];
    const input = Buffer.from(points.map((point) => `${point}\0`).join(''), 'latin1');
    const args = [...owner, '--mount=/proc/self/fd/3', ...shell];
    const { status, stderr } = await port.run(programPath('nsenter'), args, input, fds);
    return status === 0 ? null : stderr.trim() || `nsenter ended with status ${status}`;
  } catch (error) {
    return errorText(error);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}
