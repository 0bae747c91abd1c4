/** Whether a list is worth making. Apart from the scan, so that the end of a client that wrote nothing need not load it. */
import { isDeepStrictEqual } from 'node:util';
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { lstatEntry, readNames } from '../kernel/fs/entry.ts';
import { orNull, type Stat } from '../kernel/fs/port.ts';
import { areExactCopies } from '../kernel/fs/xattrs.ts';
import { excludedBelow, isExcluded, mayHoldListed } from '../sandbox/claude-files.ts';
import type { SessionContext } from '../session/session-context.ts';

interface Dir {
  path: BytePath;
  upper: BytePath;
}

/**
 * Below uppers with mode and owner of the host's is nothing but names that no list has, as the mount points of a box, and
 * copies of the directories above them: a scan finds nothing. False where that cannot be read. perl starts now, while
 * processes may still write; the answer is that of the time at which it is asked for.
 */
export function nothingPending(ctx: SessionContext): () => Promise<boolean> {
  const copies = copiesAlone(ctx);
  const areExact = copies !== null && areExactCopies(copies.map(({ path, upper }) => [path, upper]));
  return async () => isDeepStrictEqual(copiesAlone(ctx), copies) && (await areExact);
}

/** The same without perl: true also where such a directory is no exact copy. */
export const holdsDirsAlone = (ctx: SessionContext): boolean => copiesAlone(ctx) !== null;

/** Null where anything else is there. */
function copiesAlone({ coveredDirs, excluded }: SessionContext): (Dir & { changedNs: bigint })[] | null {
  const copies: (Dir & { changedNs: bigint })[] = [];
  const plainAt = (dir: Dir): Stat | null => {
    const [own, host] = [lstatEntry(dir.upper), lstatEntry(dir.path)];
    if (own?.type !== 'dir' || host?.type !== 'dir') return null;
    if (own.mode !== host.mode || own.uid !== host.uid || own.gid !== host.gid) return null;
    const isAlone = readNames(dir.upper).every((name) => {
      const below = { path: joinPath(dir.path, name), upper: joinPath(dir.upper, name) };
      if (isExcluded(below.path, excluded))
        return !mayHoldListed(below.path, excluded) || readNames(below.upper).length === 0;
      if (excludedBelow(below.path, excluded).length === 0) return false;
      const copy = plainAt(below);
      if (copy !== null) copies.push({ ...below, changedNs: copy.ctimeNs });
      return copy !== null;
    });
    return isAlone ? own : null;
  };
  return orNull(() => coveredDirs.every((covered) => plainAt(covered) !== null)) === true ? copies : null;
}
