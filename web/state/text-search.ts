/** The search in pending text: pages that come one after the other, until all is searched or enough was found. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import type { SearchHit } from '../../shared/api/types.ts';

export interface TextSearch {
  /** The search takes the place of the tree. */
  open: Signal<boolean>;
  text: Signal<string>;
  matchCase: Signal<boolean>;
  hits: ReadonlySignal<readonly SearchHit[]>;
  /** Further lines of an entry that are not among the hits. */
  more: ReadonlySignal<Readonly<Record<string, number>>>;
  searched: ReadonlySignal<number>;
  skipped: ReadonlySignal<number>;
  /** `enough`: there may be more behind what was found. */
  state: ReadonlySignal<'idle' | 'running' | 'done' | 'enough'>;
  error: ReadonlySignal<ApiError | null>;
  /** Begins anew with what is typed now. */
  run(includeIgnored: boolean): Promise<void>;
  stop(): void;
}

/** More lines would make the page slow, and nobody reads them: the text wants to be longer. */
const ENOUGH = 1_000;

export function createTextSearch(backend: Backend, session: string): TextSearch {
  const text = signal('');
  const matchCase = signal(false);
  const hits = signal<readonly SearchHit[]>([]);
  const more = signal<Readonly<Record<string, number>>>({});
  const searched = signal(0);
  const skipped = signal(0);
  const state = signal<'idle' | 'running' | 'done' | 'enough'>('idle');
  const error = signal<ApiError | null>(null);
  let current: AbortController | null = null;

  function stop(): void {
    current?.abort();
    current = null;
    if (state.peek() === 'running') state.value = 'idle';
  }

  function reset(): void {
    hits.value = [];
    more.value = {};
    searched.value = 0;
    skipped.value = 0;
    error.value = null;
    state.value = 'idle';
  }

  async function run(includeIgnored: boolean): Promise<void> {
    stop();
    reset();
    if (text.peek().trim() === '') return;
    const mine = new AbortController();
    current = mine;
    state.value = 'running';
    try {
      await pages(mine, includeIgnored);
    } catch (thrown) {
      if (current !== mine) return;
      error.value = ApiError.from(thrown);
      state.value = 'idle';
    }
  }

  async function pages(mine: AbortController, includeIgnored: boolean): Promise<void> {
    const asked = { text: text.peek(), matchCase: matchCase.peek(), includeIgnored };
    for (let after: string | null = null; ; ) {
      const page = await backend.search(session, { ...asked, after }, mine.signal);
      if (current !== mine) return;
      hits.value = [...hits.peek(), ...page.hits];
      more.value = { ...more.peek(), ...page.more };
      searched.value += page.searched;
      skipped.value += page.skipped;
      after = page.next;
      if (after !== null && hits.peek().length < ENOUGH) continue;
      state.value = after === null ? 'done' : 'enough';
      return;
    }
  }

  return {
    ...{ open: signal(false), text, matchCase, hits, more, searched, skipped, state, error },
    run,
    stop,
  };
}
