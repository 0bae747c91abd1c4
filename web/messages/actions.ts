/** Commit, discard and undo: scopes, obstacles, results. */
import { nameOf, toDisplay } from '../../shared/bytes.ts';
import type { CommitReport, HistoryEntry, Scope } from '../../shared/model/commit.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';

export const entries = (count: number): string => format.plural(count, 'entry', 'entries');

/** Files of which only the modification time differs. “2 times” would read like twice. */
export const fileTimes = (count: number): string => format.plural(count, 'file time');

export function scopeText(scope: Scope): string {
  if (scope.kind === 'all') return 'everything';
  if (scope.kind === 'call') return 'what one call wrote';
  if (scope.kind === 'up-to') return 'what this and earlier calls wrote';
  const [only, ...more] = scope.paths;
  return only !== undefined && more.length === 0 ? toDisplay(nameOf(only)) : 'the selection';
}

/** Why a request cannot be sent yet. */
export const OBSTACLES = {
  offline: 'The server does not answer.',
  loading: 'Preparing the commit.',
  stale: 'The changes are out of date. Refresh first.',
  nothingToCommit: 'Nothing to commit.',
  nothingToDiscard: 'Nothing to discard.',
  conflicts: (open: number): string =>
    `Choose what to do with ${open === 1 ? 'one conflict' : `${format.count(open)} conflicts`}.`,
  undo: 'Choose what to do with what is not as the commit left it.',
  noUndo: 'Too much to keep for an undo: confirm that this cannot be undone.',
  typed: 'Type the number of entries to confirm.',
  ticked: 'Confirm what your rules name.',
} as const;

/** What is ticked where rules want a confirmation. */
export const confirmTick = (count: number): string =>
  count === 1 ? 'Yes, commit it too' : `Yes, commit these ${format.count(count)} too`;

export const COMMIT = {
  effect: 'Writes these changes to your real files.',
  undoable: ' You can undo this.',
  copies: 'The session was running: copies were committed, and the overlay is tidied when it is quiet.',
} as const;

export const ignoredToo = (count: number, bytes: number): string =>
  `Also commit ${format.plural(count, 'ignored entry', 'ignored entries')} (${format.bytes(bytes)})`;

export const withoutUndo = (bytes: number, most: number): string =>
  `Commit without undo. Keeping what it replaces or deletes takes ${format.bytes(bytes)}; up to ${format.bytes(most)} are kept without asking.`;

export function outcomeText({ state, cancelled, stopped, applied }: CommitReport): string {
  if (cancelled) return `Cancelled after ${entries(applied)}. The rest is still pending: commit again.`;
  if (state === 'applied') return 'Committed.';
  if (stopped !== true) return 'Committed in part. The entries named below are still pending.';
  return 'Stopped in the middle. Nothing is lost: the rest is still pending, and the next commit goes on.';
}

export const DISCARD = {
  effect: 'Your files on the host stay as they are. Discarded changes go to the trash: “Undo” restores them.',
  whyEnd:
    'These processes go on, with your files as they are. What one has open for writing stays pending, unless you end them.',
  done: (count: number): string => `Discarded ${entries(count)}. You can undo this.`,
  left: (count: number): string => `${format.plural(count, 'entry stays', 'entries stay')} pending:`,
} as const;

export const UNDO = {
  effect: 'The undone changes are pending again. Nothing else is touched.',
  whyEnd: 'This can only be done when nothing runs in the session.',
  done: (n: number, count: number): string => `Commit ${n} undone. ${pendingAgain(count)}`,
  beside: (n: number, count: number): string =>
    `Commit ${n} undone. A later call had changed ${entries(count)}: its version stays pending, and what was committed is kept:`,
  kept: 'The session has a version of its own of these, which stays pending. What the host has now will be kept:',
  failed: (what: string): string => `Not everything was undone: ${what}`,
  choices: 'Keep host leaves them as they are. Undo too reverts them: what the host has now is pending then.',
} as const;

export const pendingAgain = (count: number): string =>
  `${format.plural(count, 'entry is', 'entries are')} pending again.`;

export const CANCELLING = {
  'no': 'What is done stays done; the rest stays pending.',
  'asked': 'Stopping after the current entry…',
  'too-late': 'Too late to stop.',
} as const;

export const HISTORY_STATES: Record<HistoryEntry['state'], string> = {
  'applied': '',
  'partial': 'applied in part',
  'unfinished': 'not finished',
  'undone': 'undone',
  'partly-undone': 'partly undone',
};

/** @param rules `effects[0] of FILE` */
export const ruleCommitted = (rules: string): string => `Committed after a call by ${visibleText(rules)}`;

export const HISTORY_ABOUT =
  'Each commit, discard and undo of this session, the newest first. Only the latest one can be undone.';
