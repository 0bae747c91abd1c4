/** The rows of the timeline's list: calls and what stands beside them, in the order of time, and which of them are on show. */
import type { CallList } from '../../../shared/api/types.ts';
import { type CallView, callKey } from '../../../shared/log/calls.ts';
import type { MarkKind, TimelineMark } from '../../../shared/log/marks.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Span } from './axis.ts';
import { spanOf } from './lanes.ts';

export type Row =
  | { type: 'call'; key: string; span: Span; call: CallView }
  | { type: 'mark'; key: string; span: Span; mark: TimelineMark };

/** What a row can be looked for by. */
export const ONLY = {
  failed: 'Failed',
  host: 'On the host',
  wrote: 'Wrote files',
  running: 'Running',
} as const;
export type Only = keyof typeof ONLY;

/** Kinds of marks that are shown and hidden together. */
export const MARK_GROUPS = {
  prompts: { word: 'Prompts', kinds: ['prompt'] },
  files: { word: 'File tools', kinds: ['file'] },
  actions: { word: 'Commits and discards', kinds: ['commit', 'discard', 'undo', 'adopt'] },
  clients: { word: 'Clients', kinds: ['session'] },
} as const satisfies Record<string, { word: string; kinds: readonly MarkKind[] }>;
export type MarkGroup = keyof typeof MARK_GROUPS;

export interface TimelineFilter {
  text: string;
  only: ReadonlySet<Only>;
  hidden: ReadonlySet<MarkGroup>;
  /** What was at work in this time; null = all. */
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

/** All rows, the oldest first. */
export function makeRows(list: Pick<CallList, 'calls' | 'marks'>, now: number): Row[] {
  const rows: Row[] = list.calls.map((call) => ({
    ...{ type: 'call', key: callKey(call), span: spanOf(call, now), call },
  }));
  for (const mark of list.marks) {
    const at = Date.parse(mark.at);
    rows.push({ type: 'mark', key: mark.id, span: { from: at, to: at }, mark });
  }
  // Stable: what was logged in one millisecond stays as it stands in the log, marks (a prompt) before nothing else.
  return rows.sort((a, b) => a.span.from - b.span.from);
}

/** What stands in the address of a row. */
export function idOf(row: Row): string {
  return row.type === 'call' ? row.call.id : row.mark.id;
}

/** The row that an address names; of a call also by its request, which was its id before the launcher gave it one. */
export function findRow(rows: readonly Row[], id: string | null): number {
  if (id === null) return -1;
  const at = rows.findIndex((row) => idOf(row) === id);
  return at >= 0 ? at : rows.findIndex((row) => row.type === 'call' && row.call.request === id);
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

/** It runs, or something that it left does. */
function isRunning({ state, left, gone }: CallView): boolean {
  return state === 'running' || left.some((pid) => !gone.includes(pid));
}

/** `wrote` = ids of calls that are among the last writers of something pending. */
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

const GROUP_OF = new Map<MarkKind, MarkGroup>();
for (const name of Object.keys(MARK_GROUPS) as MarkGroup[])
  for (const kind of MARK_GROUPS[name].kinds) GROUP_OF.set(kind, name);

export function groupOf(mark: TimelineMark): MarkGroup {
  return GROUP_OF.get(mark.kind) ?? 'clients';
}

const searchable = new WeakMap<CallView | TimelineMark, string>();

/** Made once a row: 10,000 of them at every key press would be felt. */
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
    case 'commit':
      return `commit ${mark.n} ${mark.text}`;
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

/** The rows that pass, in order. The text is never a pattern: no expression can be slow or surprising. */
export function filterRows(
  rows: readonly Row[],
  { text, only, hidden, window }: TimelineFilter,
  wrote: ReadonlySet<string>,
): Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter((row) => {
    if (window !== null && (row.span.to < window.from || row.span.from > window.to)) return false;
    if (row.type === 'mark' && (only.size > 0 || hidden.has(groupOf(row.mark)))) return false;
    if (row.type === 'call') {
      for (const one of only) if (!matchesOnly(row.call, one, wrote)) return false;
    }
    return wanted === '' || searchText(row).includes(wanted);
  });
}

/** The calls between a prompt and the next one. */
export function callsOfPrompt(rows: readonly Row[], prompt: string): CallView[] {
  const at = rows.findIndex((row) => row.type === 'mark' && row.mark.id === prompt);
  const calls: CallView[] = [];
  for (const row of at < 0 ? [] : rows.slice(at + 1)) {
    if (row.type === 'call') calls.push(row.call);
    else if (row.mark.kind === 'prompt') break;
  }
  return calls;
}

/** The changes that each call is among the last writers of, in the order of the list. */
export function changesByCall(changes: readonly Change[]): Map<string, Change[]> {
  const found = new Map<string, Change[]>();
  for (const change of changes) {
    for (const call of change.by ?? []) {
      const list = found.get(call);
      if (list === undefined) found.set(call, [change]);
      else list.push(change);
    }
  }
  return found;
}
