/** What the planner makes and the launcher mounts. Paths are byte strings. */
import { type BytePath, isWithin } from '../../shared/bytes.ts';
import type { UndoLimits } from '../../shared/model/commit.ts';

export interface CoveredDir {
  /** Number of its directory below `sessions/<id>/overlay/`: `<n>/u` upper, `<n>/w` work, `<n>/l` symlink to `path`. Stays the same for the session's life. */
  n: number;
  /** The covered directory on the host. */
  path: BytePath;
  /** Absolute upper and work directory. */
  upper: BytePath;
  work: BytePath;
  /**
   * Something is mounted below it, so its lower directory is `<n>/c`, a copy of its own files; `<n>/copies.json` says of
   * what (core/sandbox/prepare/copies.ts). These names in it are covered by themselves, and put on top again.
   */
  copied?: readonly CoveredChild[];
}

export interface CoveredChild {
  path: BytePath;
  /** A file that is mounted by itself. */
  file: boolean;
}

export interface PlanNote {
  path: BytePath;
  /** `read-only`: could not be covered, writing there fails loudly. `direct`: stays the host's (scratch, special file systems). */
  kind: 'read-only' | 'direct' | 'masked';
  why: string;
}

export interface Plan {
  v: 1;
  session: string;
  /** Hash of everything that went in (mountinfo, config, uid, project): the same id = the same plan. */
  id: string;
  /** True when made for real root (no user namespace). */
  root: boolean;
  coveredDirs: CoveredDir[];
  notes: PlanNote[];
  /** The mount source that names the session in mountinfo: `trai:<8 hex of the state dir>:<session>`. */
  source: string;
}

/**
 * All that scan, base records, reaper, diff, commit and discard need to know about a session's overlay.
 * Made by core/sandbox/context.ts.
 */
export interface SessionContext {
  session: string;
  /** Absolute directories; ordinary text (they come from the environment and from ids), unlike everything below. */
  stateDir: string;
  sessionDir: string;
  coveredDirs: CoveredDir[];
  /** The mount source of the session, see Plan. */
  source: string;
  /** Real root: overlay marks are `trusted.overlay.*`, no user namespace is needed to mount. */
  root: boolean;
  uid: number;
  gid: number;
  home: BytePath;
  projectRoot: BytePath;
  /** Never listed, never committed: the state dir, the runtime dir, what the client itself rewrites below ~/.claude. */
  excluded: BytePath[];
  /** Ignore rules (config.ignore). */
  ignore: readonly string[];
  /** config.undo; missing = the defaults. */
  undo?: UndoLimits;
}

/** The innermost covered directory that holds a host path, or null. */
export function coveringDir(coveredDirs: readonly CoveredDir[], path: BytePath): CoveredDir | null {
  let found: CoveredDir | null = null;
  for (const covered of coveredDirs) {
    if (isWithin(path, covered.path) && (found === null || covered.path.length > found.path.length))
      found = covered;
  }
  return found;
}

/** Where the upper holds a host path. */
export function upperPath(covered: CoveredDir, path: BytePath): BytePath {
  if (path === covered.path) return covered.upper;
  return `${covered.upper}${covered.path === '/' ? path : path.slice(covered.path.length)}` as BytePath;
}

/** The same for the covered directory that holds the path; null when none does. */
export function upperPathIn(coveredDirs: readonly CoveredDir[], path: BytePath): BytePath | null {
  const covered = coveringDir(coveredDirs, path);
  return covered === null ? null : upperPath(covered, path);
}
