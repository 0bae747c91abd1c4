import type { BytePath } from '../bytes.ts';

/** `merge` is refused where both sides changed the same lines; `merge-markers` marks those. */
export type ConflictChoice = 'keep-host' | 'take-sandbox' | 'merge' | 'merge-markers';

/** `call`: what only this call wrote last. `up-to`: it and all that began before it. */
export type Scope =
  | { kind: 'all' }
  | { kind: 'paths'; paths: BytePath[] }
  | { kind: 'call'; call: string }
  | { kind: 'up-to'; call: string };

export interface Told {
  path: BytePath;
  why: string;
}

/** A commit as the API and the terminal request it: the scope is never left out. */
export interface ScopedCommitRequest extends Omit<CommitRequest, 'only' | 'exactly' | 'stale'> {
  scope: Scope;
}

/** Null: no list was shown; whatever is pending by then is meant. */
export type Unseen<T extends { revision: string }> = Omit<T, 'revision'> & { revision: string | null };

export interface CommitRequest {
  revision: string;
  includeIgnored: boolean;
  conflicts: 'refuse' | 'keep-host' | 'take-sandbox';
  choices: Record<string, ConflictChoice>;
  /** By change id: `MergePreview.etag` of the merge that the user saw. */
  merges?: Record<string, string> | undefined;
  /** Answers the mass guard, as does its number in `typedCount`. */
  yes: boolean;
  typedCount: number | null;
  noUndo?: boolean | undefined;
  /** At or below these paths. With neither this nor `exactly`: everything. */
  only?: ReadonlySet<BytePath> | undefined;
  exactly?: ReadonlySet<BytePath> | undefined;
  /** Changes that are not as reviewed: they stay pending, with what depends on them, and are named. */
  stale?: ReadonlySet<BytePath> | undefined;
}

export interface UndoLimits {
  maxBytes: number;
  keepDays: number;
  keepBytes: number;
}

export interface MassGuard {
  reasons: string[];
  count: number;
  /** Of `count`: what an effect rule wants confirmed; missing = none. */
  asked?: number;
}

export interface EntryFailure {
  path: BytePath;
  message: string;
}

/** What the host had at a path of which the session has a version of its own: that stays pending, and the host's is kept `at`. */
export interface Beside {
  path: BytePath;
  at: BytePath;
}

export interface CommitReport {
  n: number;
  /** `partial`: see `failed` and `notApplied`; the next run rolls it forward. */
  state: 'applied' | 'partial';
  applied: number;
  bytes: number;
  /** Files of which only the modification time was set; not among `applied`. */
  times?: number | undefined;
  kept: number;
  ignored: number;
  failed: EntryFailure[];
  notApplied: BytePath[];
  marked?: BytePath[] | undefined;
  /** Of an undo: what a later call had changed, so that it is not pending again; what was committed is kept `at`. */
  beside?: Beside[] | undefined;
  /** An error stopped it: nothing after that was tried. */
  stopped?: true | undefined;
  /** The session was live: copies were committed, and the upper is cleaned once it is quiet. */
  copies: boolean;
  cancelled?: boolean | undefined;
  ms: number;
}

export interface DiscardReport {
  trash: string;
  entries: number;
  /** Of a live session: what stays pending, and why. */
  left?: Told[] | undefined;
}

export interface LiveProcess {
  pid: number;
  /** Clock ticks from boot to its start, in decimal (field 22 of /proc/PID/stat): the kernel reuses pids. */
  start: string;
  /** argv joined, cut to 200 characters, without terminal control characters. */
  command: string;
  seconds: number;
}

export type UndoReason = 'host-changed' | 'host-removed' | 'host-created' | 'host-new-below';

export const UNDO_REASONS: Readonly<Record<UndoReason, string>> = {
  'host-changed': 'changed on the host since',
  'host-removed': 'removed on the host since',
  'host-created': 'created on the host since',
  'host-new-below': 'added below it on the host since, and stays in any case',
};

export interface UndoConflict {
  path: BytePath;
  reason: UndoReason;
}

export type UndoConflictChoice = 'keep-host' | 'take-back';

export interface UndoRequest {
  n: number;
  revision: string | null;
  conflicts: 'refuse' | UndoConflictChoice;
  choices: Record<string, UndoConflictChoice>;
  yes: boolean;
  typedCount: number | null;
}

export interface UndoPreview {
  n: number;
  at: string;
  revision: string;
  restored: number;
  removed: number;
  meta: number;
  conflicts: UndoConflict[];
  unable: EntryFailure[];
  /** `conflict`: only if conflicts are taken back. */
  kept: (Beside & { conflict: boolean })[];
  guard: MassGuard | null;
  /** Those that the undo can end. */
  processes: LiveProcess[];
}

export interface HistoryEntry {
  n: number;
  kind: 'commit' | 'undo' | 'redo' | 'discard';
  at: string;
  entries: number;
  bytes: number;
  state: 'applied' | 'partial' | 'unfinished' | 'undone' | 'partly-undone';
  of: number | null;
  trash: string | null;
  /** The effect rules that committed it after a call; empty = the user did. */
  auto: string;
  /** What can be done with exactly this entry. */
  can: 'undo' | 'redo' | null;
  /** Why an undo is not possible although one would expect it; or empty. */
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

/** The number of a commit or undo, or the name of a discard in the trash. */
export type HistoryKey = { n: number } | { trash: string };

export interface HistoryPaths {
  paths: HistoryPath[];
  /** Start of the next page; null = this was the last. */
  next: number | null;
  note: string;
}
