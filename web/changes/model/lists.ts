/** Look-ups in a change list: an entry by path; what is new, viewed or flagged by entry id. Pure. */

import type { EffectsById } from '../../../shared/api/packed-marks.ts';
import type { ViewedState } from '../../../shared/api/types.ts';
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change, ChangeList, Side } from '../../../shared/model/change.ts';
import { type Risk, type RiskPlace, risksOf } from '../../../shared/model/risk.ts';
import type { Effect } from '../../../shared/model/rule.ts';

export type Delta = 'changed' | 'new' | 'gone';

const SIDE_FIELDS = ['type', 'mode', 'uid', 'gid', 'size', 'target'] as const;

function sameSide(a: Side | null, b: Side | null): boolean {
  return a === null || b === null ? a === b : SIDE_FIELDS.every((field) => a[field] === b[field]);
}

function same(a: Change, b: Change): boolean {
  return (
    a.kind === b.kind &&
    a.conflict === b.conflict &&
    a.ignored === b.ignored &&
    sameSide(a.pending, b.pending) &&
    sameSide(a.host, b.host)
  );
}

/** By change id. A rewrite that keeps the size is not detected here; the diff's etag changes. */
export function changeDelta(shown: ChangeList, newer: ChangeList): Map<string, Delta> {
  const delta = new Map<string, Delta>();
  const before = new Map(shown.changes.map((change) => [change.id, change]));
  for (const change of newer.changes) {
    const old = before.get(change.id);
    before.delete(change.id);
    if (old === undefined) delta.set(change.id, 'new');
    else if (!same(old, change)) delta.set(change.id, 'changed');
  }
  for (const id of before.keys()) delta.set(id, 'gone');
  return delta;
}

export type ByPath = (path: BytePath | null) => Change | undefined;

/** Binary search; the list is sorted by path. */
export function byPathOf(changes: readonly Change[]): ByPath {
  return (path) => {
    if (path === null) return undefined;
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((changes[middle]?.path ?? '') < path) low = middle + 1;
      else high = middle;
    }
    const found = changes[low];
    return found?.path === path ? found : undefined;
  };
}

/** `updated`: viewed, and changed since. */
export type Mark = 'viewed' | 'updated';
export const NO_MARKS: ReadonlyMap<string, Mark> = new Map();

export function marksOf(state: ViewedState | null): ReadonlyMap<string, Mark> {
  if (state === null) return NO_MARKS;
  const marks = new Map<string, Mark>();
  for (const id of state.updated) marks.set(id, 'updated');
  for (const id of state.viewed) marks.set(id, 'viewed');
  return marks;
}

/** Counts only entries that a commit takes, so no ignored ones. */
export function countViewed(
  changes: readonly Change[],
  marks: ReadonlyMap<string, Mark>,
): { viewed: number; total: number } {
  let [viewed, total] = [0, 0];
  for (const { id, ignored } of changes) {
    if (ignored !== null) continue;
    total++;
    // With no marks at all the look-ups, which cost as much as all else here, are skipped.
    if (marks.size > 0 && marks.get(id) === 'viewed') viewed++;
  }
  return { viewed, total };
}

export type Risks = ReadonlyMap<string, readonly Risk[]>;
const NO_RISKS: Risks = new Map();

/** What is known of entries beside the list, by id. */
export interface Known {
  marks: ReadonlyMap<string, Mark>;
  risks: Risks;
  effects: EffectsById;
}

export const NOTHING_KNOWN: Known = { marks: NO_MARKS, risks: NO_RISKS, effects: new Map() };

export type EffectCounts = Readonly<Record<Effect['do'], number>>;

/** Entries by what effect rules do with them: one that two kinds are about counts for both. */
export function countEffects(changes: readonly Change[], effects: EffectsById): EffectCounts {
  const counts = { flag: 0, confirm: 0, never: 0, auto: 0 };
  for (const { id } of effects.size === 0 ? [] : changes)
    for (const one of effects.get(id) ?? []) counts[one.do]++;
  return counts;
}

export function risksByEntry(
  list: ChangeList | null,
  place: RiskPlace | null,
  hidden: ReadonlySet<string>,
): Risks {
  if (list === null || place === null) return NO_RISKS;
  const at: RiskPlace = { projectRoot: place.projectRoot, home: place.home, hidden };
  const risks = new Map<string, readonly Risk[]>();
  for (const change of list.changes) {
    const found = risksOf(change, at);
    if (found.length > 0) risks.set(change.id, found);
  }
  return risks;
}
