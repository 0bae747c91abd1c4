/**
 * The lines of `sessions/<id>/commits/<n>/journal.jsonl`, format version 2. A commit writes down what it is about to
 * do before it does it; whoever finds the journal without `end` can finish it from these lines alone:
 *
 * - no `ready`: the host was not touched; remove the staging directories
 * - `ready`: every unit is staged and on disk; carry out the units that have no `done`
 * - `abandon`: what had been begun is finished; the units without `done` are not carried out, they stay pending
 * - `applied`: the host is done and on disk; remove the staging directories
 *
 * Version 1 had no `tree`; it is read like this one.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { CommitReport, EntryFailure } from '../../../shared/model/commit.ts';
import type { XattrStep } from '../../kernel/xattr/text.ts';

export interface BeginLine {
  t: 'begin';
  v: 1 | 2;
  n: number;
  session: string;
  at: string;
  revision: string;
  live: boolean;
  /** Changes that the person left out (ignored, kept): they stay pending. */
  left: BytePath[];
  kept: number;
  ignored: number;
  /** This transaction takes commit `undoes` back; or applies again what undo `redoes` had taken back. */
  undoes?: number;
  redoes?: number;
}

/** Where the before-image of a unit is; see node/images.ts. */
export type ImageKind = 'link' | 'copy';

/** An entry as the transaction leaves it on the host, by which a later change of the host is noticed. */
export interface LeftEntry {
  path: BytePath;
  /** See identity.ts; null = no entry. */
  id: string | null;
}

/** What an undo puts back into the upper, so that it is pending again. */
export interface BackLine {
  t: 'back';
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
  /** `dir`: its extended attributes, where it has any; see xattr-text.ts. */
  xattrs?: string;
}

/** Written before the staging directory is made. */
export interface StageLine {
  t: 'stage';
  /** The directory that holds it, and its name there. */
  base: BytePath;
  name: BytePath;
}

/** An entry of the upper that leaves it when the session is quiet, if `id` is still its identity. */
export interface UpperEntry {
  path: BytePath;
  /** See identity.ts; null when the upper has no entry there (hidden by a replaced directory). */
  id: string | null;
  /** Of a directory whose extended attributes are pending again: they must still be these for a redo. */
  xattrs?: string;
}

/** An entry that was in conflict, and of which the sandbox's version was taken. */
export interface TakenEntry {
  path: BytePath;
  /** By which it is in conflict once more after an undo; missing = it is by its group. */
  base?: BaseRecord['base'];
}

export interface UnitLine {
  t: 'unit';
  i: number;
  op: StepOp;
  path: BytePath;
  /** Index of the `stage` line and the path below its directory; null when nothing is staged. */
  stage: number | null;
  rel: BytePath | null;
  /** Identity of the staged entry, by which it is recognised on the host. */
  born: string | null;
  /** Identity of the host's entry when it was reviewed, null = none. */
  host: string | null;
  /** Name in the same directory that the old entry gets in a `swap`. */
  aside: BytePath | null;
  /** `meta`: what to set. `put` and `swap` of a directory that its owner may not write: the mode it must end with. */
  mode: number | null;
  uid: number | null;
  gid: number | null;
  /** Replaced directory: its modification time, ns as decimal. */
  mtime: string | null;
  /** In the file it is missing where there is a `tree`. */
  entries: UpperEntry[];
  /** Of what is `moved`: the same packed. */
  tree?: PackedTree;
  /** Host entries below a replaced directory, parents first, with their identities. */
  below: { path: BytePath; host: string }[];
  /** `meta` of a directory: what is made of its extended attributes, and what they were (the before-image). */
  xattrs?: XattrStep;
  /** Units that share one stand or fall together. */
  groups: string[];
  bytes: number;
  /** Kept of what was there before; missing where nothing was, or nothing was to be kept. */
  image?: ImageKind;
  /**
   * It puts a merge in place: the directory with the sandbox's version, the base that both had, and what the merge is, by
   * which a redo knows that it would make the same one; `marks` = places with conflict markers in it. See node/merges.ts.
   */
  merged?: { id: string; base: BaseRecord['base']; print?: string; marks?: number };
  /** Conflicts among `entries` that were decided for the sandbox; see node/taken.ts. */
  taken?: TakenEntry[];
  /**
   * `put` of a new directory: nothing is staged, it is renamed out of the upper, with all that is in it; `entries` are its
   * own inodes. See node/moves.ts. `delete` of such a directory, by an undo: it is renamed to `back/`; `entries` are those of
   * the host. See node/undo-trees.ts.
   */
  moved?: true;
  /** Of an undo: the units of the commit that it takes back. */
  takesBack?: number[];
}

export type JournalLine =
  | BeginLine
  | StageLine
  | UnitLine
  /** Directories of the upper above the entries, parents first. */
  | { t: 'above'; entries: UpperEntry[] }
  /**
   * What a directory that was made again holds unchanged: it may leave the upper together with that directory. Of an undo:
   * what is pending again; `trees` are units of which all below the topmost is there as they name it.
   */
  | { t: 'same'; entries: UpperEntry[]; trees?: number[] }
  /** What could not be staged, and why; it stays pending. */
  | { t: 'refused'; entries: EntryFailure[] }
  /** `units`: how many unit lines there are, so that a damaged one is noticed. `at`: ms; all that is staged was done by then. */
  | { t: 'ready'; units: number; at?: number }
  /** Written before a directory's mode is loosened so that its owner may write in it. */
  | { t: 'loosen'; path: BytePath; mode: number; id: string }
  /** The same for a directory of an upper, while committed entries leave it. */
  | { t: 'loosen-upper'; path: BytePath; mode: number; id: string }
  /** `stamp`: see node/stamps.ts. */
  | { t: 'done'; i: number; note?: string; stamp?: string }
  | { t: 'fail'; i: number; message: string }
  /** The person has discarded what is pending, or stopped the commit: what is not begun does not reach the host. */
  | { t: 'abandon'; cancelled?: boolean }
  | { t: 'applied' }
  /** How unit `i` leaves its entries on the host; `moved`: as the unit names them, or of a deletion none of them. */
  | { t: 'left'; i: number; entries: LeftEntry[]; moved?: true }
  /** The before-image of unit `i` could not be kept after all. */
  | { t: 'no-image'; i: number }
  | BackLine
  /** Of an undo: what the host had beside databases whose conflict a redo would decide again; all of it must be there still. */
  | { t: 'beside'; paths: BytePath[] }
  /** In the commit's journal: an undo has taken these units back. */
  | { t: 'undone'; by: number; units: number[] }
  /** Its before-images were removed to make room. */
  | { t: 'collected' }
  /**
   * `at`: ms since the epoch; a host entry with a later change time was changed since. `indexes`: by path, what each git index
   * says that it has left; see changes/node/git-index.ts.
   */
  | { t: 'end'; report: CommitReport | null; at?: number; indexes?: Record<BytePath, string> }
  /** The committed entries have left the upper. */
  | { t: 'dropped' };

/**
 * - `put`: a new entry, or one that takes the place of another by one rename (a whole new tree is one `put`)
 * - `swap`: a directory for something else or the other way round; the old entry is renamed aside first
 * - `meta`: mode or owner of an entry that stays (a `meta` change of extended attributes is a `put`)
 * - `delete`: one unlink or rmdir
 */
export type StepOp = 'put' | 'swap' | 'meta' | 'delete';

export interface PackedTree {
  count: number;
  /** What all of them have, or those of which nothing else is said. */
  dev: string;
  owner: string;
  /**
   * For each entry its path below the directory (itself: nothing) and its identity. Both end with two slashes, which no path
   * has. The identity is one of node/identity.ts, or, of files of one name, what the list says (changes/identity.ts).
   */
  text: string;
}
