/**
 * What a commit has brought to the host by one rename (moves.ts) goes back by one in an undo: to where a copy of it would wait
 * (`back/`), and from there into the upper as that would. Only where it is certain that nothing of it was touched since, and
 * that nobody goes on writing to it there:
 *
 * - every entry has the identity that it came with, change times included, and no name came or went (undo-look.ts); so
 *   content, modes, attributes and labels are those that the commit has proven;
 * - nothing is pending in its place, the session is quiet, host directory and `back/` are on one mount, and nothing is
 *   mounted in it;
 * - no name outside leads to one of its files;
 * - no process that we can look into has a file of it open for writing, or works in it.
 *
 * All of it is looked at once more when it is renamed (take-tree.ts). What can't be proven is copied.
 */
import { readFileSync } from 'node:fs';
import { isWithin, parentOf } from '../../../shared/bytes.ts';
import type { FsPort, Stat } from '../../kernel/fs/port.ts';
import { mountOf } from '../../kernel/mounts/mount-of.ts';
import { parseMountinfo } from '../../kernel/mounts/mountinfo.ts';
import { type InodeTree, treesInUse } from '../../kernel/proc/open-files.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { commitsDir } from '../journal/journal.ts';
import { hasAllNames, mayMove, orFalse } from '../stage/moves.ts';
import type { BackPlan } from '../upper/back.ts';
import type { Tree, UndoLook } from './undo-look.ts';

/** Those of the look that go by a rename. The session is quiet and its lock held. */
export async function findTrees(
  port: FsPort,
  ctx: SessionContext,
  back: BackPlan,
  { trees }: UndoLook,
): Promise<Tree[]> {
  if (trees.length === 0 || !mayMove(port, ctx)) return [];
  const own = mountOf(port, commitsDir(ctx));
  const points = parseMountinfo(readFileSync('/proc/self/mountinfo', 'latin1')).map(({ point }) => point);
  const found = new Map<InodeTree, Tree>();
  for (const tree of trees) {
    const { path } = tree.unit;
    const isFree = () =>
      isOurs(ctx, tree.now) &&
      hasAllNames(tree.stats) &&
      mountOf(port, parentOf(path)) === own &&
      !points.some((point) => isWithin(point, path));
    if (orFalse(isFree) && (await back.isWhole(path))) found.set(inodesOf(tree), tree);
  }
  for (const used of treesInUse([...found.keys()])) found.delete(used);
  return [...found.values()];
}

/** Renaming a directory writes its `..`, which takes the write bit, and the owner. */
function isOurs({ root, uid }: SessionContext, { mode, uid: owner }: Stat): boolean {
  return root || (owner === uid && (mode & 0o200) !== 0);
}

function inodesOf({ unit, stats }: Tree): InodeTree {
  const [files, dirs] = [new Set<bigint>(), new Set<bigint>()];
  for (const { type, ino } of stats.values()) {
    if (type === 'dir') dirs.add(ino);
    else if (type === 'file') files.add(ino);
  }
  // Directories of the host are named without links.
  return { real: unit.path, files, dirs };
}
