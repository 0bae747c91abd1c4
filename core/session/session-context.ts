/** A session's mount plan, and what the engine needs to work on its overlay. Paths are byte strings. */
import { type BytePath, innermost } from '../../shared/bytes.ts';
import type { UndoLimits } from '../../shared/model/commit.ts';

export interface CoveredDir {
  /** Names `overlay/<n>/`: `u` upper, `w` work, `l` link to `path`. Fixed for the session's life. */
  n: number;
  path: BytePath;
  upper: BytePath;
  work: BytePath;
  /** With mounts below: the lower is `<n>/c`, a copy (core/sandbox/prepare/copies.ts), with these on top. */
  copied?: readonly CoveredChild[];
}

export interface CoveredChild {
  path: BytePath;
  /** A file that is a mount point. */
  file: boolean;
}

export interface PlanNote {
  path: BytePath;
  /** `read-only`: cannot be covered, so a write fails loudly. `direct`: stays the host's. */
  kind: 'read-only' | 'direct' | 'masked';
  why: string;
}

export interface Plan {
  v: 1;
  session: string;
  /** Hash of all inputs: mount table, config, user, project. */
  id: string;
  /** Made for real root, without a user namespace. */
  root: boolean;
  coveredDirs: CoveredDir[];
  notes: PlanNote[];
  /** Identifies the session in mountinfo: `trai:<8 hex of the state directory>:<session>`. */
  source: string;
}

/** Made by core/sandbox/context.ts. */
export interface SessionContext {
  session: string;
  /** Ordinary text, unlike the paths below. */
  stateDir: string;
  sessionDir: string;
  coveredDirs: CoveredDir[];
  source: string;
  /** Real root: overlay marks are `trusted.overlay.*`, and mounting needs no user namespace. */
  root: boolean;
  uid: number;
  gid: number;
  home: BytePath;
  projectRoot: BytePath;
  /** Never listed, never committed: trai's directories, and what the client rewrites below ~/.claude. */
  excluded: BytePath[];
  ignore: readonly string[];
  /** Of the user: rule files and config.json. Missing = none. */
  configDir?: string;
  /** Missing = the defaults. */
  undo?: UndoLimits;
}

/** The innermost covered directory that holds the path, or null. */
export function coveringDir(coveredDirs: readonly CoveredDir[], path: BytePath): CoveredDir | null {
  return innermost(path, coveredDirs, (covered) => covered.path) ?? null;
}

export function upperPath(covered: CoveredDir, path: BytePath): BytePath {
  if (path === covered.path) return covered.upper;
  return `${covered.upper}${covered.path === '/' ? path : path.slice(covered.path.length)}` as BytePath;
}

export function upperPathIn(coveredDirs: readonly CoveredDir[], path: BytePath): BytePath | null {
  const covered = coveringDir(coveredDirs, path);
  return covered === null ? null : upperPath(covered, path);
}
