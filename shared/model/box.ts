/** What a client in a box (`trai box`) sees: rows of one table, of which argv, dry run, audit screen and the agent's context are made. */
import type { BytePath } from '../bytes.ts';
import type { BoxOptions } from '../config/box.ts';

/**
 * - `ro`: the session's view, read-only. `pending`: the same, and what is written there is pending.
 * - `host`: what is written there is the host's at once.
 * - `instance`: kept for boxes of this project, below trai's state directory. `empty`: nothing is there.
 * - `tmpfs`: begins empty, and ends with the box. `proc`, `dev`: its own.
 */
export type BoxHow = 'ro' | 'host' | 'pending' | 'instance' | 'empty' | 'tmpfs' | 'proc' | 'dev';

export interface BoxRow {
  what: string;
  /** In the session's merged view; null for a file system of its own. */
  from: BytePath | null;
  to: BytePath;
  how: BoxHow;
  why: string;
}

/** sessions/ID/box.json: how the session's newest box was started. Names of variables, never values. */
export interface BoxRecord {
  v: 1;
  /** The directory of the project's instance. */
  instance: string;
  rows: readonly BoxRow[];
  variables: readonly string[];
  net: BoxOptions['net'];
  write: BoxOptions['write'];
  /** Directories, and files, of the host's that the box writes at once. */
  direct: readonly BytePath[];
  directFiles: readonly BytePath[];
  /** Commit, undo and passthrough may be typed inside. */
  commitInside: boolean;
}
