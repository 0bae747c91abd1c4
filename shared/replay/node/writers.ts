/** Whether some process of a session has a file open for writing. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { BytePath } from '../../bytes.ts';

/** The inode number by which fdinfo names an open file, the same for all names and mounts of one overlay's file. */
export function openInode(path: BytePath): string | null {
  let fd: number;
  try {
    fd = openSync(Buffer.from(path, 'latin1'), 'r');
  } catch {
    return null;
  }
  try {
    return inodeIn(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
  } finally {
    closeSync(fd);
  }
}

/** Of those inodes the ones that a process has open for writing. A number that is another file's only makes it one too many. */
export function openForWriting(pids: readonly number[], inodes: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  if (inodes.size === 0) return found;
  for (const pid of pids) {
    for (const fd of descriptors(pid)) {
      try {
        // Sockets, pipes and the like have no path; there are many of them.
        if (!readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('/')) continue;
        const info = readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1');
        const inode = inodeIn(info);
        if (inode !== null && inodes.has(inode) && isForWriting(info)) found.add(inode);
      } catch {
        // Closed meanwhile.
      }
    }
  }
  return found;
}

function descriptors(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

function inodeIn(info: string): string | null {
  return /^ino:\t(\d+)$/m.exec(info)?.[1] ?? null;
}

/** O_WRONLY or O_RDWR. */
function isForWriting(info: string): boolean {
  const flags = Number.parseInt(/^flags:\t(\d+)$/m.exec(info)?.[1] ?? '0', 8);
  return (flags & 3) !== 0;
}
