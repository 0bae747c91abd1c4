/** Viewed marks, kept in the page. */
import type { Input } from '../../shared/api/contract.ts';
import type { ViewedState } from '../../shared/api/types.ts';
import type { FakeEntry, FakeSession } from './make.ts';

/** An entry is unchanged while its sizes and its diff are. */
function key({ change, diff }: FakeEntry): string {
  return JSON.stringify([
    change.kind,
    change.pending,
    change.host,
    diff({ load: false, whole: false, spaces: 'exact' }).etag,
  ]);
}

export class FakeMarks {
  readonly #keys = new Map<string, string>();

  set(session: FakeSession, { entries, viewed }: Input<'markViewed'>): void {
    for (const id of entries) {
      const entry = session.entries.get(id);
      if (viewed && entry !== undefined) this.#keys.set(id, key(entry));
      else this.#keys.delete(id);
    }
  }

  state(session: FakeSession): ViewedState {
    const state: ViewedState = { viewed: [], updated: [] };
    for (const [id, seen] of this.#keys) {
      const entry = session.entries.get(id);
      if (entry !== undefined) state[key(entry) === seen ? 'viewed' : 'updated'].push(id);
    }
    return state;
  }
}
