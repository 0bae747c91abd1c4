/** What stands on the timeline beside the calls. Pure data, made by shared/log/fold-marks.ts. */
import type { CommitEvent, CommitUndoneEvent, FileOutcome, SessionEvent } from './types.ts';

interface Base {
  /** Its own in the log, and the same however often the log is read. */
  id: string;
  /** ISO time of its first event. */
  at: string;
}

export interface PromptMark extends Base {
  kind: 'prompt';
  text: string;
  /** Characters that are not on record. */
  cut: number;
}
/** A use of one of the client's file tools, on the host. */
export interface FileMark extends Base {
  kind: 'file';
  tool: string;
  path: string;
  outcome: FileOutcome;
  agent: string;
  /** What the model was told of pending changes, or empty. */
  text: string;
}
export interface CommitMark extends Base {
  kind: 'commit';
  /** 0 when it was refused before it had a number. */
  n: number;
  state: CommitEvent['state'];
  entries: number;
  bytes: number;
  conflicts: number;
  text: string;
}
export interface DiscardMark extends Base {
  kind: 'discard';
  trash: string;
  entries: number;
}
/** A discard, a commit or an undo was taken back. */
export interface UndoMark extends Base {
  kind: 'undo';
  what: 'discard' | 'commit' | 'undo';
  /** Number of the commit or undo that was taken back; 0 of a discard. */
  of: number;
  state: CommitUndoneEvent['state'];
  entries: number;
  text: string;
}
/** Pending changes moved to or from another session. */
export interface AdoptMark extends Base {
  kind: 'adopt';
  from: string;
  to: string;
  entries: number;
}
/** A client joined or left. */
export interface SessionMark extends Base {
  kind: 'session';
  /** `end` = it left. */
  what: SessionEvent['source'] | 'end';
  /** Why it left, or empty. */
  text: string;
}

export type TimelineMark =
  | PromptMark
  | FileMark
  | CommitMark
  | DiscardMark
  | UndoMark
  | AdoptMark
  | SessionMark;
export type MarkKind = TimelineMark['kind'];
