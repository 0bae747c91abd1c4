import type { BytePath } from '../../../shared/bytes.ts';
import type { Transaction } from '../journal/journal.ts';

export interface Progress {
  done: number;
  total: number;
  path: BytePath;
  bytes: number;
}

export type OnProgress = (progress: Progress) => void;

/** What an earlier run had done when it died. */
export interface Earlier {
  done: ReadonlySet<number>;
  /** ms since the epoch: when it had written its last line. */
  until: number;
}

/** A transaction that is rolled forward from `ready`. */
export interface Task extends Transaction {
  onProgress: OnProgress | undefined;
  startedAt: number;
  /** The journal was begun by an earlier run: calls may have come between the review and now. */
  earlier?: Earlier;
  /** Some process has an upper mounted: nothing is renamed out of it. */
  live: boolean;
  /** Units that are on the host but not done, for the report: index → message. */
  unfinished: Map<number, string>;
  /** The user wants it to stop before the next entry. */
  cancelled?: (() => boolean) | undefined;
}
