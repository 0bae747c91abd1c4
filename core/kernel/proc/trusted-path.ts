/** Whether another user could have put a program in its place. */
import { lstatSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Root; and in a user namespace (a rootless container) whoever has no number there, as root outside of it. */
export function rootUids(): number[] {
  const isWhole = /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'));
  return isWhole ? [0] : [0, Number(readFileSync('/proc/sys/kernel/overflowuid', 'latin1'))];
}

const STICKY = 0o1000;

/** In a sticky directory nobody renames the file of another. */
const isOpen = (mode: number, write: number): boolean => (mode & write) !== 0 && (mode & STICKY) === 0;

/**
 * The path, or a directory above it, is of none of the owners, or has one of the modes `write`. Errors: those of lstat.
 * @param path without links
 */
export function isReplaceable(path: string, owners: readonly number[], write: number): boolean {
  for (let at = path; ; at = dirname(at)) {
    const { mode, uid } = lstatSync(at);
    if (!owners.includes(uid) || isOpen(mode, write)) return true;
    if (at === '/') return false;
  }
}
