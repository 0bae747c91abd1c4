/** Requests and reports of commit, discard and undo. Pure data. */
import type { BytePath } from '../bytes.ts';

/** `merge` puts both changes together, and is refused where they touch the same lines; `merge-markers` marks those. */
export type ConflictChoice = 'keep-host' | 'take-sandbox' | 'merge' | 'merge-markers';

/**
 * What an order is about. A path means the entry itself and everything below it; a call means the changes that it, and
 * nobody else, wrote last; `up-to` means that call and all that began before it.
 */
export type Scope =
  | { kind: 'all' }
  | { kind: 'paths'; paths: BytePath[] }
  | { kind: 'call'; call: string }
  | { kind: 'up-to'; call: string };

/** An entry, and a sentence about it for a person. */
export interface Told {
  path: BytePath;
  why: string;
}

/** A commit as it is ordered: how much is meant is never left out. */
export interface CommitOrder extends Omit<CommitRequest, 'only' | 'exactly' | 'stale'> {
  scope: Scope;
}

/** An order of who may have seen no list: with null what is pending by then is meant. */
export type Unseen<T extends { revision: string }> = Omit<T, 'revision'> & { revision: string | null };

export interface DiscardOrder {
  scope: Scope;
  revision: string;
  endProcesses: boolean;
}

export interface CommitRequest {
  /** The list that the person saw. */
  revision: string;
  includeIgnored: boolean;
  /** What to do with every conflict not named in `choices`. Merges are looked at one by one. */
  conflicts: 'refuse' | 'keep-host' | 'take-sandbox';
  /** By change id. */
  choices: Record<string, ConflictChoice>;
  /** By change id: `MergePreview.etag` of the merges that the person saw. */
  merges?: Record<string, string> | undefined;
  /** `--yes`: the mass guard is answered. */
  yes: boolean;
  /** Or the count that the person typed in the tab; must equal the guard's number. */
  typedCount: number | null;
  /** Keep nothing of what was there before: the commit can not be taken back. */
  noUndo?: boolean | undefined;
  /** Commit these paths, and what is below them, only. With neither this nor `exactly`: everything. */
  only?: ReadonlySet<BytePath> | undefined;
  /** Commit these changes, and what they can't go without, only. */
  exactly?: ReadonlySet<BytePath> | undefined;
  /** Changes that are not as they were reviewed: they stay pending, with what can't go without them, and are named. */
  stale?: ReadonlySet<BytePath> | undefined;
}

/** How much is kept so that commits can be taken back. */
export interface UndoLimits {
  /** Before-images of one commit; above this the person is asked (bytes). */
  maxBytes: number;
  keepDays: number;
  /** Before-images of all commits together (bytes). */
  keepBytes: number;
}

export interface MassGuard {
  /** Why it wants a confirmation: each a sentence naming the path. */
  reasons: string[];
  /** Existing host entries that would be deleted or replaced. */
  count: number;
}

export interface EntryFailure {
  path: BytePath;
  message: string;
}

export interface CommitReport {
  /** Number of the commit in the session, from 1. */
  n: number;
  /** `applied`: everything; `partial`: not all of it, see `failed` and `notApplied`; the next run goes on. */
  state: 'applied' | 'partial';
  applied: number;
  bytes: number;
  /** Files that got another modification time, and nothing else; not among `applied`. Missing = none. */
  times?: number | undefined;
  /** Conflicts left as they are on the host by choice. */
  kept: number;
  /** Stay pending: ignored entries. */
  ignored: number;
  failed: EntryFailure[];
  notApplied: BytePath[];
  /** Files into which conflict markers were written. */
  marked?: BytePath[] | undefined;
  /** It ended before its end, by an error: nothing after that was tried. */
  stopped?: true | undefined;
  /** True when the session was live: copies were committed, the upper is cleaned when it is quiet. */
  copies: boolean;
  /** The person stopped it: what is in `notApplied` stays pending and is committed by the next commit. */
  cancelled?: boolean | undefined;
  ms: number;
}

export interface DiscardReport {
  /** Name of the directory in trash/, which `undo` takes. */
  trash: string;
  entries: number;
}

export interface LiveProcess {
  pid: number;
  /** Clock ticks from boot to its start, in decimal: with the pid it names one process, pids are used again. */
  start: string;
  /** argv joined, cut to 200 characters; nothing in it is left that a terminal would obey. */
  command: string;
  /** Seconds since it started. */
  seconds: number;
}

/** Why the host is not as a commit left it. */
export type UndoReason = 'host-changed' | 'host-removed' | 'host-created' | 'host-new-below';

export interface UndoConflict {
  path: BytePath;
  reason: UndoReason;
}

export type UndoConflictChoice = 'keep-host' | 'take-back';

export interface UndoRequest {
  /** Number of the commit. */
  n: number;
  /** Of the preview that the person saw; null = none was shown. */
  revision: string | null;
  /** What to do with what the host changed since, where `choices` says nothing. */
  conflicts: 'refuse' | UndoConflictChoice;
  /** By path. */
  choices: Record<string, UndoConflictChoice>;
  /** The mass guard is answered, by a word or by the number. */
  yes: boolean;
  typedCount: number | null;
}

/** What taking a commit back would do. */
export interface UndoPreview {
  n: number;
  /** ISO time of the commit. */
  at: string;
  revision: string;
  /** Entries that would be put back, removed, or given their old mode and owner. */
  restored: number;
  removed: number;
  meta: number;
  conflicts: UndoConflict[];
  /** What can't be taken back, and why. */
  unable: EntryFailure[];
  guard: MassGuard | null;
}

/** A line of a session's history, newest first. */
export interface HistoryEntry {
  /** Number of the commit or undo; 0 for a discard. */
  n: number;
  kind: 'commit' | 'undo' | 'redo' | 'discard';
  at: string;
  entries: number;
  bytes: number;
  state: 'applied' | 'partial' | 'unfinished' | 'undone' | 'partly-undone';
  /** Of an undo or redo: the commit or undo that it is about. */
  of: number | null;
  /** Name in the trash, for a discard that can be taken back. */
  trash: string | null;
  /** `undo` takes exactly this one back, or `redo` applies it again. */
  can: 'undo' | 'redo' | null;
  /** Why it can not be taken back, where one would expect that it can; or empty. */
  why: string;
}

export const PATH_CHANGES = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  meta: 'mode or owner',
  dropped: 'dropped',
  kept: 'deletion dropped',
} as const;
export type PathChange = keyof typeof PATH_CHANGES;

export interface HistoryPath {
  path: BytePath;
  what: PathChange;
}

/** Which row of the history is meant: the number of a commit or undo, or the name of a discard in the trash. */
export type HistoryKey = { n: number } | { trash: string };

export interface HistoryPaths {
  paths: HistoryPath[];
  /** Ask for the next page with this; null = that was the last. */
  next: number | null;
  /** What there is to say about the list, a sentence; or empty. */
  note: string;
}
