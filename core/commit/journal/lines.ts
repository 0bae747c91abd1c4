/**
 * The lines of a journal, format version 5. A line is written before the action that it announces: from the
 * lines alone the next run rolls the transaction forward or back (see `Phase`).
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { CommitReport, EntryFailure } from '../../../shared/model/commit.ts';
import type { DiscardUnit, Unit, UpperEntry } from './unit.ts';

/** A journal of another version is refused, not migrated. */
export const JOURNAL_VERSION = 5;

export interface BeginLine {
  t: 'begin';
  v: typeof JOURNAL_VERSION;
  /** 0 for a discard, which the name of its directory identifies. */
  n: number;
  session: string;
  at: string;
  revision: string;
  live: boolean;
  /** Changes that stay pending by the user's choice (ignored, kept). */
  leftOut: BytePath[];
  kept: number;
  ignored: number;
  reversible: boolean;
  /** The effect rules that committed it after a call; missing = the user did. */
  auto?: string;
  /** The commit that this undo reverts; or the undo that this redo reverts. */
  undoes?: number;
  redoes?: number;
  discards?: DiscardInfo;
}

export interface DiscardInfo {
  /** `all`: the link `overlay` names the session's overlay. `selection`: `overlay/<i>` is the entry of unit `i`. */
  kind: 'all' | 'selection';
  entries: number;
  /** Of a live session: copies, from phase `ready` on complete; see upper/stored.ts. */
  live?: true;
}

/** An entry that an undo puts back into the upper, so that it is pending again. */
export interface PendingLine {
  t: 'pending';
  i: number;
  path: BytePath;
  /** `copy`: waits below `back/`. `dir`: a directory whose own mode and owner are pending. */
  kind: 'copy' | 'whiteout' | 'dir';
  /** `copy`: it stays in `back/`, since the session has a version of its own. */
  stays?: true;
  /** Of one that stays: it is as committed, and a later call made the session's version. */
  later?: true;
  /** `copy`: identifies it in the upper, see `birthOf`. */
  born: string | null;
  mode: number;
  uid: number;
  gid: number;
  mtime: string;
  /** `dir`: its extended attributes, if any; see core/kernel/fs/xattr-text.ts. */
  xattrs?: string;
}

/** Written before the staging directory is made. */
export interface StageLine {
  t: 'stage';
  base: BytePath;
  name: BytePath;
}

/** Units that were not begun are left out: the user cancels the commit, or discards what is pending. */
export interface AbandonLine {
  t: 'abandon';
  why: 'cancelled' | 'discarded';
}

/**
 * Of a commit, by number of unit: what the base record of the file that is now its before-image said of the content.
 * The undo then need not read it. May be missing, as a whole and of any unit.
 */
export interface HashesLine {
  t: 'hashes';
  /** `blob` as in a base record. */
  of: [i: number, sha256: string, blob: boolean][];
}

export type JournalLine =
  | BeginLine
  | StageLine
  | Unit
  /** Directories of the upper above the entries, parents first. */
  | { t: 'above'; entries: UpperEntry[] }
  /**
   * Unchanged entries of a directory that was made again: they may leave the upper together with it. Of an
   * undo: what is pending again; of the units `trees`, everything below the top is as the unit lists it.
   */
  | { t: 'same'; entries: UpperEntry[]; trees?: number[] }
  | { t: 'refused'; entries: EntryFailure[] }
  | { t: 'ready'; units: number }
  /** Written before a directory's mode is loosened so that its owner may write in it. */
  | { t: 'loosen'; path: BytePath; mode: number; id: string }
  | { t: 'loosen-upper'; path: BytePath; mode: number; id: string }
  /** `whiteout`: of a discard that left one in the place of unit `i`; its undo replaces it. */
  | { t: 'done'; i: number; note?: string; stamp?: string; whiteout?: true }
  | { t: 'fail'; i: number; message: string }
  | AbandonLine
  | { t: 'applied' }
  | HashesLine
  | { t: 'no-image'; i: number }
  /** Of an undo: the change time (ns) of a file that was linked to `back/` before its unit failed, and is not any more. */
  | { t: 'unlinked'; i: number; stamp: string }
  | PendingLine
  /** Of an undo: files beside databases with overrides. A redo requires that all of them are still there. */
  | { t: 'beside'; paths: BytePath[] }
  /** In the commit's journal: undo `by` has reverted these units. */
  | { t: 'undone'; by: number; units: number[] }
  /** The before-images were removed to free space. */
  | { t: 'collected' }
  /**
   * `at`: ms since the epoch; a host entry with a later change time was changed since. `indexes`: path ->
   * digest of each git index as the transaction left it; see git-index.ts.
   */
  | { t: 'end'; report: CommitReport | null; at?: number; indexes?: Record<BytePath, string> }
  | { t: 'dropped' }
  | DiscardUnit
  /** Of a discard of a selection: the base records of the discarded entries, as lines of base.jsonl. */
  | { t: 'bases'; text: string }
  /** `entries`: how many, of a live session where some stay pending. */
  | { t: 'discarded'; entries?: number }
  /** The undo of the discard has begun. `aside`: name of the link to the overlay that a whole one replaces. */
  | { t: 'reopen'; aside?: string };
