/**
 * Which directories called `.trai-replay` are ours. A user may have one too: so the identity of each that a replay makes is
 * written down, in `overlay/replay-dirs.jsonl`, which goes wherever the uppers go.
 */
import { type BytePath, isByteString, parentOf } from '../../shared/bytes.ts';
import { lstatEntry, namesOrNone } from '../kernel/fs/entry.ts';
import { readPlainFile } from '../kernel/fs/plain-file.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { writeWhole } from '../kernel/fs/whole-file.ts';
import type { CoveredDir } from '../session/session-context.ts';
import { coveringDir, upperPath } from './covered.ts';
import { INCOMING, type ReplayScope, replayDirIn, replayDirs } from './live-sync-dirs.ts';

/** By path: the identity of the upper's directory. Null = about to be made where nothing was. */
type Made = Map<BytePath, string | null>;

/** Those of a replay's directories whose name is not taken by something of the user's; they need not exist. */
export function ownReplayDirs(scope: ReplayScope): BytePath[] {
  const made = readMade(scope.sessionDir);
  const usual = [...replayDirs(scope.projectRoot), replayDirIn(scope.home)];
  return [...new Set([...usual, ...made.keys()])].filter((path) => isOwn(scope, made, path));
}

/** The candidates of a place, the better one first, that are ours or not there. `paths` are entries of it. */
export function replayDirsOf(
  scope: ReplayScope,
  covered: CoveredDir,
  paths: readonly BytePath[],
): BytePath[] {
  const made = readMade(scope.sessionDir);
  const usual = [...replayDirs(scope.projectRoot), replayDirIn(scope.home)];
  const beside = paths.map((path) => replayDirIn(parentOf(path)));
  return [...new Set([...usual, ...made.keys(), ...beside])].filter(
    (path) => coveringDir(scope.coveredDirs, path) === covered && isOwn(scope, made, path),
  );
}

/** Of those that exist in an upper. */
export function presentReplayDirs(scope: ReplayScope): BytePath[] {
  return ownReplayDirs(scope).filter((path) => upperOf(scope, path)?.type === 'dir');
}

/**
 * Has `make` make the directory. Who is killed in between leaves a note without an identity: then an empty one is ours.
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

function isOwn(scope: ReplayScope, made: Made, path: BytePath): boolean {
  // Ours never reaches the host.
  if (lookAt(path) !== null) return false;
  const upper = upperOf(scope, path);
  if (upper === null) return true;
  const id = made.get(path);
  if (upper.type !== 'dir' || id === undefined) return false;
  const covered = coveringDir(scope.coveredDirs, path);
  const names = covered === null ? [] : namesOrNone(upperPath(covered, path));
  return id === null ? names.every((name) => name === INCOMING) : id === idOf(upper);
}

function upperOf({ coveredDirs }: ReplayScope, path: BytePath): Stat | null {
  const covered = coveringDir(coveredDirs, path);
  return covered === null ? null : lookAt(upperPath(covered, path));
}

/** Null also for what can't be looked at: a session must not be refused over a directory that is closed. */
function lookAt(path: BytePath): Stat | null {
  try {
    return lstatEntry(path);
  } catch {
    return null;
  }
}

/** Without the device: its number may change with a reboot. */
function idOf({ ino, birthNs }: Stat): string {
  return `${ino}:${birthNs}`;
}

function readMade(sessionDir: string): Made {
  const made: Made = new Map();
  for (const line of readPlainFile(fileOf(sessionDir))?.toString('latin1').split('\n') ?? []) {
    const note = parseNote(line);
    if (note !== null) made.set(note.path, note.id);
  }
  return made;
}

function parseNote(line: string): { path: BytePath; id: string | null } | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('path' in value) || !('id' in value)) return null;
    const { path, id } = value;
    if (typeof path !== 'string' || !path.startsWith('/') || !isByteString(path)) return null;
    return id === null || typeof id === 'string' ? { path: path as BytePath, id } : null;
  } catch {
    return null;
  }
}

function fileOf(sessionDir: string): string {
  return `${sessionDir}/overlay/replay-dirs.jsonl`;
}
