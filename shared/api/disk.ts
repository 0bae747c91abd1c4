/** What the sessions take on disk, and what may be removed to make room: `GET /disk`, `GET /gc`, `POST /gc`. */
import type { BytePath } from '../bytes.ts';

/** Bytes on disk (blocks, not lengths) of one session. */
export interface SessionDisk {
  session: string;
  projectRoot: BytePath;
  /** The project's directory is not there any more. */
  projectGone: boolean;
  /** What is pending: the uppers with their base records. Never removed by a collection. */
  upper: number;
  /** What commits took away from the host, kept for an undo, and what an undo took off it and could not make pending. */
  images: number;
  /** What was discarded, kept for an undo. */
  trash: number;
  /** Log, plans, what git threw away. */
  other: number;
  /** The four together. */
  total: number;
}

export interface DiskUse {
  /** When it was put together, ISO time. The sizes of a session in which something runs may be a minute older. */
  at: string;
  /** The biggest first. */
  sessions: SessionDisk[];
  /** All sessions together. */
  total: number;
  /** Of the file system that the state directory is on: free for this user, and in all. */
  free: number;
  size: number;
  /** `disk.warnFreeBytes` of the config; 0 = never warn. */
  warnFreeBytes: number;
  /** `free` is below it. */
  low: boolean;
}

/** Something that may be removed. */
export interface GarbageItem {
  /** `images` of a commit, a `discard` in the trash, or a whole forgotten `session`. */
  kind: 'images' | 'discard' | 'session';
  session: string;
  /** Number of the commit, or name in the trash; else empty. */
  name: string;
  /** ISO time of the commit or discard; of a session empty. */
  at: string;
  bytes: number;
  /** A sentence. */
  why: string;
}

/** What a collection would remove. Changes nothing. */
export interface GcPreview {
  found: GarbageItem[];
  bytes: number;
}

/** Removes exactly these, of what was shown. What is not garbage any more stays, and is not an error. */
export interface GcOrder {
  items: Pick<GarbageItem, 'kind' | 'session' | 'name'>[];
}

export interface GcReport {
  removed: GarbageItem[];
  /** Ordered, but it stayed: it is needed again, is gone already, or could not be removed. */
  kept: (Pick<GarbageItem, 'kind' | 'session' | 'name'> & { why: string })[];
  /** Bytes of what was removed. */
  freed: number;
}

export type LowSpace = Pick<DiskUse, 'free' | 'warnFreeBytes'>;
