/** One session on show: what was fetched, what is newer, and what the user looks at. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import type { CallList, ServerEvent, SessionDetail } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { callKey } from '../../shared/log/calls.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { type RiskCount, tallyRisks } from '../../shared/model/risk.ts';
import {
  callTimes,
  type Filter,
  filterChanges,
  isSearch,
  NO_FILTER,
  type Sort,
  sortChanges,
} from '../changes/model/filter.ts';
import {
  type ByPath,
  byPathOf,
  changeDelta,
  type Delta,
  NO_MARKS,
  type Risks,
  risksByEntry,
} from '../changes/model/lists.ts';
import {
  buildTree,
  flatRows,
  type Stop,
  stopsOf,
  type Tree,
  type TreeRow,
  treeRows,
} from '../changes/model/tree.ts';
import { mergeStable } from '../lists/lists.ts';
import { withNews } from '../timeline/model/rows.ts';
import { type Choice, createChoice } from './choice.ts';
import { createHidden, type Hidden } from './hidden.ts';
import { createLineCounts, type LineCounts } from './line-counts.ts';
import { createResource, type Resource, staleReason } from './resource.ts';
import { createTextSearch, type TextSearch } from './text-search.ts';
import { createTimeline, type TimelineView } from './timeline.ts';
import { createViewed, type Viewed } from './viewed.ts';

export type Progress = { job: 'commit' | 'discard'; done: number; total: number; path: string };

/** What the user is asked to confirm. */
interface ActionRequest {
  action: 'commit' | 'discard';
  scope: Scope;
}

export interface SessionState {
  id: string;
  detail: Resource<SessionDetail>;
  changes: Resource<ChangeList>;
  calls: Resource<CallList>;
  /** A newer change list that waits for the user, and how it differs from the one on show. */
  newer: Signal<ChangeList | null>;
  delta: ReadonlySignal<ReadonlyMap<string, Delta>>;
  /** Calls that came since the list was drawn. */
  newerCalls: Signal<CallList | null>;
  filter: Signal<Filter>;
  expansion: Signal<ReadonlyMap<string, boolean>>;
  tree: ReadonlySignal<Tree>;
  rows: ReadonlySignal<TreeRow[]>;
  /** Where the keys that go from file to file stop. */
  stops: ReadonlySignal<readonly Stop[]>;
  byPath: ReadonlySignal<ByPath>;
  progress: Signal<Progress | null>;
  viewed: Viewed;
  sort: Signal<Sort>;
  choice: Choice;
  lineCounts: LineCounts;
  /** Hidden characters in what is pending, as far as is known. */
  hidden: Hidden;
  textSearch: TextSearch;
  timeline: TimelineView;
  /** The sheet that is open, and what it is about; null = none. Whoever sets it opens it. */
  request: Signal<ActionRequest | null>;
  /** What should be looked at first. */
  risks: ReadonlySignal<Risks>;
  /** Why what is on show may be old. */
  stale: ReadonlySignal<ApiError | null>;
  riskCounts: ReadonlySignal<RiskCount[]>;
  /** Puts the newer lists on show. */
  showNewer(): void;
  /** The list on show may be old, and a new one is on its way. */
  old: ReadonlySignal<boolean>;
  /** Fetches everything for the first time; where a list of now takes a while, the last one is shown until then. */
  open(): Promise<void>;
  /** Fetches everything again, and shows it at once: after the user's own commit, discard or undo. */
  reload(): Promise<void>;
  onEvent(event: ServerEvent): void;
  /** After a lost connection: looks whether anything moved on meanwhile. */
  catchUp(): void;
  /** Looks whether the log moved on since it was fetched, and catches up if so. */
  checkLog(): void;
  dispose(): void;
}

/** Entries that a filter opens by itself. */
const MAX_OPENED = 2_000;
const EMPTY_TREE: Tree = { roots: [] };
const NO_CHANGES: readonly Change[] = [];
const NO_TIMES: ReadonlyMap<string, number> = new Map();
const NO_DELTA: ReadonlyMap<string, Delta> = new Map();

export function createSession(backend: Backend, id: string): SessionState {
  const detail = createResource((abort) => backend.session(id, abort));
  /** Of the list on show, see `ListOrLast`; null once the server has looked. */
  const since = signal<number | null>(null);
  /** For the next fetch of the list. */
  let lastWillDo = false;
  const changes = createResource(async (abort) => {
    if (!lastWillDo) return await backend.changes(id, abort);
    const found = await backend.lastChanges(id, abort);
    if (!abort.aborted) since.value = found.since;
    return found.list;
  });
  /** The newest list that was put together; only what is new since is fetched. */
  let newest: CallList | null = null;
  const fetchNews = async (abort: AbortSignal): Promise<CallList> => {
    const news = await backend.calls(id, { after: newest?.size ?? 0 }, abort);
    newest = withNews(newest, news);
    return newest;
  };
  const calls = createResource(fetchNews);
  const nextChanges = createResource((abort) => {
    const newest = newer.peek() ?? changes.data.peek();
    return newest === null
      ? backend.changes(id, abort)
      : backend.newerChanges(id, newest.revision, since.peek(), abort);
  });
  const nextCalls = createResource(fetchNews);
  const viewed = createViewed(backend, id);
  const textSearch = createTextSearch(backend, id);
  const newer = signal<ChangeList | null>(null);
  const newerCalls = signal<CallList | null>(null);
  const filter = signal<Filter>(NO_FILTER);
  const expansion = signal<ReadonlyMap<string, boolean>>(new Map());
  const progress = signal<Progress | null>(null);
  const sort = signal<Sort>('path');

  const delta = computed(() => {
    const shown = changes.data.value;
    return shown === null || newer.value === null ? NO_DELTA : changeDelta(shown, newer.value);
  });
  const hidden = createHidden(backend, id, changes.data);
  const risks = computed(() => risksByEntry(changes.data.value, detail.data.value, hidden.found.value));
  const riskCounts = computed(() => tallyRisks(risks.value.values()));
  const all = computed(() => changes.data.value?.changes ?? NO_CHANGES);
  const filtered = computed(() => {
    const now = filter.value;
    // Read only where the filter asks: each mark would draw the whole tree anew.
    return filterChanges(all.value, now, now.onlyUnviewed ? viewed.marks.value : NO_MARKS, risks.value);
  });
  const projectRoot = computed(() => detail.data.value?.projectRoot ?? ('/' as BytePath));
  // Both are needed before a tree is drawn: without the project's root its rows would move when it arrives.
  const ready = computed(() => detail.data.value !== null || detail.error.value !== null);
  const tree = computed(() => {
    return ready.value ? buildTree(filtered.value, projectRoot.value, all.value) : EMPTY_TREE;
  });
  // What a filter found is shown open; where it found very much, bulk directories stay rolled up.
  const opensAll = computed(() => isSearch(filter.value) && filtered.value.length <= MAX_OPENED);
  const sorted = computed(() => {
    if (sort.value === 'path' || !ready.value) return [];
    const times = sort.value === 'newest' ? callTimes(calls.data.value?.calls ?? []) : NO_TIMES;
    return sortChanges(filtered.value, sort.value, times);
  });
  const rows = computed(() => {
    if (sort.value !== 'path') return flatRows(sorted.value, projectRoot.value);
    return treeRows(tree.value, expansion.value, opensAll.value);
  });
  const stops = computed(() => {
    if (sort.value !== 'path') return sorted.value.map((change) => ({ change, folded: false }));
    return stopsOf(tree.value, expansion.value, opensAll.value);
  });
  // What is not there at all says so in its own place.
  const shown = [detail, changes, calls, viewed.saved];
  const stale = computed(() =>
    staleReason([nextChanges, nextCalls, ...shown.filter(({ data }) => data.value !== null)]),
  );
  const byPath = computed(() => byPathOf(all.value));

  /** What was told while a list was on its way: most likely that very list. */
  let heard: string | null = null;
  function hear(revision: string | null): void {
    heard = changes.loading.peek() || nextChanges.loading.peek() ? revision : null;
    // Also when it is the list on show again: the newer one that waits is not true any more.
    const latest = newer.peek() ?? changes.data.peek();
    if (revision !== null && heard === null && revision !== latest?.revision) void fetchNewer();
  }

  async function fetchNewer(): Promise<void> {
    const next = changes.data.peek() === null ? await changes.load() : await nextChanges.load();
    if (next !== null) offerNewer(next);
    // Also when that failed: nobody looks any more then, which is said in its own place.
    if (!nextChanges.loading.peek()) since.value = null;
    hear(heard);
  }

  function offerNewer(next: ChangeList): void {
    const shown = changes.data.peek();
    if (shown === null || shown === next) return;
    // It moved on and back again.
    if (next.revision === shown.revision) newer.value = null;
    // An empty list has nothing that could move under the reader.
    else if (shown.changes.length === 0) changes.data.value = next;
    else newer.value = next;
  }

  async function fetchCalls(): Promise<void> {
    const shown = calls.data.value;
    if (shown === null) return void (await calls.load());
    const next = await nextCalls.load();
    if (next === null) return;
    const merged = mergeStable(shown.calls, next.calls, callKey);
    const marks = mergeStable(shown.marks, next.marks, (mark) => mark.id);
    const still = merged.fresh + marks.fresh === 0 && next.raw.length === shown.raw.length;
    calls.data.value = still ? next : { ...shown, calls: merged.rows, marks: marks.rows };
    newerCalls.value = still ? null : next;
  }

  function showNewer(): void {
    if (newer.value !== null) changes.data.value = newer.value;
    if (newerCalls.value !== null) calls.data.value = newerCalls.value;
    newer.value = null;
    newerCalls.value = null;
  }

  async function fetchAll(last: boolean): Promise<void> {
    // What is on its way may be from before.
    nextChanges.stop();
    nextCalls.stop();
    newer.value = null;
    newerCalls.value = null;
    since.value = null;
    lastWillDo = last;
    const fetched = [detail.load(), changes.load(), calls.load(), viewed.saved.load()];
    lastWillDo = false;
    await Promise.all(fetched);
    if (since.peek() === null) hear(heard);
    else await fetchNewer();
  }

  function catchUp(): void {
    void detail.load();
    void fetchNewer();
    void fetchCalls();
    void viewed.saved.load();
  }

  async function checkLog(): Promise<void> {
    const before = newest?.size;
    await fetchCalls();
    if (before === undefined || newest?.size === before) return;
    void detail.load();
    void fetchNewer();
    void viewed.saved.load();
  }

  function onEvent(event: ServerEvent): void {
    if (event.type === 'sessions') void detail.load();
    if (!('session' in event) || event.session !== id) return;
    if (event.type === 'progress') progress.value = event;
    // What was looked at may have changed.
    if (event.type === 'viewed' || event.type === 'changes') void viewed.saved.load();
    if (event.type === 'changes') hear(event.revision);
    if (event.type === 'log' && event.size !== calls.data.value?.size) void fetchCalls();
  }

  function dispose(): void {
    textSearch.stop();
    hidden.stop();
    for (const resource of [detail, changes, calls, nextChanges, nextCalls, viewed.saved]) resource.stop();
  }

  return {
    id,
    detail,
    changes,
    calls,
    newer,
    delta,
    newerCalls,
    filter,
    expansion,
    tree,
    rows,
    stops,
    byPath,
    progress,
    viewed,
    sort,
    choice: createChoice(changes.data, tree, rows),
    hidden,
    lineCounts: createLineCounts(backend, id, changes.data),
    textSearch,
    timeline: createTimeline(changes.data, calls.data),
    request: signal<ActionRequest | null>(null),
    risks,
    riskCounts,
    stale,
    showNewer,
    old: computed(() => since.value !== null),
    open: async () => await fetchAll(true),
    reload: async () => await fetchAll(false),
    onEvent,
    catchUp,
    checkLog: () => void checkLog(),
    dispose,
  };
}
