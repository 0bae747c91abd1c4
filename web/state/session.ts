/** One session on show: what was fetched, what is newer, and what the user looks at. */
import { computed, type Signal, signal } from '@preact/signals';
import type { Backend } from '../../shared/api/contract.ts';
import type { CallList, ServerEvent } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { callKey } from '../../shared/log/calls.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { tallyRisks } from '../../shared/model/risk.ts';
import {
  callTimes,
  type Filter,
  filterChanges,
  isSearch,
  NO_FILTER,
  type Sort,
  sortChanges,
} from '../changes/model/filter.ts';
import { byPathOf, changeDelta, type Delta, NO_MARKS, risksByEntry } from '../changes/model/lists.ts';
import { buildTree, flatRows, type Stop, stopsOf, type Tree, treeRows } from '../changes/model/tree.ts';
import { mergeStable } from '../lists/lists.ts';
import type { Span } from '../timeline/model/axis.ts';
import { changesByCall, NO_TIMELINE_FILTER, withNews } from '../timeline/model/rows.ts';
import { createChoice } from './choice.ts';
import { createLive, createResource, type LiveResource, staleReason } from './resource.ts';
import { createHidden, createLineCounts, createTextSearch } from './texts.ts';
import { createViewed } from './viewed.ts';

type Progress = { job: 'commit' | 'discard'; done: number; total: number; path: string };

/** What the user is asked to confirm. */
interface ActionRequest {
  action: 'commit' | 'discard';
  scope: Scope;
}

export type SessionState = ReturnType<typeof createSession>;

/** Entries that a filter opens by itself. */
const MAX_OPENED = 2_000;
const EMPTY_TREE: Tree = { roots: [] };
const NO_CHANGES: readonly Change[] = [];
const NO_TIMES: ReadonlyMap<string, number> = new Map();
const NO_DELTA: ReadonlyMap<string, Delta> = new Map();

export function createSession(backend: Backend, id: string) {
  const detail = createResource((abort) => backend.session(id, abort));
  const lists = createLists(backend, id);
  const calls = createCalls(backend, id);
  const changes = lists.changes;
  const viewed = createViewed(backend, id);
  const textSearch = createTextSearch(backend, id);
  const hidden = createHidden(backend, id, changes.data);
  const filter = signal<Filter>(NO_FILTER);
  const expansion = signal<ReadonlyMap<string, boolean>>(new Map());
  const progress = signal<Progress | null>(null);
  const sort = signal<Sort>('path');

  const risks = computed(() => risksByEntry(changes.data.value, detail.data.value, hidden.found.value));
  const all = computed(() => changes.data.value?.changes ?? NO_CHANGES);
  const filtered = computed(() => {
    const now = filter.value;
    // Read only where the filter asks: each mark would draw the whole tree anew.
    return filterChanges(all.value, now, now.onlyUnviewed ? viewed.marks.value : NO_MARKS, risks.value);
  });
  const projectRoot = computed(() => detail.data.value?.projectRoot ?? ('/' as BytePath));
  // Both are needed before a tree is drawn: without the project's root its rows would move when it arrives.
  const ready = computed(() => detail.data.value !== null || detail.error.value !== null);
  const tree = computed(() =>
    ready.value ? buildTree(filtered.value, projectRoot.value, all.value) : EMPTY_TREE,
  );
  // What a filter found is shown open; where it found very much, bulk directories stay rolled up.
  const opensAll = computed(() => isSearch(filter.value) && filtered.value.length <= MAX_OPENED);
  const sorted = computed(() => {
    if (sort.value === 'path' || !ready.value) return [];
    const times = sort.value === 'newest' ? callTimes(calls.data.value?.calls ?? []) : NO_TIMES;
    return sortChanges(filtered.value, sort.value, times);
  });
  const rows = computed(() =>
    sort.value === 'path'
      ? treeRows(tree.value, expansion.value, opensAll.value)
      : flatRows(sorted.value, projectRoot.value),
  );

  async function fetchAll(lastWillDo: boolean): Promise<void> {
    await Promise.all([detail.load(), lists.load(lastWillDo), calls.load(), viewed.saved.load()]);
    await lists.look();
  }

  function catchUp(): void {
    void detail.load();
    void lists.refresh();
    void calls.refresh();
    void viewed.saved.load();
  }

  async function checkLog(): Promise<void> {
    const before = calls.size();
    await calls.refresh();
    if (before === undefined || calls.size() === before) return;
    void detail.load();
    void lists.refresh();
    void viewed.saved.load();
  }

  function onEvent(event: ServerEvent): void {
    if (event.type === 'sessions') void detail.load();
    if (!('session' in event) || event.session !== id) return;
    if (event.type === 'progress') progress.value = event;
    // What was looked at may have changed.
    if (event.type === 'viewed' || event.type === 'changes') void viewed.saved.load();
    if (event.type === 'changes') lists.hear(event.revision);
    if (event.type === 'log' && event.size !== calls.data.value?.size) void calls.refresh();
  }

  return {
    id,
    detail,
    changes,
    calls,
    /** How the newer list differs from the one on show. */
    delta: computed(() => {
      const shown = changes.data.value;
      const newer = changes.newer.value;
      return shown === null || newer === null ? NO_DELTA : changeDelta(shown, newer);
    }),
    filter,
    expansion,
    tree,
    rows,
    /** Where the keys that go from file to file stop. */
    stops: computed<readonly Stop[]>(() =>
      sort.value === 'path'
        ? stopsOf(tree.value, expansion.value, opensAll.value)
        : sorted.value.map((change) => ({ change, folded: false })),
    ),
    byPath: computed(() => byPathOf(all.value)),
    progress,
    viewed,
    sort,
    choice: createChoice(changes.data, tree, rows),
    hidden,
    lineCounts: createLineCounts(backend, id, changes.data),
    textSearch,
    timeline: createTimeline(changes.data, calls.data),
    /** The sheet that is open, and what it is about; null = none. Whoever sets it opens it. */
    request: signal<ActionRequest | null>(null),
    risks,
    riskCounts: computed(() => tallyRisks(risks.value.values())),
    /** Why what is on show may be old; what is not there at all says so in its own place. */
    stale: computed(() => staleReason([changes, calls, detail, viewed.saved])),
    showNewer: () => {
      changes.showNewer();
      calls.showNewer();
    },
    /** The list on show may be old, and a new one is on its way. */
    old: lists.old,
    /** Fetches everything for the first time; where a list of now takes a while, the last one is shown until then. */
    open: async () => await fetchAll(true),
    /** Fetches everything again, and shows it at once: after the user's own commit, discard or undo. */
    reload: async () => await fetchAll(false),
    onEvent,
    /** After a lost connection: looks whether anything moved on meanwhile. */
    catchUp,
    /** Looks whether the log moved on since it was fetched, and catches up if so. */
    checkLog: () => void checkLog(),
    dispose: () => {
      for (const part of [textSearch, hidden, detail, changes, calls, viewed.saved]) part.stop();
    },
  };
}

/** The change list, which may be an old one at first, and the revisions that the server tells of. */
function createLists(backend: Backend, id: string) {
  /** Of the list on show, see `ListOrLast`; null once the server has looked. */
  const since = signal<number | null>(null);
  /** For the next fetch of the list. */
  let lastWillDo = false;
  /** What was told while a list was on its way: most likely that very list. */
  let heard: string | null = null;
  const changes: LiveResource<ChangeList> = createLive({
    first: async (abort) => {
      if (!lastWillDo) return await backend.changes(id, abort);
      const found = await backend.lastChanges(id, abort);
      if (!abort.aborted) since.value = found.since;
      return found.list;
    },
    next: (abort) => {
      const known = changes.newer.peek() ?? changes.data.peek();
      return known === null
        ? backend.changes(id, abort)
        : backend.newerChanges(id, known.revision, since.peek(), abort);
    },
    merge: (shown, next) => {
      // It moved on and back again.
      if (next.revision === shown.revision) return { shown, waits: null };
      // An empty list has nothing that could move under the reader.
      return shown.changes.length === 0 ? { shown: next, waits: null } : { shown, waits: next };
    },
  });

  function hear(revision: string | null): void {
    heard = changes.loading.peek() ? revision : null;
    // Also when it is the list on show again: the newer one that waits is not true any more.
    const latest = changes.newer.peek() ?? changes.data.peek();
    if (revision !== null && heard === null && revision !== latest?.revision) void refresh();
  }

  async function refresh(): Promise<void> {
    await changes.refresh();
    // Also when that failed: nobody looks any more then, which is said in its own place.
    if (!changes.loading.peek()) since.value = null;
    hear(heard);
  }

  return {
    changes,
    old: computed(() => since.value !== null),
    hear,
    refresh,
    load: (last: boolean): Promise<ChangeList | null> => {
      since.value = null;
      lastWillDo = last;
      const loaded = changes.load();
      lastWillDo = false;
      return loaded;
    },
    /** After the first list: asks for one of now where that was an old one. */
    look: async (): Promise<void> => {
      if (since.peek() === null) hear(heard);
      else await refresh();
    },
  };
}

/** The log's calls and marks; after the first time only what is new is fetched. */
function createCalls(backend: Backend, id: string) {
  /** The newest list that was put together. */
  let newest: CallList | null = null;
  const fetchNews = async (abort: AbortSignal): Promise<CallList> => {
    newest = withNews(newest, await backend.calls(id, { after: newest?.size ?? 0 }, abort));
    return newest;
  };
  const live = createLive<CallList>({
    first: fetchNews,
    next: fetchNews,
    merge: (shown, next) => {
      const calls = mergeStable(shown.calls, next.calls, callKey);
      const marks = mergeStable(shown.marks, next.marks, (mark) => mark.id);
      const still = calls.fresh + marks.fresh === 0 && next.raw.length === shown.raw.length;
      if (still) return { shown: next, waits: null };
      return { shown: { ...shown, calls: calls.rows, marks: marks.rows }, waits: next };
    },
  });
  return { ...live, size: () => newest?.size };
}

/** What the user looks at on the timeline. */
function createTimeline(changes: Signal<ChangeList | null>, calls: Signal<CallList | null>) {
  const wrote = computed(() => changesByCall(changes.value?.changes ?? []));
  return {
    filter: signal(NO_TIMELINE_FILTER),
    /** The part of the time that the strip shows; null = all. */
    zoom: signal<Span | null>(null),
    /** What is pending, by the calls that are among its last writers. */
    wrote,
    // Until the changes are there, the calls' own list says it, as of the last look: nothing moves when they come.
    wroteIds: computed<ReadonlySet<string>>(() =>
      changes.value === null ? new Set(Object.keys(calls.value?.wrote ?? {})) : new Set(wrote.value.keys()),
    ),
  };
}

/** What of the time is on show, as an address says it. */
export function timeOnShow({ filter, zoom }: SessionState['timeline']): {
  window: Span | null;
  zoom: Span | null;
} {
  return { window: filter.value.window, zoom: zoom.value };
}
