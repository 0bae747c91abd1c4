/** What plan.ts is given and what it makes. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Mount } from '../../kernel/mounts/mountinfo.ts';
import type { CoveredChild, PlanNote } from '../../session/session-context.ts';

export interface PlanFs {
  /** Names of the directories (not of links to directories) right below `dir`; empty when it can't be read. */
  directories(dir: BytePath): BytePath[];
  isDirectory(path: BytePath): boolean;
  /** False where this user may not search a directory above it (or it is not there). */
  canReach(path: BytePath): boolean;
  /** True for a directory whose owner or group does not exist in the sandbox: it can't be copied up. */
  isForeign(dir: BytePath): boolean;
  /** Of a directory of others: true where this user may make things in it. */
  mayWrite?(dir: BytePath): boolean;
  /** True for a directory that is worth a copy of its own files, and small enough: $HOME, the project. */
  isCopyable?(dir: BytePath): boolean;
  /** Names that the sandbox has itself made in such a directory. */
  ownNames?(dir: BytePath): readonly string[];
  /** True for what the session has an overlay of already, in the plan or not. */
  isCoveredDir?(dir: BytePath): boolean;
  /** True only where it is certain that this user can write nothing in `dir` or below it. Must be quick, so it may give up. */
  isClosed?(dir: BytePath): boolean;
  /**
   * Names of this user's directories in one of others in which this user may make nothing; null where they are many, or
   * where a file is this user's, too.
   */
  ownDirectories?(dir: BytePath): readonly BytePath[] | null;
  /** True for a directory of others over which an overlay would take no write. */
  takesNoWrite?(dir: BytePath): boolean;
}

export interface PlanInput {
  mounts: readonly Mount[];
  /** Directories that stay the host's. */
  scratch: readonly BytePath[];
  /** Repository's top level, or the directory itself. */
  projectRoot: BytePath;
  /** Directories that must be writable whoever owns those above them: the project, $HOME. */
  own: readonly BytePath[];
  /** Its uppers can't be mounted any more once it is covered: the place that holds it comes last. */
  stateDir: BytePath;
  /** Points of network mounts that do not answer. */
  silent?: ReadonlySet<BytePath>;
  fs: PlanFs;
}

/** One step of the plan, in the order in which it is mounted. */
export type PlanStep =
  /** Bind `path` over itself, so that it stays writable when what holds it is made read-only. */
  | { do: 'direct'; path: BytePath }
  | { do: 'overlay'; path: BytePath }
  /**
   * Make the mount at `path` read-only (not what is mounted below it). `mounted`: there is one already; else `path` is
   * bound over itself first. `late`: after all overlays, since an upper below it could not be mounted any more.
   */
  | {
      do: 'read-only';
      path: BytePath;
      mounted: boolean;
      late: boolean;
      flags: readonly string[];
      /** The mount that it lies on is made read-only, and it with that: nothing is to be done. */
      held?: true;
    }
  /**
   * An overlay over a directory that has mounts below it: its lower directory is a copy of the directory's own files,
   * and what `children` show by then is bound on top again. After all other steps, the innermost first.
   */
  | { do: 'copied'; path: BytePath; children: readonly CoveredChild[] }
  /** Bind `path` aside before its parent is covered, and back on top afterwards. */
  | { do: 'keep'; path: BytePath; below: BytePath };

export interface PlanDraft {
  steps: PlanStep[];
  notes: PlanNote[];
  /**
   * Mount points that may be writable in the end: covered directories, scratch, kernel interfaces, what nobody can reach.
   * `enter` refuses to go on when any other mount is.
   */
  writable: BytePath[];
}
