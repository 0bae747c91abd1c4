/** Where `]`, `[` and `V` stop: every entry in the order of the list, also what a folded directory holds. Pure. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Mark } from './marks.ts';
import { type Expansion, findDir, isExpanded, type Tree, type TreeDir, topLevel } from './tree.ts';

export interface Stop {
  change: Change;
  /** It has no row: a directory above it is folded. */
  folded: boolean;
}

/** All entries of a tree, in the order of its rows when every directory is open. `all` as for `treeRows`. */
export function stopsOf(tree: Tree, expansion: Expansion, all: boolean): Stop[] {
  const stops: Stop[] = [];
  const addDir = (dir: TreeDir, folded: boolean): void => {
    if (dir.change !== null) stops.push({ change: dir.change, folded });
    addLevel(dir, folded || !isExpanded(dir, expansion, all));
  };
  const addLevel = ({ dirs, entries }: Pick<TreeDir, 'dirs' | 'entries'>, folded: boolean): void => {
    for (const dir of dirs) addDir(dir, folded);
    for (const change of entries) stops.push({ change, folded });
  };
  addLevel(topLevel(tree), false);
  return stops;
}

/** The same for a list that is no tree. */
export function flatStops(changes: readonly Change[]): Stop[] {
  return changes.map((change) => ({ change, folded: false }));
}

interface Position {
  /** Index of the entry on show, or of the one that the place on show comes right before; -1 where there is none. */
  at: number;
  /** The entry itself is on show, and not a directory that it is the first of. */
  on: boolean;
}

/** Where in `stops` a path is: an entry, or a directory that has no change of its own. */
export function positionOf(stops: readonly Stop[], tree: Tree, path: BytePath | null): Position {
  const at = path === null ? -1 : stops.findIndex(({ change }) => change.path === path);
  if (at >= 0 || path === null) return { at, on: at >= 0 };
  const dir = findDir(tree, path);
  const [first] = dir === null ? [] : stopsOf({ roots: [dir] }, new Map(), true);
  return {
    at: first === undefined ? -1 : stops.findIndex(({ change }) => change === first.change),
    on: false,
  };
}

/** The next entry (`by` 1) or the one before. A viewed one that has no row is passed over; an unviewed one never is. */
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

/** The next entry that is not viewed, and round; `besides` are about to be. */
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
