import type { BytePath } from '../../../shared/bytes.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { Journal } from '../journal/journal-file.ts';

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

export interface Task {
  port: FsPort;
  ctx: SessionContext;
  journal: Journal;
  onProgress: OnProgress | undefined;
  startedAt: number;
  /** The journal was begun by an earlier run. */
  resumed: boolean;
  earlier?: Earlier;
  /** Some process has an upper mounted: nothing is renamed out of it. */
  live?: boolean;
  /** Units that are on the host but not done, for the report: index → message. */
  unfinished: Map<number, string>;
  /** The person wants it to stop before the next entry. */
  cancelled?: (() => boolean) | undefined;
}
