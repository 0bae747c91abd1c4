/**
 * The staging directories of a live sync, never listed or committed. A user may have one of that name, so
 * `overlay/replay-dirs.jsonl`, which moves with the uppers, records the identity of each that a replay makes.
 */
import { type BytePath, isBelowAny, isByteString, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import { lstatOrNone, namesOrNone, readTarget } from '../kernel/fs/entry.ts';
import { orNull, type Stat } from '../kernel/fs/port.ts';
import { readPlainFile, writeWhole } from '../kernel/fs/state-file.ts';
import { type CoveredDir, coveringDir, upperPath } from '../session/session-context.ts';

export const REPLAY_NAME = '.trai-replay' as BytePath;
/** A name that comes and goes in a directory: an event for its watchers. */
export const SEEN_NAME = `${REPLAY_NAME}-seen` as BytePath;
/** Inside it: copies of host entries, and the prefix of entries that were taken out. */
export const INCOMING = 'in' as BytePath;
export const KEPT = 'kept-';
/** Of those that are being removed. */
export const GONE = 'gone-';

export interface ReplayScope {
  sessionDir: string;
  projectRoot: BytePath;
  home: BytePath;
  coveredDirs: readonly CoveredDir[];
}

const replayDirIn = (dir: BytePath): BytePath => joinPath(dir, REPLAY_NAME);

/** Best first: watchers of the project ignore `.git`. */
export function replayDirs(projectRoot: BytePath): BytePath[] {
  return [replayDirIn(joinPath(projectRoot, '.git')), replayDirIn(projectRoot)];
}

/** Where late writes to a kept file become visible. */
export function savedIn(projectRoot: BytePath, replayDir: BytePath): BytePath {
  return replayDirs(projectRoot).includes(replayDir) ? projectRoot : parentOf(replayDir);
}

/** A link to itself: what a run that died while it made such an event has left, by its path in the upper. */
export function isEventMark(upper: BytePath): boolean {
  return lstatOrNone(upper)?.type === 'symlink' && readTarget(upper) === nameOf(upper);
}

/** Those whose name no entry of the user's has. */
export function ownReplayDirs(scope: ReplayScope, beside: readonly BytePath[] = []): BytePath[] {
  const made = readMade(scope.sessionDir);
  const usual = [...replayDirs(scope.projectRoot), replayDirIn(scope.home)];
  return [...new Set([...usual, ...made.keys(), ...beside])].filter((path) => isOwn(scope, made, path));
}

/** Best first. `paths` are entries of `covered`, and may be removed: none of them holds one. */
export function replayDirsOf(
  scope: ReplayScope,
  covered: CoveredDir,
  paths: readonly BytePath[],
): BytePath[] {
  const beside = paths.map((path) => replayDirIn(parentOf(path)));
  const going = new Set(paths);
  return ownReplayDirs(scope, beside).filter(
    (path) => coveringDir(scope.coveredDirs, path) === covered && !isBelowAny(path, going),
  );
}

export function presentReplayDirs(scope: ReplayScope): BytePath[] {
  return ownReplayDirs(scope).filter((path) => upperOf(scope, path)?.type === 'dir');
}

/**
 * Makes sure that it is there, by `make`, and known. After a crash in `make` an empty directory of that name is a replay's,
 * after an error the user's.
 */
export function noteReplayDir(scope: ReplayScope, path: BytePath, make: () => void): void {
  const there = upperOf(scope, path);
  if (there !== null && readMade(scope.sessionDir).get(path) === idOf(there)) return;
  const note = (id: string | null | undefined): void => {
    const made = readMade(scope.sessionDir);
    if (id === undefined) made.delete(path);
    else made.set(path, id);
    const lines = [...made].map(([at, known]) => `${JSON.stringify({ path: at, id: known })}\n`);
    writeWhole(fileOf(scope.sessionDir), lines.join(''));
  };
  note(null);
  try {
    make();
  } catch (error) {
    note(undefined);
    throw error;
  }
  const upper = upperOf(scope, path);
  note(upper === null ? undefined : idOf(upper));
}

/** Inode identity by path; null = noted before it was made. */
type Made = Map<BytePath, string | null>;

function isOwn(scope: ReplayScope, made: Made, path: BytePath): boolean {
  // Replay directories never reach the host.
  if (statOf(path) !== null) return false;
  const upper = upperOf(scope, path);
  if (upper === null) return true;
  const id = made.get(path);
  if (upper.type !== 'dir' || id === undefined) return false;
  if (id !== null) return id === idOf(upper);
  const covered = coveringDir(scope.coveredDirs, path);
  return covered !== null && namesOrNone(upperPath(covered, path)).every((name) => name === INCOMING);
}

function upperOf({ coveredDirs }: ReplayScope, path: BytePath): Stat | null {
  const covered = coveringDir(coveredDirs, path);
  return covered === null ? null : statOf(upperPath(covered, path));
}

/** Null also on errors: an inaccessible directory must not make the session unusable. */
const statOf = (path: BytePath): Stat | null => orNull(() => lstatOrNone(path));

/** The device number may change with a reboot. */
function idOf({ ino, birthNs }: Stat): string {
  return `${ino}:${birthNs}`;
}

function readMade(sessionDir: string): Made {
  const lines = readPlainFile(fileOf(sessionDir))?.toString('latin1').split('\n') ?? [];
  return new Map(lines.flatMap(parseNote));
}

function parseNote(line: string): [BytePath, string | null][] {
  try {
    const { path, id } = Object(JSON.parse(line));
    const isPath = typeof path === 'string' && path.startsWith('/') && isByteString(path);
    return isPath && (id === null || typeof id === 'string') ? [[path as BytePath, id]] : [];
  } catch {
    return [];
  }
}

function fileOf(sessionDir: string): string {
  return `${sessionDir}/overlay/replay-dirs.jsonl`;
}
