/**
 * The directories in which a live sync (replay) keeps what it is about to put in place. They are never listed and never
 * committed, and gone soon after. A user may have one of that name too: so the identity of each that a replay makes is
 * written down, in `overlay/replay-dirs.jsonl`, which goes wherever the uppers go.
 */
import { type BytePath, isByteString, joinPath, parentOf } from '../../shared/bytes.ts';
import { lstatOrNone, namesOrNone } from '../kernel/fs/entry.ts';
import { orNull, type Stat } from '../kernel/fs/port.ts';
import { readPlainFile, writeWhole } from '../kernel/fs/state-file.ts';
import { type CoveredDir, coveringDir, upperPath } from '../session/session-context.ts';

export const REPLAY_NAME = '.trai-replay' as BytePath;
/** In it: where the host's entries are copied to, and how names of what was taken out begin. */
export const INCOMING = 'in' as BytePath;
export const KEPT = 'kept-';

/** What decides where a session's replays work. */
export interface ReplayScope {
  sessionDir: string;
  projectRoot: BytePath;
  home: BytePath;
  coveredDirs: readonly CoveredDir[];
}

const replayDirIn = (dir: BytePath): BytePath => joinPath(dir, REPLAY_NAME);

/**
 * Those that a replay may make in the merged view of the project, the better one first: in `.git` no program that
 * watches the project looks.
 */
export function replayDirs(projectRoot: BytePath): BytePath[] {
  return [replayDirIn(joinPath(projectRoot, '.git')), replayDirIn(projectRoot)];
}

/** Where what a process wrote to a kept file becomes visible: the project, or where the directory lies. */
export function savedIn(projectRoot: BytePath, replayDir: BytePath): BytePath {
  return replayDirs(projectRoot).includes(replayDir) ? projectRoot : parentOf(replayDir);
}

/** Those whose name is not taken by something of the user's; they need not exist. */
export function ownReplayDirs(scope: ReplayScope, beside: readonly BytePath[] = []): BytePath[] {
  const made = readMade(scope.sessionDir);
  const usual = [...replayDirs(scope.projectRoot), replayDirIn(scope.home)];
  return [...new Set([...usual, ...made.keys(), ...beside])].filter((path) => isOwn(scope, made, path));
}

/** Those of a covered directory, the better one first. `paths` are entries of it. */
export function replayDirsOf(
  scope: ReplayScope,
  covered: CoveredDir,
  paths: readonly BytePath[],
): BytePath[] {
  const beside = paths.map((path) => replayDirIn(parentOf(path)));
  return ownReplayDirs(scope, beside).filter((path) => coveringDir(scope.coveredDirs, path) === covered);
}

/** Of those that exist in an upper. */
export function presentReplayDirs(scope: ReplayScope): BytePath[] {
  return ownReplayDirs(scope).filter((path) => upperOf(scope, path)?.type === 'dir');
}

/**
 * Has `make` make the directory. A crash in between leaves a note without an identity: then an empty one is ours.
 * @throws what `make` throws; then whatever has the name by now is the user's
 */
export function noteReplayDir(scope: ReplayScope, path: BytePath, make: () => void): void {
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

/** By path: the identity of the upper's directory. Null = about to be made where nothing was. */
type Made = Map<BytePath, string | null>;

function isOwn(scope: ReplayScope, made: Made, path: BytePath): boolean {
  // Ours never reaches the host.
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

/** Null also where lstat fails: a session must not be refused over a directory that is closed. */
const statOf = (path: BytePath): Stat | null => orNull(() => lstatOrNone(path));

/** Without the device: its number may change with a reboot. */
function idOf({ ino, birthNs }: Stat): string {
  return `${ino}:${birthNs}`;
}

function readMade(sessionDir: string): Made {
  const lines = readPlainFile(fileOf(sessionDir))?.toString('latin1').split('\n') ?? [];
  return new Map(lines.flatMap(parseNote));
}

/** One entry; none for a line that is torn or no note. */
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
