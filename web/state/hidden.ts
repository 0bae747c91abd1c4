/** Which of the pending texts get hidden characters: asked for of every list, in pieces, until all are looked at. */
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { Backend } from '../../shared/api/contract.ts';
import type { HiddenTexts } from '../../shared/api/types.ts';
import type { ChangeList } from '../../shared/model/change.ts';

export interface Hidden {
  /** Ids of the entries. Those of the list before stay until this one's are known. */
  found: ReadonlySignal<ReadonlySet<string>>;
  /**
   * `asked` = nothing is known of any list yet; `looking` = some texts were not looked at yet; `failed` = nobody can tell
   * whether there are more. The page is drawn meanwhile, with room for what comes of it.
   */
  state: ReadonlySignal<'asked' | 'looking' | 'done' | 'failed'>;
  /** Files that are still to be looked at, and those that can't be. */
  counts: ReadonlySignal<Pick<HiddenTexts, 'left' | 'unread'>>;
  stop(): void;
}

const NONE: ReadonlySet<string> = new Set();

export function createHidden(
  backend: Backend,
  session: string,
  list: ReadonlySignal<ChangeList | null>,
): Hidden {
  const found = signal(NONE);
  const state = signal<'asked' | 'looking' | 'done' | 'failed'>('asked');
  const counts = signal({ left: 0, unread: 0 });
  let abort = new AbortController();

  async function ask({ signal: now }: AbortController): Promise<void> {
    try {
      for (let left = 1; left > 0; ) {
        const texts = await backend.hiddenTexts(session, now);
        if (now.aborted) return;
        add(texts);
        left = texts.left;
      }
    } catch {
      if (!now.aborted) state.value = 'failed';
    }
  }

  function add({ hidden, left, unread }: HiddenTexts): void {
    // Half of an answer takes no flag away that the list before had.
    const all = left === 0 ? hidden : [...found.value, ...hidden];
    if (all.length !== found.value.size || all.some((id) => !found.value.has(id))) found.value = new Set(all);
    counts.value = { left, unread };
    state.value = left === 0 ? 'done' : 'looking';
  }

  const end = effect(() => {
    if (list.value === null) return;
    abort.abort();
    abort = new AbortController();
    untracked(() => void ask(abort));
  });
  return {
    ...{ found, state, counts },
    stop: () => {
      end();
      abort.abort();
    },
  };
}
