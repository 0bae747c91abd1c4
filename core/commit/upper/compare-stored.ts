/** Compares entries of an upper with their copies in the trash. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { sameContent } from '../../kernel/fs/file-content.ts';
import { identityOf, looksAlike } from '../../kernel/fs/fingerprint.ts';
import { resultAtOnce } from '../../kernel/fs/pace.ts';
import type { FsPort } from '../../kernel/fs/port.ts';

/** Whether an entry, without what is below it, is what the trash has. */
export function isStored(port: FsPort, at: BytePath, stored: BytePath): boolean {
  const [now, kept] = [port.lstat(at), port.lstat(stored)];
  if (now === null || kept === null) return false;
  if (isWhiteout(now) || isWhiteout(kept)) return isWhiteout(now) && isWhiteout(kept);
  if (!looksAlike(identityOf(kept), now)) return false;
  if (now.type === 'symlink') return port.readlink(at) === port.readlink(stored);
  return now.type !== 'file' || resultAtOnce(sameContent(at, now, stored, kept));
}

/** `isStored` with everything below. */
export function isStoredWhole(port: FsPort, at: BytePath, stored: BytePath): boolean {
  if (!isStored(port, at, stored)) return false;
  if (port.lstat(stored)?.type !== 'dir') return true;
  const names = port.readdir(stored);
  if (names.length !== port.readdir(at).length) return false;
  return names.every((name) => isStoredWhole(port, joinPath(at, name), joinPath(stored, name)));
}

/** Whether both have the same names, with entries that look alike. Contents are not read. */
export function isLikeStored(port: FsPort, at: BytePath, stored: BytePath): boolean {
  const [now, kept] = [port.lstat(at), port.lstat(stored)];
  if (now === null || kept === null || !looksAlike(identityOf(kept), now)) return false;
  if (now.type !== 'dir') return true;
  const names = port.readdir(at);
  if (names.length !== port.readdir(stored).length) return false;
  return names.every((name) => isLikeStored(port, joinPath(at, name), joinPath(stored, name)));
}
