/** Removes what trai itself made (staging directories), never anything of the user's on the host. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { at, type FsPort, type Stat } from './port.ts';

/**
 * Removes `name` in the directory `dir` with everything below it. Links are removed, never followed: each directory is
 * opened without following and worked on through its descriptor. Directories that their owner may not write are
 * made writable first. Nothing happens when it does not exist. Returns how many entries went.
 */
export function removeTree(port: FsPort, dir: number, name: BytePath): number {
  const entry = port.lstat(at(dir, name));
  return entry === null ? 0 : removeEntry(port, dir, name, entry);
}

function removeEntry(port: FsPort, dir: number, name: BytePath, entry: Stat): number {
  if (entry.type !== 'dir') {
    port.unlink(at(dir, name));
    return 1;
  }
  const fd = port.openDir(at(dir, name));
  let count = 1;
  try {
    if ((entry.mode & 0o700) !== 0o700) port.chmod(at(fd), 0o700);
    for (const child of port.readdir(at(fd))) count += removeTree(port, fd, child);
  } finally {
    port.close(fd);
  }
  port.rmdir(at(dir, name));
  return count;
}

/** `removeTree` for a path. */
export function removePath(port: FsPort, parent: BytePath, name: BytePath): number {
  const fd = port.openDir(joinPath(parent, '.'));
  try {
    return removeTree(port, fd, name);
  } finally {
    port.close(fd);
  }
}
