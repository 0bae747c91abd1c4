/** Whether a list is worth making. Apart from the scan, so that the end of a client that wrote nothing need not load it. */
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { lstatEntry, readNames } from '../kernel/fs/entry.ts';
import { areExactCopies } from '../kernel/fs/xattrs.ts';
import { excludedBelow, isExcluded, mayHoldListed } from '../sandbox/claude-files.ts';
import type { SessionContext } from '../session/session-context.ts';

interface Dir {
  path: BytePath;
  upper: BytePath;
}

/**
 * Below uppers with mode and owner of the host's is nothing but names that no list has, as the mount points of a box, and
 * copies of the directories above them: a scan finds nothing. False where that cannot be read.
 */
export async function hasNothingPending({ coveredDirs, excluded }: SessionContext): Promise<boolean> {
  const copies: Dir[] = [];
  const isPlain = (dir: Dir): boolean => {
    const [own, host] = [lstatEntry(dir.upper), lstatEntry(dir.path)];
    if (own?.type !== 'dir' || host?.type !== 'dir') return false;
    if (own.mode !== host.mode || own.uid !== host.uid || own.gid !== host.gid) return false;
    return readNames(dir.upper).every((name) => {
      const below = { path: joinPath(dir.path, name), upper: joinPath(dir.upper, name) };
      if (isExcluded(below.path, excluded))
        return !mayHoldListed(below.path, excluded) || readNames(below.upper).length === 0;
      if (excludedBelow(below.path, excluded).length === 0) return false;
      copies.push(below);
      return isPlain(below);
    });
  };
  try {
    return (
      coveredDirs.every(isPlain) && (await areExactCopies(copies.map(({ path, upper }) => [path, upper])))
    );
  } catch {
    return false;
  }
}
