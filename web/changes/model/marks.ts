/** What the user has looked at, as the tree and the counter show it. */
import type { Change } from '../../../shared/model/change.ts';
import type { ViewedState } from '../../../shared/model/viewed.ts';
import { changesBelow, type TreeDir } from './tree.ts';

export type Mark = 'viewed' | 'updated';
export const NO_MARKS: ReadonlyMap<string, Mark> = new Map();

export function marksOf(state: ViewedState | null): ReadonlyMap<string, Mark> {
  if (state === null) return NO_MARKS;
  const marks = new Map<string, Mark>();
  for (const id of state.updated) marks.set(id, 'updated');
  for (const id of state.viewed) marks.set(id, 'viewed');
  return marks;
}

/** Of the entries that a commit takes, how many were looked at. */
export function countViewed(
  changes: readonly Change[],
  marks: ReadonlyMap<string, Mark>,
): { viewed: number; total: number } {
  let [viewed, total] = [0, 0];
  for (const { id, ignored } of changes) {
    if (ignored !== null) continue;
    total++;
    // The first look-up of an id costs as much as all else here.
    if (marks.size > 0 && marks.get(id) === 'viewed') viewed++;
  }
  return { viewed, total };
}

/** Ids of a directory's own change and of all below it. */
export function idsBelow(dir: TreeDir): string[] {
  return changesBelow(dir).map(({ id }) => id);
}
