/**
 * The lines of a journal, format version 4. A transaction writes down what it is about to do before it does it: from these
 * lines alone the next run rolls it forward or back (see `Phase`).
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { CommitReport, EntryFailure } from '../../../shared/model/commit.ts';
import type { DiscardUnit, Unit, UpperEntry } from './unit.ts';

/** A journal of another version is refused: nothing was released that wrote one. */
export const JOURNAL_VERSION = 4;

export interface BeginLine {
  t: 'begin';
  v: typeof JOURNAL_VERSION;
  /** Of a discard 0: the name of its directory tells it. */
  n: number;
  session: string;
  /** ISO time. */
  at: string;
  revision: string;
  live: boolean;
  /** Changes that the user left out (ignored, kept): they stay pending. */
  leftOut: BytePath[];
  kept: number;
  ignored: number;
  /** What an undo needs is kept. */
  reversible: boolean;
  /** This transaction takes commit `undoes` back; or applies again what undo `redoes` had taken back. */
  undoes?: number;
  redoes?: number;
  discards?: DiscardInfo;
}

/** What a discard is about. */
export interface DiscardInfo {
  /** `all`: `overlay/` of its directory is the session's overlay. `selection`: `overlay/<i>` is the entry of unit `i`. */
  kind: 'all' | 'selection';
  /** Entries that it holds, as the user was told. */
  entries: number;
  /** Number and host path of each covered directory. */
  coveredDirs: [number, BytePath][];
}

/** What an undo puts back into the upper, so that it is pending again. */
export interface PendingLine {
  t: 'pending';
  /** The unit with which it stands or falls. */
  i: number;
  path: BytePath;
  /** `copy`: waits below `back/`. `dir`: a directory of its own mode and owner. */
  kind: 'copy' | 'whiteout' | 'dir';
  /** `copy`: stays in `back/`, since the session has a version of its own. */
  stays?: true;
  /** `copy`: by which it is recognised in the upper, see `birthOf`. */
  born: string | null;
  /** What a `copy` or `dir` is to have. */
  mode: number;
  uid: number;
  gid: number;
  mtime: string;
  /** `dir`: its extended attributes, where it has any; see core/kernel/fs/xattr-text.ts. */
  xattrs?: string;
}

/** Written before the staging directory is made. */
export interface StageLine {
  t: 'stage';
  /** The directory that holds it, and its name there. */
  base: BytePath;
  name: BytePath;
}

/** What is not begun does not reach the host: the user has stopped the commit, or discards what is pending. */
export interface AbandonLine {
  t: 'abandon';
  why: 'cancelled' | 'discarded';
}

export type JournalLine =
  | BeginLine
  | StageLine
  | Unit
  /** Directories of the upper above the entries, parents first. */
  | { t: 'above'; entries: UpperEntry[] }
  /**
   * What a directory that was made again holds unchanged: it may leave the upper together with that directory. Of an undo:
   * what is pending again; `trees` are units of which all below the topmost is there as they name it.
   */
  | { t: 'same'; entries: UpperEntry[]; trees?: number[] }
  /** What could not be staged, and why; it stays pending. */
  | { t: 'refused'; entries: EntryFailure[] }
  /** `units`: how many unit lines there are, so that a damaged one is noticed. */
  | { t: 'ready'; units: number }
  /** Written before a directory's mode is loosened so that its owner may write in it. */
  | { t: 'loosen'; path: BytePath; mode: number; id: string }
  /** The same for a directory of an upper, while committed entries leave it. */
  | { t: 'loosen-upper'; path: BytePath; mode: number; id: string }
  /** `stamp`: see stamps.ts. */
  | { t: 'done'; i: number; note?: string; stamp?: string }
  | { t: 'fail'; i: number; message: string }
  | AbandonLine
  | { t: 'applied' }
  /** The before-image of unit `i` could not be kept after all. */
  | { t: 'no-image'; i: number }
  | PendingLine
  /** Of an undo: what the host had beside databases whose conflict a redo would decide again; all of it must be there still. */
  | { t: 'beside'; paths: BytePath[] }
  /** In the commit's journal: an undo has taken these units back. */
  | { t: 'undone'; by: number; units: number[] }
  /** Its before-images were removed to make room. */
  | { t: 'collected' }
  /**
   * `at`: ms since the epoch; a host entry with a later change time was changed since. `indexes`: by path, what each git index
   * says that it has left; see git-index.ts.
   */
  | { t: 'end'; report: CommitReport | null; at?: number; indexes?: Record<BytePath, string> }
  /** The committed entries have left the upper. */
  | { t: 'dropped' }
  | DiscardUnit
  /** Of a discard of a selection: the base records of what it takes out, as lines of base.jsonl. */
  | { t: 'bases'; text: string }
  /** The trash holds what was discarded. */
  | { t: 'discarded' }
  /** Its undo has begun. `aside`: name, in the directory, of the overlay that makes room for a whole one. */
  | { t: 'reopen'; aside?: string };
