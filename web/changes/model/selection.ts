/** Entries selected for a commit or discard. A selection holds ids; a request names paths, with all below. */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { type Tree, type TreeDir, writtenBytes } from './tree.ts';

export type Selection = ReadonlySet<string>;
export const NOTHING: Selection = new Set();

export type Chosen = 'none' | 'some' | 'all';

/**
 * Selects or deselects entries. A selected directory means all below it, so deselecting an entry also
 * deselects new directories above; the selection closure adds these back where they are needed.
 */
export function choose(
  selection: Selection,
  changes: readonly Change[],
  touched: readonly Change[],
  on: boolean,
): Selection {
  const next = new Set(selection);
  if (on) {
    for (const { id } of touched) next.add(id);
    const tops = new Set<string>(touched.map(({ path }) => path));
    for (const { id, path } of changes) if (!next.has(id) && isBelow(path, tops)) next.add(id);
    return next;
  }
  const gone = new Set(touched.map(({ path }) => path));
  for (const { id } of touched) next.delete(id);
  const above = new Set<string>();
  for (const path of gone) for (let at = parentOf(path); !above.has(at); at = parentOf(at)) above.add(at);
  for (const { id, path } of changes) if (above.has(path)) next.delete(id);
  return next;
}

function isBelow(path: BytePath, tops: ReadonlySet<string>): boolean {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) if (tops.has(at)) return true;
  return tops.has('/');
}

export interface Sum {
  count: number;
  bytes: number;
  ignored: number;
}

export function sumOf(changes: readonly Change[], selection: Selection): Sum {
  const sum = { count: 0, bytes: 0, ignored: 0 };
  if (selection.size === 0) return sum;
  for (const change of changes) {
    if (!selection.has(change.id)) continue;
    sum.count++;
    if (change.ignored !== null) sum.ignored++;
    sum.bytes += writtenBytes(change);
  }
  return sum;
}

/** Selected entries at or below each directory. Sums up the tree, since handling paths costs more. */
export function chosenBelow(tree: Tree, selection: Selection): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (selection.size === 0) return counts;
  const order: TreeDir[] = [];
  const open = [...tree.roots];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    order.push(at);
    open.push(...at.dirs);
  }
  for (const dir of order.reverse()) {
    let count = dir.change !== null && selection.has(dir.change.id) ? 1 : 0;
    for (const { id } of dir.entries) if (selection.has(id)) count++;
    for (const { path } of dir.dirs) count += counts.get(path) ?? 0;
    counts.set(dir.path, count);
  }
  return counts;
}

function countUp(counts: Map<string, number>, path: BytePath): void {
  for (let at = path; ; at = parentOf(at)) {
    counts.set(at, (counts.get(at) ?? 0) + 1);
    if (at === '/') return;
  }
}

export function chosenOf(chosen: number, total: number): Chosen {
  if (chosen === 0) return 'none';
  return chosen >= total ? 'all' : 'some';
}

/** A directory stands for all below it when all of that, ignored entries included, is selected. */
export function pathsOf(changes: readonly Change[], selection: Selection): BytePath[] {
  const all = new Map<string, number>();
  const chosen = new Map<string, number>();
  for (const { id, path } of changes) {
    countUp(all, path);
    if (selection.has(id)) countUp(chosen, path);
  }
  const isWhole = (path: string): boolean => chosen.get(path) === all.get(path);
  const paths = new Set<BytePath>();
  for (const { id, path } of changes) {
    // Not all below is selected, so it cannot be named; the selection closure adds it where needed.
    if (!selection.has(id) || !isWhole(path)) continue;
    let top = path;
    // Not above the lowest directory that holds the same: all of a project must not become `/home`.
    for (let at = parentOf(path); at !== '/' && isWhole(at); at = parentOf(at))
      if (all.get(at) !== all.get(top)) top = at;
    paths.add(top);
  }
  return [...paths];
}
