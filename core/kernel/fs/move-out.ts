/** Renaming entries of the host to where they are kept as before-images. */
import { type BytePath, nameOf, parentOf } from '../../../shared/bytes.ts';
import type { Dirs } from './dir-handles.ts';
import { NotApplied } from './entry-errors.ts';
import { at, type FsPort } from './port.ts';

/** chmod of an entry that is no link, without following one that came in its place. */
export function chmodEntry(port: FsPort, path: BytePath, mode: number): void {
  const fd = port.openEntry(path);
  try {
    port.chmod(at(fd), mode);
  } finally {
    port.close(fd);
  }
}

/** Renames an entry. Renaming a directory writes its `..`: its owner needs the write bit for that; the rest for later. */
export function moveOut(port: FsPort, dirs: Dirs, path: BytePath, image: BytePath): void {
  // Loosened by the walk, which writes it down: who dies in between leaves no directory of another mode.
  if (dirs.lstat(path)?.type === 'dir') dirs.openToWrite(path);
  port.rename(at(dirs.openToWrite(parentOf(path)), nameOf(path)), image);
}

/**
 * A directory that is deleted is kept empty, for what Node can't read of it (ACLs, xattrs). rename(2) does not look
 * into it as rmdir(2) does: where something came in at the last moment, it goes back.
 */
export function moveOutEmpty(port: FsPort, dirs: Dirs, path: BytePath, image: BytePath): void {
  const now = dirs.lstat(path);
  const mode = now === null ? 0o700 : dirs.asFound(now).mode;
  const found = port.readdir(at(dirs.openToList(path)));
  if (found.length === 0) moveOut(port, dirs, path, image);
  if (found.length === 0 && port.readdir(image).length === 0) return;
  if (found.length === 0) {
    const target = at(dirs.openToWrite(parentOf(path)), nameOf(path));
    port.rename(image, target);
    chmodEntry(port, target, mode);
  }
  throw new NotApplied('the host has entries in it that were not in the reviewed list (ENOTEMPTY)');
}
