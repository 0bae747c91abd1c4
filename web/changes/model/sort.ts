/** In which order entries are listed. By path they are a tree, else a list. */
import type { CallView } from '../../../shared/log/calls.ts';
import type { Change } from '../../../shared/model/change.ts';
import { sizeOf } from './filter.ts';

export const SORTS = {
  path: 'By path',
  newest: 'Newest first',
  largest: 'Largest first',
} as const;
export type Sort = keyof typeof SORTS;

/** When a call was over, or began: what it wrote is not younger. */
export function callTimes(calls: readonly CallView[]): ReadonlyMap<string, number> {
  return new Map(
    calls.map(
      (call) => [call.id, Date.parse(call.endedAt ?? call.startedAt ?? call.requestedAt ?? '') || 0] as const,
    ),
  );
}

/** A sorted copy. What can't be told goes last; equals stay in the order of their paths. */
export function sortChanges(
  changes: readonly Change[],
  sort: Exclude<Sort, 'path'>,
  times: ReadonlyMap<string, number>,
): Change[] {
  if (sort === 'largest') return [...changes].sort((a, b) => sizeOf(b) - sizeOf(a));
  const at = new Map(changes.map((change) => [change, timeOf(change, times)] as const));
  return [...changes].sort((a, b) => (at.get(b) ?? 0) - (at.get(a) ?? 0));
}

/** Of several calls that may have written it the last one counts. */
function timeOf({ by = [] }: Change, times: ReadonlyMap<string, number>): number {
  return by.reduce((latest, call) => Math.max(latest, times.get(call) ?? 0), 0);
}
