/** Facts about pending entries beside their list: line counts of visible rows, hidden characters, effect rules, a search. */
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { Backend } from '../../shared/api/contract.ts';
import { type EffectsById, unpackMarks } from '../../shared/api/packed-marks.ts';
import type { HiddenTexts, SearchPage } from '../../shared/api/types.ts';
import { MAX_COUNTED } from '../../shared/limits.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import { countEffects } from '../changes/model/lists.ts';
import { createResource } from './resource.ts';

type List = ReadonlySignal<ChangeList | null>;

/** Rows that only scroll by are not asked for (ms). */
const PAUSE_MS = 150;

/** Added and removed lines: asked for when a row is drawn, kept until the list changes. */
export function createLineCounts(backend: Backend, session: string, list: List) {
  const counts = signal<ReadonlyMap<string, readonly [added: number, removed: number] | null>>(new Map());
  let asked = new Set<string>();
  let wanted: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  effect(() => {
    // Shown numbers stay until new ones arrive; each may have changed.
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
      // A missing number does no harm; the next visible row asks again.
      for (const id of entries) from.delete(id);
    }
  }

  function want(changes: readonly Change[]): void {
    wanted = changes.filter(isCounted).map(({ id }) => id);
    if (!wanted.some((id) => !asked.has(id))) return;
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), PAUSE_MS);
  }

  return { counts, want };
}

function isCounted({ kind, pending, host }: Change): boolean {
  return kind !== 'meta' && (pending?.type === 'file' || host?.type === 'file');
}

/** Entries with hidden characters: asked for after every list, in pieces, until all contents are scanned. */
export function createHidden(backend: Backend, session: string, list: List) {
  /** Ids of the entries; those of the previous list stay until this one's are known. */
  const found = signal<ReadonlySet<string>>(new Set());
  /** Files still to scan, and unreadable ones; null = nothing known yet. */
  const counts = signal<Pick<HiddenTexts, 'left' | 'unread'> | null>(null);
  const scan = createResource(async (abort) => {
    for (let goesOn = true; goesOn; ) {
      const { hidden, left, unread } = await backend.hiddenTexts(session, abort);
      if (abort.aborted) return;
      goesOn = left > 0;
      // A partial answer removes no flag of the previous list.
      const all = goesOn ? [...found.value, ...hidden] : hidden;
      if (all.length !== found.value.size || all.some((id) => !found.value.has(id)))
        found.value = new Set(all);
      counts.value = { left, unread };
    }
  });
  const end = effect(() => {
    if (list.value !== null) untracked(() => void scan.load());
  });
  const stop = (): void => {
    end();
    scan.stop();
  };
  /** There may be more. */
  const failed = computed(() => scan.error.value !== null && !scan.loading.value);
  return { found, counts, failed, stop };
}

const NO_EFFECTS: EffectsById = new Map();

/** Effect rules about the entries: asked for after every list, and when a rule file has changed. */
export function createEffects(backend: Backend, session: string, list: List) {
  const answer = createResource((abort) => backend.effects(session, abort));
  const end = effect(() => {
    if (list.value !== null) untracked(() => void answer.load());
  });
  // Those of the previous list stay until this one's are known.
  const byEntry = computed(() =>
    answer.data.value === null ? NO_EFFECTS : unpackMarks(answer.data.value.marks),
  );
  return {
    byEntry,
    counts: computed(() => countEffects(list.value?.changes ?? [], byEntry.value)),
    /** Rule files whose effects are not known, and an error of the question. */
    problems: computed(() => {
      const { error, loading, data } = answer;
      const failed = error.value === null || loading.value ? [] : [error.value.message];
      return [...failed, ...(data.value?.unknown ?? [])];
    }),
    load: answer.load,
    stop: (): void => {
      end();
      answer.stop();
    },
  };
}

const ENOUGH = 1_000;
const NOTHING_FOUND: SearchPage = { hits: [], more: {}, searched: 0, skipped: 0, next: null };

/** Fetches pages of hits until all is searched or enough is found. */
export function createTextSearch(backend: Backend, session: string) {
  const text = signal('');
  const matchCase = signal(false);
  const found = signal<SearchPage>(NOTHING_FOUND);
  let includeIgnored = false;
  const pages = createResource(async (abort) => {
    const asked = { text: text.peek(), matchCase: matchCase.peek(), includeIgnored };
    for (let after: string | null = null; ; ) {
      const page = await backend.search(session, { ...asked, after }, abort);
      if (abort.aborted) return null;
      const before = found.peek();
      found.value = {
        hits: [...before.hits, ...page.hits],
        more: { ...before.more, ...page.more },
        searched: before.searched + page.searched,
        skipped: before.skipped + page.skipped,
        next: page.next,
      };
      after = page.next;
      if (after === null || found.peek().hits.length >= ENOUGH) return after === null ? 'done' : 'enough';
    }
  });

  async function run(withIgnored: boolean): Promise<void> {
    pages.stop();
    pages.data.value = null;
    found.value = NOTHING_FOUND;
    includeIgnored = withIgnored;
    if (text.peek().trim() !== '') await pages.load();
  }

  return {
    /** The results replace the tree. */
    open: signal(false),
    text,
    matchCase,
    found,
    /** `enough`: there may be more hits. */
    state: computed(() => (pages.loading.value ? 'running' : (pages.data.value ?? 'idle'))),
    error: pages.error,
    run,
    stop: pages.stop,
  };
}
