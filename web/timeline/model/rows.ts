/** The rows of the timeline, calls and marks in time order, and the filter on them. */
import type { CallList } from '../../../shared/api/types.ts';
import { type CallView, callKey } from '../../../shared/log/calls.ts';
import type { MarkKind, TimelineMark } from '../../../shared/log/marks.ts';
import type { Change } from '../../../shared/model/change.ts';
import { groupBy, mergeStable } from '../../lists/lists.ts';
import type { Span } from './axis.ts';

export type CallRow = Span & { type: 'call'; key: string; call: CallView };
export type MarkRow = Span & { type: 'mark'; key: string; mark: TimelineMark };
export type Row = CallRow | MarkRow;

export const ONLY = {
  failed: { word: 'Failed', tone: 'deleted' },
  host: { word: 'On the host', tone: 'modified' },
  wrote: { word: 'Wrote files', tone: 'modified' },
  running: { word: 'Running', tone: 'added' },
} as const;
export type Only = keyof typeof ONLY;

/** Marks shown and hidden together. */
export const MARK_GROUPS = {
  prompts: 'Prompts',
  files: 'File tools',
  tools: 'Other tools',
  actions: 'Commits and discards',
  clients: 'Clients',
} as const;
export type MarkGroup = keyof typeof MARK_GROUPS;

const GROUP_OF: Record<MarkKind, MarkGroup> = {
  prompt: 'prompts',
  file: 'files',
  tool: 'tools',
  commit: 'actions',
  discard: 'actions',
  undo: 'actions',
  adopt: 'actions',
  session: 'clients',
};

export const groupOf = (mark: TimelineMark): MarkGroup => GROUP_OF[mark.kind];

export interface TimelineFilter {
  text: string;
  only: ReadonlySet<Only>;
  hidden: ReadonlySet<MarkGroup>;
  /** Lists only what ran in it; null = all. */
  window: Span | null;
}

export const NO_TIMELINE_FILTER: TimelineFilter = {
  text: '',
  only: new Set(),
  hidden: new Set(['clients']),
  window: null,
};

export function isFiltered({ text, only, window }: TimelineFilter): boolean {
  return text.trim() !== '' || only.size > 0 || window !== null;
}

/** A running call lasts until `now`; one with a single known time has no length. */
function spanOf(call: CallView, now: number): Span {
  const known = call.startedAt ?? call.requestedAt ?? call.endedAt;
  const from = known === null ? now : Date.parse(known);
  const end = call.endedAt === null ? (call.state === 'running' ? now : from) : Date.parse(call.endedAt);
  // Clocks are set back: a call never ends before it starts.
  return { from, to: Math.max(from, end) };
}

/** Nothing has happened that a row would tell about. */
export function isEmptyTimeline({ calls, raw, marks }: Pick<CallList, 'calls' | 'raw' | 'marks'>): boolean {
  return calls.length + raw.length === 0 && marks.every(({ kind }) => kind === 'session');
}

export function makeRows(list: Pick<CallList, 'calls' | 'marks'>, now: number): Row[] {
  const rows: Row[] = list.calls.map((call) => {
    return { ...spanOf(call, now), type: 'call', key: callKey(call), call };
  });
  for (const mark of list.marks) {
    const at = Date.parse(mark.at);
    rows.push({ from: at, to: at, type: 'mark', key: mark.id, mark });
  }
  // Stable: rows of one millisecond keep the log's order, calls before marks.
  return rows.sort((a, b) => a.from - b.from);
}

export function idOf(row: Row): string {
  return row.type === 'call' ? row.call.id : row.mark.id;
}

/** The index of a row, -1 for none; also by a call's request, its id before the launcher gave it one. */
export function findRow(rows: readonly Row[], id: string | null): number {
  if (id === null) return -1;
  const at = rows.findIndex((row) => idOf(row) === id);
  return at >= 0 ? at : rows.findIndex((row) => row.type === 'call' && row.call.request === id);
}

/** Whether `findRow` finds it among the rows of a list. */
export function hasRow(list: Pick<CallList, 'calls' | 'marks'> | null, id: string | null): boolean {
  if (list === null || id === null) return false;
  return (
    list.marks.some((mark) => mark.id === id) || list.calls.some((one) => [one.id, one.request].includes(id))
  );
}

export function hasFailed({ state, rc, ok, interrupted }: CallView): boolean {
  if (state === 'unsandboxed' || state === 'lost' || state === 'not-entered' || state === 'refused')
    return true;
  if (interrupted) return true;
  return rc === null ? ok === false : rc !== 0;
}

export function ranOnHost({ mode, state }: CallView): boolean {
  return state === 'unsandboxed' || (mode === 'host' && state !== 'not-run' && state !== 'refused');
}

function isRunning({ state, left, gone }: CallView): boolean {
  return state === 'running' || left.some((pid) => !gone.includes(pid));
}

/** `wrote`: ids of calls that are among the last writers of something pending. */
export function matchesOnly(call: CallView, only: Only, wrote: ReadonlySet<string>): boolean {
  switch (only) {
    case 'failed':
      return hasFailed(call);
    case 'host':
      return ranOnHost(call);
    case 'wrote':
      return wrote.has(call.id);
    case 'running':
      return isRunning(call);
  }
}

const searchable = new WeakMap<CallView | TimelineMark, string>();

/** Cached: building 10,000 texts at every key would be noticeable. */
function searchText(row: Row): string {
  const item = row.type === 'call' ? row.call : row.mark;
  const known = searchable.get(item);
  if (known !== undefined) return known;
  const text = (row.type === 'call' ? callText(row.call) : markText(row.mark)).toLowerCase();
  searchable.set(item, text);
  return text;
}

function callText({ command, cwd, agent, id }: CallView): string {
  return [command, cwd, agent, id].join('\n');
}

function markText(mark: TimelineMark): string {
  switch (mark.kind) {
    case 'prompt':
      return mark.text;
    case 'file':
      return [mark.tool, mark.path, mark.agent, mark.text].join('\n');
    case 'tool':
      return [mark.tool, mark.subject, mark.agent, mark.rule].join('\n');
    case 'commit':
      return `${mark.auto === '' ? '' : 'auto '}commit ${mark.n} ${mark.text} ${mark.auto}`;
    case 'discard':
      return 'discard';
    case 'undo':
      return `undo ${mark.what} ${mark.of}`;
    case 'adopt':
      return `adopt ${mark.from} ${mark.to}`;
    case 'session':
      return `${mark.what} ${mark.text}`;
  }
}

/** In order. Matches the text literally: no pattern can be slow or surprising. */
export function filterRows(
  rows: readonly Row[],
  { text, only, hidden, window }: TimelineFilter,
  wrote: ReadonlySet<string>,
): Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter((row) => {
    if (window !== null && (row.to < window.from || row.from > window.to)) return false;
    if (row.type === 'mark' && (only.size > 0 || hidden.has(groupOf(row.mark)))) return false;
    if (row.type === 'call') {
      for (const one of only) if (!matchesOnly(row.call, one, wrote)) return false;
    }
    return wanted === '' || searchText(row).includes(wanted);
  });
}

export function callsOfPrompt(rows: readonly Row[], prompt: string): CallView[] {
  const at = rows.findIndex((row) => row.type === 'mark' && row.mark.id === prompt);
  const calls: CallView[] = [];
  for (const row of at < 0 ? [] : rows.slice(at + 1)) {
    if (row.type === 'call') calls.push(row.call);
    else if (row.mark.kind === 'prompt') break;
  }
  return calls;
}

/** By call id, in the order of the list; a change counts for each of its last writers. */
export function changesByCall(changes: readonly Change[]): Map<string, Change[]> {
  return groupBy(changes, ({ by = [] }) => by);
}

/** The whole list after `news`; unchanged items stay the same objects. */
export function withNews(list: CallList | null, news: CallList): CallList {
  if (list === null || news.whole) return news;
  return {
    ...news,
    whole: true,
    calls: updated<CallView>(list.calls, news.calls, callKey, news.gone),
    gone: [],
    marks: updated<TimelineMark>(list.marks, news.marks, (mark) => mark.id, []),
  };
}

function updated<T>(
  items: readonly T[],
  news: readonly T[],
  keyOf: (item: T) => string,
  gone: readonly string[],
): T[] {
  const dropped = new Set(gone);
  // A key that is gone may belong to another call in the news.
  for (const item of news) dropped.delete(keyOf(item));
  const left = items.filter((item) => !dropped.has(keyOf(item)));
  const { rows, fresh } = mergeStable(left, news, keyOf);
  return [...rows, ...fresh];
}
