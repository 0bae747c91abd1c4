/** Compares entries of an upper with their copies in the trash. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { sameContent } from '../../kernel/fs/file-content.ts';
import { identityOf, looksAlike } from '../../kernel/fs/fingerprint.ts';
import { resultAtOnce } from '../../kernel/fs/pace.ts';
import { type FsPort, orIfRefused, type Stat } from '../../kernel/fs/port.ts';

/** Whether an entry, without what is below it, is what the trash has. False where it can't be read. */
export function isStored(port: FsPort, at: BytePath, stored: BytePath): boolean {
  return orIfRefused(() => {
    const pair = pairOf(port, at, stored);
    return pair !== null && isSame(pair);
  }, false);
}

/** `isStored` with everything below. */
export function isStoredWhole(port: FsPort, at: BytePath, stored: BytePath): boolean {
  return orIfRefused(() => eachIs(isSame, port, at, stored), false);
}

/** Whether both have the same names, with entries that look alike. Contents are not read. Throws where names can't be. */
export function isLikeStored(port: FsPort, at: BytePath, stored: BytePath): boolean {
  return eachIs(isLike, port, at, stored);
}

interface Pair {
  port: FsPort;
  at: BytePath;
  now: Stat;
  stored: BytePath;
  kept: Stat;
}

function pairOf(port: FsPort, at: BytePath, stored: BytePath): Pair | null {
  const [now, kept] = [port.lstat(at), port.lstat(stored)];
  return now === null || kept === null ? null : { port, at, now, stored, kept };
}

function eachIs(is: (pair: Pair) => boolean, port: FsPort, at: BytePath, stored: BytePath): boolean {
  const pair = pairOf(port, at, stored);
  if (pair === null || !is(pair)) return false;
  if (pair.kept.type !== 'dir') return true;
  const names = port.readdir(stored);
  if (names.length !== port.readdir(at).length) return false;
  return names.every((name) => eachIs(is, port, joinPath(at, name), joinPath(stored, name)));
}

const isLike = ({ now, kept }: Pair): boolean => looksAlike(identityOf(kept), now);

function isSame(pair: Pair): boolean {
  const { port, at, now, stored, kept } = pair;
  if (isWhiteout(now) || isWhiteout(kept)) return isWhiteout(now) && isWhiteout(kept);
  if (!isLike(pair)) return false;
  if (now.type === 'symlink') return port.readlink(at) === port.readlink(stored);
  return now.type !== 'file' || resultAtOnce(sameContent(at, now, stored, kept));
}
