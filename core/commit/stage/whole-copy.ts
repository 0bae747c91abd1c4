/** Whether a copy has all that its original has, for copies that cp complained about without saying of which. */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { identityOf, looksAlike } from '../../kernel/fs/stat-identity.ts';

/** Names, types, modes, owners, sizes, times of files and extended attributes are equal, in all that lies below as well. */
export function isWholeCopy(port: FsPort, from: BytePath, to: BytePath): boolean {
  try {
    const pairs = pairsOf(port, from, to);
    if (pairs === null) return false;
    const texts = port.xattrsOf(pairs.flat());
    return pairs.every((_, i) => texts[2 * i] === texts[2 * i + 1]);
  } catch (error) {
    if (entryMessage(error) === null) throw error;
    return false;
  }
}

function pairsOf(port: FsPort, from: BytePath, to: BytePath): [BytePath, BytePath][] | null {
  const open: [BytePath, BytePath][] = [[from, to]];
  const pairs: [BytePath, BytePath][] = [];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [mine, theirs] = pair;
    const [original, copy] = [port.lstat(mine), port.lstat(theirs)];
    if (original === null || copy === null || !looksAlike(identityOf(original), copy)) return null;
    if (original.type === 'symlink' && port.readlink(mine) !== port.readlink(theirs)) return null;
    pairs.push(pair);
    if (original.type !== 'dir') continue;
    const names = port.readdir(mine);
    if (names.length !== port.readdir(theirs).length) return null;
    for (const name of names) open.push([joinPath(mine, name), joinPath(theirs, name)]);
  }
  return pairs;
}
