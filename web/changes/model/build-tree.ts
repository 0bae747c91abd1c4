/**
 * Builds the tree of a list, or of what a filter shows of it. Which directory each entry lies in is worked out once a list:
 * with 300,000 entries a key in the filter would wait for the paths alone.
 */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import type { Change, ChangeKind } from '../../../shared/model/change.ts';
import { isDirectoryChange, KIND_TABLE } from '../../text/kinds.ts';
import { BULK_ENTRIES, type Tree, type TreeDir, type TreeStats } from './tree.ts';

/** A directory of a list, with what lies directly in it. */
interface Listed {
  path: BytePath;
  /** Index of the directory above; null of a root. */
  above: number | null;
  entries: number;
  stats: TreeStats;
  /** What happened to the directory itself. */
  own: ChangeKind | null;
}

/** Where the entries of a list lie. */
interface Directories {
  root: BytePath;
  /** Index of that; null where nothing lies in it, or it is `/`. */
  project: number | null;
  /** Each behind the one above it; the first is `/`. */
  listed: Listed[];
  /** Of each entry the index of its directory; of a directory's own change the index of that, and OWN more. */
  at: Uint32Array;
}

const OWN = 2 ** 31;
const known = new WeakMap<readonly Change[], Directories>();

/**
 * The tree of some entries of a list that is sorted by path, in its order. `projectRoot` gets a root of its own when
 * something lies in it.
 */
export function buildTree(
  some: readonly Change[],
  projectRoot: BytePath,
  list: readonly Change[] = some,
): Tree {
  const { listed, at, project } = directoriesOf(list, projectRoot);
  const made: (TreeDir | undefined)[] = [];
  const make = (index: number): TreeDir => {
    const found = made[index];
    if (found !== undefined) return found;
    const { path = '/' as BytePath, above = null } = listed[index] ?? {};
    const dir = makeDir(path);
    made[index] = dir;
    if (above !== null) make(above).dirs.push(dir);
    return dir;
  };
  let last = { index: 0, dir: make(0) };
  let i = 0;
  for (const change of some) {
    while (i < list.length && list[i] !== change) i++;
    const index = at[i++] ?? 0;
    if (index >= OWN) make(index - OWN).change = change;
    else {
      if (index !== last.index) last = { index, dir: make(index) };
      last.dir.entries.push(change);
    }
  }
  sumUp(listed, made);
  const roots = [project === null ? undefined : made[project], made[0]];
  return { roots: roots.filter((dir): dir is TreeDir => dir !== undefined && dir.stats.total > 0) };
}

function directoriesOf(changes: readonly Change[], root: BytePath): Directories {
  const before = known.get(changes);
  if (before?.root === root) return before;
  const made = findDirectories(changes, root);
  known.set(changes, made);
  return made;
}

function findDirectories(changes: readonly Change[], root: BytePath): Directories {
  const listed: Listed[] = [makeListed('/' as BytePath, null)];
  const byPath = new Map<string, number>([['/', 0]]);
  const indexAt = (path: BytePath): number => {
    const index = byPath.get(path);
    if (index !== undefined) return index;
    const above = path === root ? null : indexAt(parentOf(path));
    const made = listed.push(makeListed(path, above)) - 1;
    byPath.set(path, made);
    return made;
  };
  const at = new Uint32Array(changes.length);
  let last = 0;
  for (const [i, change] of changes.entries()) {
    if (isDirectoryChange(change)) {
      const own = indexAt(change.path);
      at[i] = OWN + own;
      const dir = listed[own];
      if (dir !== undefined) dir.own = change.kind;
      continue;
    }
    // Most lie in the directory of the one before: its name need not be cut out and looked up once more.
    if (!isDirectlyIn(change.path, listed[last]?.path)) last = indexAt(parentOf(change.path));
    at[i] = last;
    const place = listed[last];
    if (place === undefined) continue;
    place.entries++;
    addChange(place.stats, change);
  }
  return { root, project: root === '/' ? null : (byPath.get(root) ?? null), listed, at };
}

function makeListed(path: BytePath, above: number | null): Listed {
  return { path, above, entries: 0, stats: emptyStats(), own: null };
}

function makeDir(path: BytePath): TreeDir {
  return { path, dirs: [], entries: [], change: null, stats: emptyStats(), bulk: false, folds: false };
}

function emptyStats(): TreeStats {
  return {
    ...{ added: 0, modified: 0, deleted: 0, replaced: 0, meta: 0 },
    ...{ total: 0, bytes: 0, conflicts: 0, ignored: 0 },
  };
}

function isDirectlyIn(path: BytePath, dir = ''): boolean {
  return path.lastIndexOf('/') === dir.length && path.startsWith(dir);
}

/** From the last to the first, so that what lies below comes first; a loop, since deep trees would overflow recursion. */
function sumUp(listed: readonly Listed[], made: readonly (TreeDir | undefined)[]): void {
  for (let i = made.length - 1; i >= 0; i--) {
    const [dir, place] = [made[i], listed[i]];
    if (dir === undefined || place === undefined) continue;
    if (dir.change !== null) addChange(dir.stats, dir.change);
    // Where all are shown, what they come to is known.
    if (dir.entries.length === place.entries) addStats(dir.stats, place.stats);
    else for (const change of dir.entries) addChange(dir.stats, change);
    const above = place.above === null ? undefined : made[place.above];
    if (above !== undefined) addStats(above.stats, dir.stats);
  }
  markWholes(listed, made);
}

/**
 * What came or went as a whole, by the list and not by what a filter shows of it. Small packages in a directory that was
 * there before are bulk when they are much together: an install into an existing node_modules adds hundreds of them.
 */
function markWholes(listed: readonly Listed[], made: readonly (TreeDir | undefined)[]): void {
  const together = new Map<number | null, number>();
  const totalOf = (i: number): number => made[i]?.stats.total ?? 0;
  for (const [i, { own, above }] of listed.entries())
    if (own === 'added') together.set(above, (together.get(above) ?? 0) + totalOf(i));
  for (const [i, { own, above }] of listed.entries()) {
    const dir = made[i];
    if (dir === undefined) continue;
    const much = totalOf(i) > BULK_ENTRIES;
    dir.bulk = own === 'added' && (much || (together.get(above) ?? 0) > BULK_ENTRIES);
    dir.folds = dir.bulk || (own === 'deleted' && much);
  }
}

/** Bytes that committing the entry would write. */
export function writtenBytes(change: Change): number {
  return change.kind === 'deleted' || change.kind === 'meta' ? 0 : (change.pending?.size ?? 0);
}

function addChange(stats: TreeStats, change: Change): void {
  stats.total++;
  if (change.ignored !== null) {
    stats.ignored++;
    return;
  }
  stats[KIND_TABLE[change.kind].tone]++;
  stats.bytes += writtenBytes(change);
  if (change.conflict !== null) stats.conflicts++;
}

function addStats(into: TreeStats, from: TreeStats): void {
  into.added += from.added;
  into.modified += from.modified;
  into.deleted += from.deleted;
  into.replaced += from.replaced;
  into.meta += from.meta;
  into.total += from.total;
  into.bytes += from.bytes;
  into.conflicts += from.conflicts;
  into.ignored += from.ignored;
}
