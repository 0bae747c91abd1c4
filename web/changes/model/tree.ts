/**
 * The tree of changed entries. Directories come from the paths; a change of a directory itself is on its row.
 * An entry that is a file on one side and a directory on the other has two rows. Pure.
 *
 *     list ── findDirectories, once a list ──▶ directory of each entry
 *     filtered entries ── buildTree ──▶ TreeDir with sums ── treeRows ──▶ visible rows
 *                                                         └── stopsOf ──▶ entries that `]`, `[` and `V` go to
 */
import { type BytePath, isWithin, nameOf, parentOf } from '../../../shared/bytes.ts';
import type { Change, ChangeKind } from '../../../shared/model/change.ts';
import { isDirectoryChange, KIND_TABLE } from '../../text/kinds.ts';
import { displayBelow, displayPath } from '../../text/paths.ts';
import type { Mark } from './lists.ts';

/** A directory added or deleted as a whole starts folded when more entries than this lie below it. */
export const BULK_ENTRIES = 200;

/** `total`: at or below, ignored ones included. */
const NO_STATS = {
  added: 0,
  modified: 0,
  deleted: 0,
  replaced: 0,
  meta: 0,
  total: 0,
  bytes: 0,
  conflicts: 0,
  ignored: 0,
};
const STATS = Object.keys(NO_STATS) as (keyof TreeStats)[];

export type TreeStats = typeof NO_STATS;

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

interface Listed {
  path: BytePath;
  above: number | null;
  entries: number;
  stats: TreeStats;
  own: ChangeKind | null;
}

interface Directories {
  root: BytePath;
  /** Index of `root` in `listed`; null when nothing lies in it, or it is `/`. */
  project: number | null;
  /** Parents before children; the first is `/`. */
  listed: Listed[];
  /** Index of each entry's directory; of a directory's own change OWN plus the index of that directory. */
  at: Uint32Array;
}

const OWN = 2 ** 31;
/** Computed once a list: with 300,000 entries a key in the filter would wait for the paths alone. */
const known = new WeakMap<readonly Change[], Directories>();

/** `list` is sorted by path, `some` is part of it. `projectRoot` gets a root when something lies in it. */
export function buildTree(
  some: readonly Change[],
  projectRoot: BytePath,
  list: readonly Change[] = some,
): Tree {
  const before = known.get(list);
  const directories = before?.root === projectRoot ? before : findDirectories(list, projectRoot);
  known.set(list, directories);
  const { listed, at, project } = directories;
  const made: (TreeDir | undefined)[] = [];
  const make = (index: number): TreeDir => {
    const found = made[index];
    if (found !== undefined) return found;
    const { path = '/' as BytePath, above = null } = listed[index] ?? {};
    const stats = { ...NO_STATS };
    const dir: TreeDir = { path, dirs: [], entries: [], change: null, stats, bulk: false, folds: false };
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
  return { roots: roots.filter((dir) => dir !== undefined).filter(({ stats }) => stats.total > 0) };
}

function findDirectories(changes: readonly Change[], root: BytePath): Directories {
  const listed: Listed[] = [];
  const byPath = new Map<string, number>();
  const indexAt = (path: BytePath): number => {
    const index = byPath.get(path);
    if (index !== undefined) return index;
    const above = path === root || path === '/' ? null : indexAt(parentOf(path));
    const made = listed.push({ path, above, entries: 0, stats: { ...NO_STATS }, own: null }) - 1;
    byPath.set(path, made);
    return made;
  };
  const at = new Uint32Array(changes.length);
  let last = indexAt('/' as BytePath);
  for (const [i, change] of changes.entries()) {
    if (isDirectoryChange(change)) {
      const own = indexAt(change.path);
      at[i] = OWN + own;
      const dir = listed[own];
      if (dir !== undefined) dir.own = change.kind;
      continue;
    }
    // Most entries lie in the same directory as the one before: no need to cut out and look up its path.
    if (!isDirectlyIn(change.path, listed[last]?.path)) last = indexAt(parentOf(change.path));
    at[i] = last;
    const dir = listed[last];
    if (dir === undefined) continue;
    dir.entries++;
    addChange(dir.stats, change);
  }
  return { root, project: root === '/' ? null : (byPath.get(root) ?? null), listed, at };
}

function isDirectlyIn(path: BytePath, dir = ''): boolean {
  return path.lastIndexOf('/') === dir.length && path.startsWith(dir);
}

/** Backwards, so that children come before parents; a loop, since deep trees would overflow recursion. */
function sumUp(listed: readonly Listed[], made: readonly (TreeDir | undefined)[]): void {
  for (let i = made.length - 1; i >= 0; i--) {
    const [dir, all] = [made[i], listed[i]];
    if (dir === undefined || all === undefined) continue;
    if (dir.change !== null) addChange(dir.stats, dir.change);
    // When no entry is filtered out, the list's own sums hold.
    if (dir.entries.length === all.entries) addStats(dir.stats, all.stats);
    else for (const change of dir.entries) addChange(dir.stats, change);
    const above = all.above === null ? undefined : made[all.above];
    if (above !== undefined) addStats(above.stats, dir.stats);
  }
  markWholes(listed, made);
}

/**
 * Marks directories added or deleted as a whole, by the list and not by the filter. Small packages that are
 * many together are bulk too: an install into an existing node_modules adds hundreds of them.
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
  for (const field of STATS) into[field] += from[field];
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
  /** Index of the entry shown, else of the first one after the path shown; -1 = none. */
  at: number;
  /** The entry itself is shown, not a directory that it is the first of. */
  on: boolean;
}

/** The position in `stops` of an entry, or of a directory without a change of its own. */
export function positionOf(stops: readonly Stop[], tree: Tree, path: BytePath | null): Position {
  const at = path === null ? -1 : stops.findIndex(({ change }) => change.path === path);
  if (at >= 0 || path === null) return { at, on: at >= 0 };
  const dir = findDir(tree, path);
  const [first] = dir === null ? [] : stopsOf({ roots: [dir] }, new Map(), true);
  return { at: stops.findIndex(({ change }) => change === first?.change), on: false };
}

/** The next entry (`by` 1) or the one before. Skips viewed entries that have no row. */
export function stepFrom(
  stops: readonly Stop[],
  { at, on }: Position,
  by: 1 | -1,
  marks: ReadonlyMap<string, Mark>,
): Change | null {
  const start = at < 0 && by < 0 ? stops.length : at;
  for (let i = by > 0 && at >= 0 && !on ? start : start + by; i >= 0 && i < stops.length; i += by) {
    const stop = stops[i];
    if (stop !== undefined && (!stop.folded || marks.get(stop.change.id) !== 'viewed')) return stop.change;
  }
  return null;
}

/** The next unviewed entry; starts over at the end. `besides`: ids about to be marked. */
export function nextUnviewed(
  stops: readonly Stop[],
  { at, on }: Position,
  marks: ReadonlyMap<string, Mark>,
  besides: ReadonlySet<string>,
): Change | null {
  const from = at >= 0 && !on ? at : at + 1;
  for (let step = 0; step < stops.length; step++) {
    const change = stops[(from + step) % stops.length]?.change;
    if (change !== undefined && marks.get(change.id) !== 'viewed' && !besides.has(change.id)) return change;
  }
  return null;
}
