/**
 * The tree of changed entries. Directories come from the paths; a change of a directory itself is on its row.
 * An entry that is a file on one side and a directory on the other has two rows. Pure.
 *
 *     filtered entries ── buildTree ──▶ TreeDir with sums ── treeRows ──▶ visible rows
 *                                                         └── stopsOf ──▶ entries that `]`, `[` and `V` go to
 */
import { type BytePath, isWithin, nameOf, parentOf } from '../../../shared/bytes.ts';
import type { Change, ChangeCounts, ChangeKind } from '../../../shared/model/change.ts';
import { isDirectoryChange, KIND_TABLE } from '../../text/kinds.ts';
import { displayBelow, displayPath } from '../../text/paths.ts';
import { type ByPath, byPathOf, type Mark } from './lists.ts';

/** A directory added or deleted as a whole starts folded when more entries than this lie below it. */
export const BULK_ENTRIES = 200;

const NO_STATS = {
  ...{ added: 0, modified: 0, deleted: 0, replaced: 0, meta: 0 },
  ...{ total: 0, bytes: 0, conflicts: 0, ignored: 0 },
};
const STATS = Object.keys(NO_STATS) as (keyof TreeStats)[];

export interface TreeStats extends ChangeCounts {
  /** At or below, ignored ones included. */
  total: number;
  bytes: number;
  conflicts: number;
  ignored: number;
}

export interface TreeDir {
  path: BytePath;
  dirs: TreeDir[];
  entries: Change[];
  change: Change | null;
  stats: TreeStats;
  /** Added as a whole with many entries, like an installed package. */
  bulk: boolean;
  /** Starts folded: bulk, or deleted as a whole with many entries. Modified entries are never folded. */
  folds: boolean;
}

export interface Tree {
  /** The project's directory first, then what lies outside it. */
  roots: TreeDir[];
}

/** `list` is sorted by path, `some` is part of it. `projectRoot` gets a root when something lies in it. */
export function buildTree(
  some: readonly Change[],
  projectRoot: BytePath,
  list: readonly Change[] = some,
): Tree {
  /** Parents before children. */
  const made = new Map<BytePath, TreeDir>();
  const make = (path: BytePath): TreeDir => {
    const found = made.get(path);
    if (found !== undefined) return found;
    const above = path === projectRoot || path === '/' ? null : make(parentOf(path));
    const stats = { ...NO_STATS };
    const dir: TreeDir = { path, dirs: [], entries: [], change: null, stats, bulk: false, folds: false };
    above?.dirs.push(dir);
    made.set(path, dir);
    return dir;
  };
  const top = make('/' as BytePath);
  let last = top;
  for (const change of some) {
    if (isDirectoryChange(change)) make(change.path).change = change;
    else {
      // Most entries lie in the same directory as the one before: no need to cut out and look up its path.
      if (!isDirectlyIn(change.path, last.path)) last = make(parentOf(change.path));
      last.entries.push(change);
    }
  }
  // A loop, since deep trees would overflow recursion.
  for (const { stats, change, entries, dirs } of [...made.values()].reverse()) {
    if (change !== null) addChange(stats, change);
    for (const entry of entries) addChange(stats, entry);
    for (const below of dirs) for (const field of STATS) stats[field] += below.stats[field];
  }
  const roots = [...new Set([made.get(projectRoot) ?? top, top])].filter(({ stats }) => stats.total > 0);
  const byPath = byPathOf(list);
  markWholes(roots, byPath);
  for (const { dirs } of made.values()) markWholes(dirs, byPath);
  return { roots };
}

function isDirectlyIn(path: BytePath, dir: BytePath): boolean {
  return path.lastIndexOf('/') === dir.length && path.startsWith(dir);
}

/**
 * Marks directories added or deleted as a whole, by the list and not by the filter. Small packages that are
 * many together are bulk too: an install into an existing node_modules adds hundreds of them.
 */
function markWholes(siblings: readonly TreeDir[], list: ByPath): void {
  const totalOf = (dirs: readonly TreeDir[]): number => dirs.reduce((sum, { stats }) => sum + stats.total, 0);
  if (totalOf(siblings) <= BULK_ENTRIES) return;
  const ofKind = (kind: ChangeKind): TreeDir[] =>
    siblings.filter(({ path }) => {
      const own = list(path);
      return own !== undefined && own.kind === kind && isDirectoryChange(own);
    });
  const added = ofKind('added');
  const isBulk = totalOf(added) > BULK_ENTRIES;
  for (const dir of added) dir.folds = dir.bulk = isBulk;
  for (const dir of ofKind('deleted')) dir.folds = dir.stats.total > BULK_ENTRIES;
}

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

/** Null when nothing in the directory is listed. */
export function findDir(tree: Tree, path: BytePath): TreeDir | null {
  const open = tree.roots.filter((root) => isWithin(path, root.path));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.path === path) return at;
    open.push(...at.dirs.filter((dir) => isWithin(path, dir.path)));
  }
  return null;
}

export function changesBelow(dir: TreeDir): Change[] {
  const found: Change[] = [];
  const open = [dir];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.change !== null) found.push(at.change);
    found.push(...at.entries);
    open.push(...at.dirs);
  }
  return found;
}

interface Placed {
  key: string;
  /** Of a chain of directories with nothing else in them: `src/app/views`. */
  name: string;
  depth: number;
  /** Index among its siblings, from 1, and their number. */
  position: number;
  size: number;
}

export interface DirRow extends Placed {
  kind: 'dir';
  dir: TreeDir;
  expanded: boolean;
}

export interface EntryRow extends Placed {
  kind: 'entry';
  change: Change;
}

export type TreeRow = DirRow | EntryRow;

export function changesAt(row: TreeRow): Change[] {
  return row.kind === 'entry' ? [row.change] : changesBelow(row.dir);
}

/** By path; the rest follows the default. */
export type Expansion = ReadonlyMap<string, boolean>;

function isExpanded(dir: TreeDir, expansion: Expansion, all: boolean): boolean {
  return expansion.get(dir.path) ?? (all || !dir.folds);
}

type Level = Pick<TreeDir, 'dirs' | 'entries'>;

/** `/` without a change of its own is no row: its children are on the top level. */
function topLevel({ roots }: Tree): Level {
  const isTop = (root: TreeDir): boolean => root.path === '/' && root.change === null;
  return {
    dirs: roots.flatMap((root) => (isTop(root) ? root.dirs : [root])),
    entries: roots.flatMap((root) => (isTop(root) ? root.entries : [])),
  };
}

/** `all` opens every directory that the user did not fold (while filtering). */
export function treeRows(tree: Tree, expansion: Expansion, all: boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const addLevel = ({ dirs, entries }: Level, base: BytePath | undefined, depth: number): void => {
    const size = dirs.length + entries.length;
    for (const [index, first] of dirs.entries()) {
      const dir = endOfChain(first);
      const expanded = isExpanded(dir, expansion, all);
      const name = base === undefined ? displayPath(dir.path) : nameBelow(dir.path, base);
      rows.push({ kind: 'dir', key: `d${dir.path}`, dir, name, depth, position: index + 1, size, expanded });
      if (expanded) addLevel(dir, dir.path, depth + 1);
    }
    for (const [index, change] of entries.entries()) {
      const position = dirs.length + index + 1;
      const name = displayPath(nameOf(change.path));
      rows.push({ kind: 'entry', key: `e${change.path}`, change, name, depth, position, size });
    }
  };
  addLevel(topLevel(tree), undefined, 0);
  return rows;
}

function endOfChain(dir: TreeDir): TreeDir {
  let at = dir;
  for (;;) {
    const [only] = at.dirs;
    if (only === undefined || at.dirs.length > 1 || at.entries.length > 0 || at.change !== null || at.folds)
      return at;
    at = only;
  }
}

function nameBelow(path: BytePath, base: BytePath): string {
  return displayPath(path.slice(base === '/' ? 1 : base.length + 1) as BytePath);
}

export function flatRows(changes: readonly Change[], projectRoot: BytePath): TreeRow[] {
  const size = changes.length;
  return changes.map((change, index) => {
    const name = displayBelow(change.path, projectRoot);
    return { kind: 'entry', key: `e${change.path}`, change, name, depth: 0, position: index + 1, size };
  });
}

export function reveal(expansion: Expansion, path: BytePath, tree: Tree): Map<string, boolean> {
  const next = new Map(expansion);
  const open = (dirs: readonly TreeDir[]): void => {
    for (const dir of dirs) {
      if (dir.path === path || !isWithin(path, dir.path)) continue;
      if (!isExpanded(dir, next, false)) next.set(dir.path, true);
      open(dir.dirs);
    }
  };
  open(tree.roots);
  return next;
}

/** Where `]`, `[` and `V` stop: every entry in list order, those in folded directories included. */
export interface Stop {
  change: Change;
  folded: boolean;
}

/** As with every directory open. `all` as for `treeRows`. */
export function stopsOf(tree: Tree, expansion: Expansion, all: boolean): Stop[] {
  const stops: Stop[] = [];
  const addLevel = ({ dirs, entries }: Level, folded: boolean): void => {
    for (const dir of dirs) {
      if (dir.change !== null) stops.push({ change: dir.change, folded });
      addLevel(dir, folded || !isExpanded(dir, expansion, all));
    }
    for (const change of entries) stops.push({ change, folded });
  };
  addLevel(topLevel(tree), false);
  return stops;
}

interface Position {
  /** Stops before this index lie before what is shown. */
  before: number;
  /** Index of the next stop. */
  after: number;
}

/** The position in `stops` of an entry, or of a directory without a change of its own: its first entry is next. */
export function positionOf(stops: readonly Stop[], tree: Tree, path: BytePath | null): Position {
  const at = stops.findIndex(({ change }) => change.path === path);
  if (at >= 0) return { before: at, after: at + 1 };
  const dir = path === null ? null : findDir(tree, path);
  const [first] = dir === null ? [] : stopsOf({ roots: [dir] }, new Map(), true);
  const inside = stops.findIndex(({ change }) => change === first?.change);
  return inside < 0 ? { before: stops.length, after: 0 } : { before: inside, after: inside };
}

/** The next entry (`by` 1) or the one before. Skips viewed entries that have no row. */
export function stepFrom(
  stops: readonly Stop[],
  { before, after }: Position,
  by: 1 | -1,
  marks: ReadonlyMap<string, Mark>,
): Change | null {
  const wanted = ({ change, folded }: Stop): boolean => !folded || marks.get(change.id) !== 'viewed';
  const found = by > 0 ? stops.slice(after).find(wanted) : stops.slice(0, before).findLast(wanted);
  return found?.change ?? null;
}

/** The next unviewed entry; starts over at the end. `besides`: ids about to be marked. */
export function nextUnviewed(
  stops: readonly Stop[],
  { after }: Position,
  marks: ReadonlyMap<string, Mark>,
  besides: ReadonlySet<string>,
): Change | null {
  const wanted = ({ change: { id } }: Stop): boolean => marks.get(id) !== 'viewed' && !besides.has(id);
  return (stops.slice(after).find(wanted) ?? stops.find(wanted))?.change ?? null;
}
