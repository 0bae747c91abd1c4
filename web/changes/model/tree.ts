/**
 * The tree of changed entries. Directories come from the paths; a change of a directory itself sits on its row. What
 * is a file on one side and a directory on the other has two rows: the entry, and the directory with what is in it.
 */
import { type BytePath, isWithin, nameOf } from '../../../shared/bytes.ts';
import type { Change, ChangeCounts } from '../../../shared/model/change.ts';
import { displayPath } from '../../text/paths.ts';

/** A directory that came or went as a whole starts folded when more entries than this lie below it. */
export const BULK_ENTRIES = 200;

export interface TreeStats extends ChangeCounts {
  /** Entries at or below, ignored ones included. */
  total: number;
  bytes: number;
  conflicts: number;
  ignored: number;
}

export interface TreeDir {
  path: BytePath;
  dirs: TreeDir[];
  entries: Change[];
  /** The change of the directory itself, if it has one. */
  change: Change | null;
  stats: TreeStats;
  /** Added as a whole, and much of it, like an installed package. */
  bulk: boolean;
  /** It starts folded: bulk, or much that was deleted as a whole. What was modified is open, however much it is. */
  folds: boolean;
}

export interface Tree {
  /** The project's directory first, then what lies outside it. */
  roots: TreeDir[];
}

export interface DirRow {
  kind: 'dir';
  key: string;
  dir: TreeDir;
  /** Folded: `src/app/views` when each level holds nothing but the next. */
  name: string;
  depth: number;
  position: number;
  size: number;
  expanded: boolean;
}

export interface EntryRow {
  kind: 'entry';
  key: string;
  change: Change;
  name: string;
  depth: number;
  position: number;
  size: number;
}

export type TreeRow = DirRow | EntryRow;

/** Follows a chain of directories that hold nothing but one directory. */
function fold(dir: TreeDir): TreeDir {
  let at = dir;
  for (;;) {
    const [only] = at.dirs;
    if (only === undefined || at.dirs.length > 1 || at.entries.length > 0 || at.change !== null || at.folds)
      return at;
    at = only;
  }
}

/** What the user opened or closed, by path; the rest follows the default. */
export type Expansion = ReadonlyMap<string, boolean>;

export function isExpanded(dir: TreeDir, expansion: Expansion, all: boolean): boolean {
  return expansion.get(dir.path) ?? (all || !dir.folds);
}

function nameBelow(path: BytePath, base: BytePath | null): string {
  if (base === null) return displayPath(path);
  return displayPath(path.slice(base === '/' ? 1 : base.length + 1) as BytePath);
}

interface Level {
  dirs: TreeDir[];
  entries: Change[];
  base: BytePath | null;
  depth: number;
}

/** The rows that are on show, in order. `all` opens every directory that the user did not close (while filtering). */
export function treeRows(tree: Tree, expansion: Expansion, all: boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const addLevel = (level: Level): void => {
    const size = level.dirs.length + level.entries.length;
    level.dirs.forEach((first, index) => {
      const dir = fold(first);
      const expanded = isExpanded(dir, expansion, all);
      const name = nameBelow(dir.path, level.base);
      const { depth } = level;
      rows.push({
        kind: 'dir',
        key: `d${dir.path}`,
        dir,
        name,
        depth,
        position: index + 1,
        size,
        expanded,
      });
      if (expanded) addLevel({ dirs: dir.dirs, entries: dir.entries, base: dir.path, depth: depth + 1 });
    });
    level.entries.forEach((change, index) => {
      const position = level.dirs.length + index + 1;
      const name = displayPath(nameOf(change.path));
      rows.push({ kind: 'entry', key: `e${change.path}`, change, name, depth: level.depth, position, size });
    });
  };
  addLevel(topLevel(tree));
  return rows;
}

/** `/` itself is no row: what lies directly below it is the top, beside the project. */
export function topLevel(tree: Tree): Level {
  const dirs: TreeDir[] = [];
  const entries: Change[] = [];
  for (const root of tree.roots) {
    if (root.path === '/' && root.change === null) {
      dirs.push(...root.dirs);
      entries.push(...root.entries);
    } else {
      dirs.push(root);
    }
  }
  return { dirs, entries, base: null, depth: 0 };
}

/** The directory of a path, when something in it is listed. */
export function findDir(tree: Tree, path: BytePath): TreeDir | null {
  const open = tree.roots.filter((root) => isWithin(path, root.path));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.path === path) return at;
    open.push(...at.dirs.filter((dir) => isWithin(path, dir.path)));
  }
  return null;
}

/** What a row stands for: its entry, or the directory's own change and all below it. */
export function changesAt(row: TreeRow): Change[] {
  return row.kind === 'entry' ? [row.change] : changesBelow(row.dir);
}

/** A directory's own change and all below it. */
export function changesBelow(dir: TreeDir): Change[] {
  const found: Change[] = [];
  const open = [dir];
  // A loop, since deep trees would overflow recursion.
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.change !== null) found.push(at.change);
    found.push(...at.entries);
    open.push(...at.dirs);
  }
  return found;
}

/** All entries below one another, in the order in which they come: for a sort that is not by path. */
export function flatRows(changes: readonly Change[], projectRoot: BytePath): TreeRow[] {
  const size = changes.length;
  return changes.map((change, index) => {
    const inside = change.path !== projectRoot && isWithin(change.path, projectRoot);
    const name = nameBelow(change.path, inside ? projectRoot : null);
    return { kind: 'entry', key: `e${change.path}`, change, name, depth: 0, position: index + 1, size };
  });
}

/** Opens the way to a path: the expansion with every directory above it open. */
export function reveal(expansion: Expansion, path: BytePath, tree: Tree): Map<string, boolean> {
  const next = new Map(expansion);
  const walk = (dir: TreeDir): void => {
    if (dir.path === path || !isWithin(path, dir.path)) return;
    if (!isExpanded(dir, next, false)) next.set(dir.path, true);
    for (const child of dir.dirs) walk(child);
  };
  for (const root of tree.roots) walk(root);
  return next;
}
