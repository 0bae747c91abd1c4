/** The state of one session: what was fetched, what is newer, and what the view shows of it. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import type { CallList, ServerEvent } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { MAX_SCOPE_PATHS, MAX_VIEWED_ENTRIES } from '../../shared/limits.ts';
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
import {
  byPathOf,
  changeDelta,
  type Delta,
  type Mark,
  marksOf,
  NO_MARKS,
  NOTHING_KNOWN,
  risksByEntry,
} from '../changes/model/lists.ts';
import { choose, chosenBelow, NOTHING, pathsOf, type Selection, sumOf } from '../changes/model/selection.ts';
import {
  buildTree,
  changesAt,
  flatRows,
  type Stop,
  stopsOf,
  type Tree,
  type TreeRow,
  treeRows,
} from '../changes/model/tree.ts';
import { mergeStable } from '../lists/lists.ts';
import type { Span } from '../timeline/model/axis.ts';
import { changesByCall, isEmptyTimeline, NO_TIMELINE_FILTER, withNews } from '../timeline/model/rows.ts';
import { createLive, createResource, hasAnswered, type LiveResource, staleReason } from './resource.ts';
import { createEffects, createHidden, createLineCounts, createTextSearch } from './texts.ts';

type Progress = { job: 'commit' | 'discard'; done: number; total: number; path: string };

export type SessionState = ReturnType<typeof createSession>;

const Context = createContext<SessionState | null>(null);
export const SessionProvider = Context.Provider;

/** The session that the page is about. */
export function useSession(): SessionState {
  const state = useContext(Context);
  if (state === null) throw new Error('useSession outside of SessionProvider');
  return state;
}

/** Most entries that a filter expands all directories for. */
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
  const effects = createEffects(backend, id, changes.data);
  const filter = signal<Filter>(NO_FILTER);
  const expansion = signal<ReadonlyMap<string, boolean>>(new Map());
  const progress = signal<Progress | null>(null);
  const sort = signal<Sort>('path');

  const risks = computed(() => risksByEntry(changes.data.value, detail.data.value, hidden.found.value));
  const all = computed(() => changes.data.value?.changes ?? NO_CHANGES);
  const filtered = computed(() => {
    const now = filter.value;
    // Read only where the filter uses them: else each mark would rebuild the tree.
    const marks = now.onlyUnviewed ? viewed.marks.value : NO_MARKS;
    return filterChanges(all.value, now, {
      marks,
      risks: risks.value,
      effects: now.effect === null ? NOTHING_KNOWN.effects : effects.byEntry.value,
    });
  });
  const projectRoot = computed(() => detail.data.value?.projectRoot ?? ('/' as BytePath));
  // A tree waits for the project's root, whose arrival would move its rows.
  const ready = computed(() => hasAnswered(detail));
  const tree = computed(() =>
    ready.value ? buildTree(filtered.value, projectRoot.value, all.value) : EMPTY_TREE,
  );
  // Matches are shown expanded; with too many of them bulk directories stay folded.
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

  function refreshOthers(): void {
    void detail.load();
    void lists.refresh();
    void viewed.saved.load();
  }

  async function checkLog(): Promise<void> {
    const before = calls.size();
    await calls.refresh();
    if (before !== undefined && calls.size() !== before) refreshOthers();
  }

  function onEvent(event: ServerEvent): void {
    if (event.type === 'sessions') void detail.load();
    if (event.type === 'rules') void effects.load();
    if (!('session' in event) || event.session !== id) return;
    if (event.type === 'progress') progress.value = event;
    // What was viewed may have changed.
    if (event.type === 'viewed' || event.type === 'changes') void viewed.saved.load();
    if (event.type === 'changes') lists.hear(event.revision);
    if (event.type === 'log' && event.size !== calls.data.value?.size) void calls.refresh();
  }

  return {
    id,
    detail,
    changes,
    calls,
    delta: computed(() => {
      const shown = changes.data.value;
      const newer = changes.newer.value;
      return shown === null || newer === null ? NO_DELTA : changeDelta(shown, newer);
    }),
    filter,
    expansion,
    tree,
    rows,
    stops: computed<readonly Stop[]>(() =>
      sort.value === 'path'
        ? stopsOf(tree.value, expansion.value, opensAll.value)
        : sorted.value.map((change) => ({ change, folded: false })),
    ),
    byPath: computed(() => byPathOf(all.value)),
    progress,
    viewed,
    sort,
    choice: createChoice(all, tree, rows),
    hidden,
    effects,
    lineCounts: createLineCounts(backend, id, changes.data),
    textSearch,
    timeline: createTimeline(changes.data, calls.data),
    /** The open dialog; null = none. */
    request: signal<{ action: 'commit' | 'discard'; scope: Scope } | null>(null),
    risks,
    riskCounts: computed(() => tallyRisks(risks.value.values())),
    /** Why the view may be old. What could not be fetched at all has its own error. */
    stale: computed(() => staleReason([changes, calls, detail, viewed.saved])),
    showNewer: () => {
      changes.showNewer();
      calls.showNewer();
    },
    /** The list shown may be old, and a newer one is being fetched. */
    old: lists.old,
    /** The first fetch; shows the server's last list while a new one takes time. */
    open: async () => await fetchAll(true),
    /** Fetches and shows everything: after the user's own commit, discard or undo. */
    reload: async () => await fetchAll(false),
    onEvent,
    catchUp: () => {
      void calls.refresh();
      void effects.load();
      refreshOthers();
    },
    lookAtProcesses: () => {
      if (detail.data.peek()?.live) void detail.load();
    },
    /** Catches up if the log has grown since it was fetched. */
    checkLog: () => void checkLog(),
    dispose: () => {
      for (const part of [textSearch, hidden, effects, detail, changes, calls, viewed.saved]) part.stop();
    },
  };
}

/** The change list, at first maybe an old one, and the revisions that events announce. */
function createLists(backend: Backend, id: string) {
  /** Of the list shown, as in `ListOrLast`; null once it is current. */
  const since = signal<number | null>(null);
  let lastWillDo = false;
  /** Announced while a list was being fetched; most likely that very list. */
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
      // It changed and changed back.
      if (next.revision === shown.revision) return { shown, waits: null };
      return shown.changes.length === 0 ? { shown: next, waits: null } : { shown, waits: next };
    },
  });

  function hear(revision: string | null): void {
    heard = changes.loading.peek() ? revision : null;
    // Also when it is the list shown: the newer one that waits is obsolete then.
    const latest = changes.newer.peek() ?? changes.data.peek();
    if (revision !== null && heard === null && revision !== latest?.revision) void refresh();
  }

  async function refresh(): Promise<void> {
    await changes.refresh();
    // Also after a failure, which has its own message: no fetch is under way.
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
    look: async (): Promise<void> => {
      if (since.peek() === null) hear(heard);
      else await refresh();
    },
  };
}

/** Viewed marks: shown at once, kept by the server, the same in every tab. */
function createViewed(backend: Backend, session: string) {
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

  /** The entry whose diff is shown, and that diff's etag. */
  const shown = signal<{ id: string; etag: string } | null>(null);
  return { saved, marks, shown, problem, mark };
}

/** The selection in the tree, for a commit or discard of its own. */
function createChoice(
  all: ReadonlySignal<readonly Change[]>,
  tree: ReadonlySignal<Tree>,
  rows: ReadonlySignal<readonly TreeRow[]>,
) {
  const selection = signal<Selection>(NOTHING);
  /** Key of the row toggled last, where a range begins. */
  let anchor: string | null = null;
  return {
    selection,
    /** Counts only entries still in the list. */
    sum: computed(() => sumOf(all.value, selection.value)),
    /** Selected entries at or below each directory, as the filter shows them. */
    below: computed(() => chosenBelow(tree.value, selection.value)),
    toggle: (row: TreeRow, range: boolean): void => {
      const from = range ? rows.peek().findIndex(({ key }) => key === anchor) : -1;
      const to = rows.peek().indexOf(row);
      const between = from < 0 ? [row] : rows.peek().slice(Math.min(from, to), Math.max(from, to) + 1);
      const touched = [...new Set(between.flatMap(changesAt))];
      const on = from >= 0 || touched.some(({ id }) => !selection.peek().has(id));
      selection.value = choose(selection.peek(), all.peek(), touched, on);
      anchor = row.key;
    },
    /** Null when the paths are too many to name. */
    scope: (): Scope | null => {
      const paths = pathsOf(all.peek(), selection.peek());
      return paths.length > MAX_SCOPE_PATHS ? null : { kind: 'paths', paths };
    },
    clear: (): void => {
      selection.value = NOTHING;
      anchor = null;
    },
  };
}

/** Calls and marks; after the first fetch only what is new. */
function createCalls(backend: Backend, id: string) {
  let newest: CallList | null = null;
  const fetchNews = async (abort: AbortSignal): Promise<CallList> => {
    newest = withNews(newest, await backend.calls(id, { after: newest?.size ?? 0 }, abort));
    return newest;
  };
  const live = createLive<CallList>({
    first: fetchNews,
    next: fetchNews,
    merge: (shown, next) => {
      // There is no row that could move.
      if (isEmptyTimeline(shown)) return { shown: next, waits: null };
      const calls = mergeStable(shown.calls, next.calls, callKey);
      const marks = mergeStable(shown.marks, next.marks, (mark) => mark.id);
      const still = calls.fresh.length + marks.fresh.length === 0 && next.raw.length === shown.raw.length;
      if (still) return { shown: next, waits: null };
      return { shown: { ...shown, calls: calls.rows, marks: marks.rows }, waits: next };
    },
  });
  return { ...live, size: () => newest?.size };
}

function createTimeline(changes: Signal<ChangeList | null>, calls: Signal<CallList | null>) {
  const wrote = computed(() => changesByCall(changes.value?.changes ?? []));
  return {
    filter: signal(NO_TIMELINE_FILTER),
    zoom: signal<Span | null>(null),
    /** Changes by the calls among their last writers. */
    wrote,
    // Until the changes arrive, the calls' own list stands in, so that nothing moves.
    wroteIds: computed<ReadonlySet<string>>(() =>
      changes.value === null ? new Set(Object.keys(calls.value?.wrote ?? {})) : new Set(wrote.value.keys()),
    ),
  };
}

export function timeOnShow({
  filter,
  zoom,
}: SessionState['timeline']): Record<'window' | 'zoom', Span | null> {
  return { window: filter.value.window, zoom: zoom.value };
}
