/** What is looked up in a list of changes: its difference from a newer one, an entry by its path, flags by entry. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change, ChangeList, Side } from '../../../shared/model/change.ts';
import { type Risk, type RiskPlace, risksOf } from '../../../shared/model/risk.ts';

export type Delta = 'changed' | 'new' | 'gone';

function sameSide(a: Side | null, b: Side | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.type === b.type &&
    a.mode === b.mode &&
    a.uid === b.uid &&
    a.gid === b.gid &&
    a.size === b.size &&
    a.target === b.target
  );
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

/** By change id. A rewrite that keeps the size is not seen here; the diff's etag tells it. */
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

export interface ByPath {
  get(path: BytePath): Change | undefined;
  has(path: BytePath): boolean;
}

/** Of a list that is sorted by path, as every list is. */
export function byPathOf(changes: readonly Change[]): ByPath {
  const get = (path: BytePath): Change | undefined => {
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((changes[middle]?.path ?? '') < path) low = middle + 1;
      else high = middle;
    }
    const found = changes[low];
    return found?.path === path ? found : undefined;
  };
  return { get, has: (path) => get(path) !== undefined };
}

export type Risks = ReadonlyMap<string, readonly Risk[]>;
export const NO_RISKS: Risks = new Map();

/** Entries without a flag are left out. */
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
