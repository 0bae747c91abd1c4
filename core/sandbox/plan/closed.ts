/** Directories in which this user can write nothing. */
import { accessSync, constants, lstatSync, opendirSync, readdirSync } from 'node:fs';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { errorCode, fsPath, orNull } from '../../kernel/fs/port.ts';

/** Entries that are checked before giving up: somebody waits for it. */
const MAX_CHECKED = 32;
/** Names in one directory that are checked, at every call. */
const MAX_NAMES = 500;

/** What a verdict was founded on: entries with their stamps. */
interface Verdict {
  closed: boolean;
  seen: ReadonlyMap<BytePath, string>;
}

/** Every call asks, and nearly always nothing has moved since. */
const verdicts = new Map<BytePath, Verdict>();

/**
 * True when it is certain that this user can write nothing in `dir` or below it: all of it belongs to others, and there
 * is little of it, or no way in. What can't be told, or is too much to check, is not closed.
 */
export function isClosed(dir: BytePath): boolean {
  // Nothing is closed to root.
  if (process.getuid?.() === 0) return false;
  const known = verdicts.get(dir);
  if (known !== undefined && holds(dir, known)) return known.closed;
  const seen = new Map<BytePath, string>();
  const closed = isClosedEntry(dir, seen);
  verdicts.set(dir, { closed, seen });
  return closed;
}

/** Owner, mode, access lists and names of an entry don't change without its change time. */
function holds(dir: BytePath, { closed, seen }: Verdict): boolean {
  // To cover what needs it no more does no harm, so there the directory itself is enough.
  const entries = closed ? [...seen] : [...seen].filter(([path]) => path === dir);
  return entries.length > 0 && entries.every(([path, stamp]) => stampOf(path) === stamp);
}

function stampOf(path: BytePath): string | null {
  const entry = orNull(() => lstatSync(fsPath(path), { throwIfNoEntry: false, bigint: true }));
  return entry == null ? null : `${entry.dev} ${entry.ino} ${entry.ctimeNs}`;
}

function isClosedEntry(path: BytePath, seen: Map<BytePath, string>): boolean {
  // First the stamp: what changes during the check is checked again by the next call.
  const stamp = stampOf(path);
  if (stamp === null || seen.size >= MAX_CHECKED) return false;
  seen.set(path, stamp);
  const closed = orNull(() => {
    const entry = lstatSync(fsPath(path));
    // Its target is checked where that lies.
    if (entry.isSymbolicLink()) return true;
    // The owner may make it writable.
    if (entry.uid === process.getuid?.() || mayAccess(path, constants.W_OK)) return false;
    if (!entry.isDirectory() || !mayAccess(path, constants.X_OK)) return true;
    return fewNames(path)?.every((name) => isClosedEntry(joinPath(path, name), seen)) === true;
  });
  return closed === true;
}

/** Names do not come and go without their directory's change time. */
const listed = new Map<BytePath, { stamp: string; names: readonly BytePath[] | null }>();

/**
 * True for a directory of others in which this user may make nothing and none of the entries is this user's. An overlay over
 * it would take no write, however deep: what is written there first copies up a directory of theirs, whose owner does not
 * exist inside. But its root would be this user's, who might make it writable.
 */
export function takesNoWrite(dir: BytePath): boolean {
  return ownNamesIn(dir)?.length === 0;
}

/**
 * Names of this user's directories in one of others in which this user may make nothing; null where it is another one,
 * can't be told, or where something else is this user's, too.
 */
export function ownDirectories(dir: BytePath): readonly BytePath[] | null {
  const names = ownNamesIn(dir);
  const isDirectory = (name: BytePath) => lstatSync(fsPath(joinPath(dir, name))).isDirectory();
  return orNull(() => names?.every(isDirectory)) === true ? names : null;
}

/** Null for a directory of this user's or one to write in, and where it can't be told. */
function ownNamesIn(dir: BytePath): BytePath[] | null {
  const uid = process.getuid?.();
  const stamp = stampOf(dir);
  if (uid === 0 || stamp === null) return null;
  // Null: not to be listed, or something has just gone.
  return orNull(() => {
    if (lstatSync(fsPath(dir)).uid === uid || mayWrite(dir)) return null;
    const known = listed.get(dir);
    const names = known?.stamp === stamp ? known.names : namesOf(dir);
    if (known?.stamp !== stamp) listed.set(dir, { stamp, names });
    return names?.filter((name) => lstatSync(fsPath(joinPath(dir, name))).uid === uid) ?? null;
  });
}

/** Null where there are too many. */
function namesOf(dir: BytePath): BytePath[] | null {
  const names = readdirSync(fsPath(dir), { encoding: 'latin1' }) as BytePath[];
  return names.length > MAX_NAMES ? null : names;
}

/** Null where there are more than are checked: to read all of a large directory takes long, and every call may ask. */
function fewNames(path: BytePath): string[] | null {
  const names: string[] = [];
  const dir = opendirSync(fsPath(path), { encoding: 'latin1', bufferSize: MAX_CHECKED });
  try {
    for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) {
      if (names.push(entry.name) > MAX_CHECKED) return null;
    }
  } finally {
    dir.closeSync();
  }
  return names;
}

/** Whether this user may make things right in a directory of another's; true where it can't be told. */
export function mayWrite(dir: BytePath): boolean {
  const may = orNull(() => {
    // Where there is an access list, the group's bits are the most that it gives to anybody but the owner.
    const { mode } = lstatSync(fsPath(dir));
    return (mode & 0o022) !== 0 && mayAccess(dir, constants.W_OK);
  });
  return may ?? true;
}

function mayAccess(path: BytePath, mode: number): boolean {
  try {
    accessSync(fsPath(path), mode);
    return true;
  } catch (error) {
    // EROFS and ELOOP say nothing of what is allowed.
    if (errorCode(error) === 'EACCES') return false;
    throw error;
  }
}
