import type { BytePath } from '../../../shared/bytes.ts';
import type { ReadJournal, Transaction } from '../journal/journal.ts';

export interface Progress {
  done: number;
  total: number;
  path: BytePath;
  bytes: number;
}

export type OnProgress = (progress: Progress) => void;

export interface Earlier {
  done: ReadonlySet<number>;
  /** ms since the epoch: the time of its last line. */
  until: number;
}

export interface Task extends Transaction {
  onProgress: OnProgress | undefined;
  startedAt: number;
  /** Set when an earlier run began the transaction: calls may have run since the review. */
  earlier?: Earlier;
  /** Of a commit by this run alone: no upper has changed since before the scan. */
  settled?: boolean | undefined;
  /** Of an undo: the commit, if this run has read its journal already. */
  commit?: ReadJournal;
  /** Units that are on the host but not done, for the report: number -> message. */
  unfinished: Map<number, string>;
  cancelled?: (() => boolean) | undefined;
}
