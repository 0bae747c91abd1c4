/** What is different between the list on show and a newer one. */
import type { Change, ChangeList, Side } from '../../../shared/model/change.ts';

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
