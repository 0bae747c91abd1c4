/**
 * A live overlay, worked on from outside: through /proc/PID/root of one of the session's processes its mount can be
 * opened, and what is written there is seen by everything in it, inotify included.
 */
import { readFileSync } from 'node:fs';
import type { BytePath } from '../../shared/bytes.ts';
import { nodePort as port } from '../kernel/fs/port.ts';
import { unescapeMount } from '../kernel/mounts/mountinfo.ts';
import type { CoveredDir } from '../session/session-context.ts';
import { liveProcesses } from './live.ts';

export interface Inside {
  /** A descriptor on the place's root in the overlay. As long as it is open the overlay stays mounted. */
  fd: number;
  /** The device of its directories: another one means that a mount lies in between. */
  dev: bigint;
  /** The process through which it was opened. */
  pid: number;
  close(): void;
}

/**
 * Opens the overlay of a place where some process of the session has it mounted; null when none has. The session's
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
  return mountinfo.split('\n').some((line) => {
    if (!line.includes(` - overlay ${source} `)) return false;
    const [, , device, , at] = line.split(' ');
    return device === deviceText(dev) && at !== undefined && unescapeMount(at) === point;
  });
}

/** `major:minor` of a device number as stat(2) of glibc and musl gives it. */
function deviceText(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}
