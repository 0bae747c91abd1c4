/** Requests and reports of commit, discard and undo. Pure data. */
import type { BytePath } from '../bytes.ts';

/** `merge` puts both changes together, and is refused where they touch the same lines; `merge-markers` marks those. */
export type ConflictChoice = 'keep-host' | 'take-sandbox' | 'merge' | 'merge-markers';

/** A path means all at or below it; a call the changes that only it wrote last; `up-to` that call and all that began before it. */
export type Scope =
  | { kind: 'all' }
  | { kind: 'paths'; paths: BytePath[] }
  | { kind: 'call'; call: string }
  | { kind: 'up-to'; call: string };

/** An entry, and a sentence about it. */
export interface Told {
  path: BytePath;
  why: string;
}

/** A commit as it is requested: what it is about is never left out. */
export interface ScopedCommitRequest extends Omit<CommitRequest, 'only' | 'exactly' | 'stale'> {
  scope: Scope;
}

/** With null no list was seen: what is pending by then is meant. */
export type Unseen<T extends { revision: string }> = Omit<T, 'revision'> & { revision: string | null };

export interface DiscardRequest {
  scope: Scope;
  revision: string;
  endProcesses: boolean;
}

export interface CommitRequest {
  /** The list that the user saw. */
  revision: string;
  includeIgnored: boolean;
  /** What to do with every conflict not named in `choices`. */
  conflicts: 'refuse' | 'keep-host' | 'take-sandbox';
  /** By change id. */
  choices: Record<string, ConflictChoice>;
  /** By change id: `MergePreview.etag` of the merges that the user saw. */
  merges?: Record<string, string> | undefined;
  /** The mass guard is answered: by `--yes`, or by typing its number. */
  yes: boolean;
  typedCount: number | null;
  /** Keep no before-images. */
  noUndo?: boolean | undefined;
  /** Only what is at or below these paths. With neither this nor `exactly`: everything. */
  only?: ReadonlySet<BytePath> | undefined;
  /** Only these changes and their dependencies. */
  exactly?: ReadonlySet<BytePath> | undefined;
  /** Changes that are not as they were reviewed: they stay pending, with what depends on them, and are named. */
  stale?: ReadonlySet<BytePath> | undefined;
}

/** How many before-images are kept. */
export interface UndoLimits {
  /** Of one commit; above this the user is asked (bytes). */
  maxBytes: number;
  keepDays: number;
  /** Of all commits together (bytes). */
  keepBytes: number;
}

export interface MassGuard {
  /** Sentences that name the path. */
  reasons: string[];
  /** Existing host entries that would be deleted or replaced. */
  count: number;
}

export interface EntryFailure {
  path: BytePath;
  message: string;
}

export interface CommitReport {
  /** From 1. */
  n: number;
  /** `partial`: see `failed` and `notApplied`; the next run goes on. */
  state: 'applied' | 'partial';
  applied: number;
  bytes: number;
  /** Files that got nothing but another modification time; not among `applied`. */
  times?: number | undefined;
  /** Conflicts left as they are on the host by choice. */
  kept: number;
  /** Stay pending: ignored entries. */
  ignored: number;
  failed: EntryFailure[];
  notApplied: BytePath[];
  /** Files into which conflict markers were written. */
  marked?: BytePath[] | undefined;
  /** An error ended it: nothing after that was tried. */
  stopped?: true | undefined;
  /** The session was live: copies were committed, the upper is cleaned when it is quiet. */
  copies: boolean;
  /** The user stopped it: `notApplied` stays pending. */
  cancelled?: boolean | undefined;
  ms: number;
}

export interface DiscardReport {
  /** Name of the directory in trash/. */
  trash: string;
  entries: number;
}

export interface LiveProcess {
  pid: number;
  /** Clock ticks from boot to its start, in decimal: pids are used again. */
  start: string;
  /** argv joined, cut to 200 characters, without anything that a terminal would obey. */
  command: string;
  /** Since it started. */
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
  n: number;
  /** Of the preview that the user saw; null = none was shown. */
  revision: string | null;
  /** For what the host changed since, where `choices` says nothing. */
  conflicts: 'refuse' | UndoConflictChoice;
  /** By path. */
  choices: Record<string, UndoConflictChoice>;
  yes: boolean;
  typedCount: number | null;
}

export interface UndoPreview {
  n: number;
  at: string;
  revision: string;
  /** Entries that would be put back, removed, or given their old mode and owner. */
  restored: number;
  removed: number;
  meta: number;
  conflicts: UndoConflict[];
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
  /** The commit or undo that an undo or redo is about. */
  of: number | null;
  /** Name in the trash, of a discard that can be undone. */
  trash: string | null;
  /** `undo` takes exactly this one back, or `redo` applies it again. */
  can: 'undo' | 'redo' | null;
  /** Why it can not be undone, where that is expected; or empty. */
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
  /** A sentence about the list, or empty. */
  note: string;
}
