/** Viewed marks: shown at once, kept by the server, the same in every tab. */
import { computed, signal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import { MAX_VIEWED_ENTRIES } from '../../shared/limits.ts';
import { type Mark, marksOf } from '../changes/model/lists.ts';
import { createResource } from './resource.ts';

export function createViewed(backend: Backend, session: string) {
  const saved = createResource((abort) => backend.viewed(session, abort));
  const problem = signal<string | null>(null);
  const pending = signal<ReadonlyMap<string, boolean>>(new Map());
  const marks = computed<ReadonlyMap<string, Mark>>(() => {
    const known = marksOf(saved.data.value);
    if (pending.value.size === 0) return known;
    const shown = new Map(known);
    for (const [id, viewed] of pending.value) {
      if (viewed) shown.set(id, 'viewed');
      else shown.delete(id);
    }
    return shown;
  });

  /** `seen` pins what was seen: the etag of the single diff shown, else the revision. False when refused. */
  async function mark(
    ids: readonly string[],
    viewed: boolean,
    seen: { etag: string | null; revision: string },
  ): Promise<boolean> {
    pending.value = new Map([...pending.value, ...ids.map((id) => [id, viewed] as const)]);
    try {
      for (let from = 0; from < ids.length; from += MAX_VIEWED_ENTRIES) {
        const entries = ids.slice(from, from + MAX_VIEWED_ENTRIES);
        saved.data.value = await backend.markViewed(session, { entries, viewed, ...seen });
      }
      problem.value = null;
      return true;
    } catch (thrown) {
      problem.value = `Not marked: ${ApiError.from(thrown).message}`;
      return false;
    } finally {
      const still = new Map(pending.value);
      for (const id of ids) still.delete(id);
      pending.value = still;
    }
  }

  return {
    saved,
    marks,
    /** The entry whose diff is shown, and that diff's etag. */
    shown: signal<{ id: string; etag: string } | null>(null),
    problem,
    mark,
  };
}
