/** Lines added and removed of the entries that are in sight: asked for when a row is drawn, kept until the list is another. */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Backend } from '../../shared/api/contract.ts';
import { MAX_COUNTED } from '../../shared/limits.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';

type Counts = ReadonlyMap<string, readonly [added: number, removed: number] | null>;

export interface LineCounts {
  counts: ReadonlySignal<Counts>;
  /** These rows are on show. */
  want(changes: readonly Change[]): void;
}

/** Rows that pass by while somebody scrolls are not asked for (ms). */
const PAUSE_MS = 150;

export function createLineCounts(
  backend: Backend,
  session: string,
  list: ReadonlySignal<ChangeList | null>,
): LineCounts {
  const counts = signal<Counts>(new Map());
  /** Asked for, of the list on show. */
  let asked = new Set<string>();
  let wanted: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  effect(() => {
    // What is shown stays until it is known anew; all of it may be another by now.
    if (list.value !== null) asked = new Set();
  });

  async function ask(): Promise<void> {
    const entries = wanted.filter((id) => !asked.has(id)).slice(0, MAX_COUNTED);
    if (entries.length === 0) return;
    const from = asked;
    for (const id of entries) asked.add(id);
    try {
      const found = await backend.lineCounts(session, { entries });
      counts.value = new Map([...counts.peek(), ...entries.map((id) => [id, found[id] ?? null] as const)]);
    } catch {
      // A number that is missing is no harm; the next row that comes into sight asks again.
      for (const id of entries) from.delete(id);
    }
  }

  return {
    counts,
    want: (changes) => {
      wanted = changes.filter(isCounted).map(({ id }) => id);
      if (!wanted.some((id) => !asked.has(id))) return;
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), PAUSE_MS);
    },
  };
}

function isCounted({ kind, pending, host }: Change): boolean {
  return kind !== 'meta' && (pending?.type === 'file' || host?.type === 'file');
}
