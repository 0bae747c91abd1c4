/** Room on the file system of the state directory. Apart from what collects garbage: each start of a client asks. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LowSpace } from '../../../shared/api/types.ts';

/** Bytes. */
export function freeSpace(dir: string): { free: number; size: number } {
  const { bavail, blocks, bsize } = statfsSync(nearest(dir));
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Set when the state directory's file system has less space than `warnFreeBytes`. One system call. */
export function lowSpace(stateDir: string, warnFreeBytes: number): LowSpace | null {
  const { free } = freeSpace(stateDir);
  return free < warnFreeBytes ? { free, warnFreeBytes } : null;
}

/** Bytes; with less, not even a log line can be written. */
const NO_ROOM = 64 * 1024;

export function isFull(stateDir: string): boolean {
  return freeSpace(stateDir).free < NO_ROOM;
}

/** The nearest existing directory: the state directory is made with the first session. */
function nearest(dir: string): string {
  let at = dir;
  while (at !== '/' && !existsSync(at)) at = dirname(at);
  return at;
}
