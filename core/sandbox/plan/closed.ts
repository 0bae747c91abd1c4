/** Directories in which this user can write nothing. Verdicts are cached by ctime. */
import { accessSync, constants, lstatSync, opendirSync, readdirSync } from 'node:fs';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { errorCode, fsPath, lstat, orNull } from '../../kernel/fs/port.ts';

/** Entries to check per directory; a call waits for the verdict. */
const MAX_CHECKED = 32;
const MAX_NAMES = 500;

interface Verdict {
  closed: boolean;
  seen: ReadonlyMap<BytePath, string>;
}

const verdicts = new Map<BytePath, Verdict>();

/** True only if certain: all of it belongs to others, and it is small or cannot be entered. */
export function isClosed(dir: BytePath): boolean {
  if (process.getuid?.() === 0) return false;
  const known = verdicts.get(dir);
  if (known !== undefined && holds(dir, known)) return known.closed;
  const seen = new Map<BytePath, string>();
  const closed = isClosedEntry(dir, seen);
  verdicts.set(dir, { closed, seen });
  return closed;
}

/** A change of owner, mode, ACL or names changes an entry's ctime. */
function holds(dir: BytePath, { closed, seen }: Verdict): boolean {
  // Covering a closed directory is harmless: a negative verdict rests on the directory itself.
  const entries = closed ? [...seen] : [...seen].filter(([path]) => path === dir);
  return entries.length > 0 && entries.every(([path, stamp]) => stampOf(path) === stamp);
}

function stampOf(path: BytePath): string | null {
  const entry = orNull(() => lstat(path));
  return entry === null ? null : `${entry.dev} ${entry.ino} ${entry.ctimeNs}`;
}

function isClosedEntry(path: BytePath, seen: Map<BytePath, string>): boolean {
  // The stamp comes first, so that a change during the check invalidates the verdict.
  const stamp = stampOf(path);
  if (stamp === null || seen.size >= MAX_CHECKED) return false;
  seen.set(path, stamp);
  const closed = orNull(() => {
    const entry = lstatSync(fsPath(path));
    if (entry.isSymbolicLink()) return true;
    if (entry.uid === process.getuid?.() || mayAccess(path, constants.W_OK)) return false;
    if (!entry.isDirectory() || !mayAccess(path, constants.X_OK)) return true;
    return fewNames(path)?.every((name) => isClosedEntry(joinPath(path, name), seen)) === true;
  });
  return closed === true;
}

/**
 * A write in an overlay over it would fail, as its subdirectories' owners do not exist inside; but the
 * overlay's root would be this user's, who could make it writable.
 */
export function takesNoWrite(dir: BytePath): boolean {
  return ownNamesIn(dir)?.length === 0;
}

/** This user's entries in a directory of others without write access, if all are directories; else null. */
export function ownDirectories(dir: BytePath): readonly BytePath[] | null {
  const names = ownNamesIn(dir);
  const isDirectory = (name: BytePath) => lstatSync(fsPath(joinPath(dir, name))).isDirectory();
  return orNull(() => names?.every(isDirectory)) === true ? names : null;
}

/** Null for a directory that is this user's or writable, and if unknown. */
function ownNamesIn(dir: BytePath): BytePath[] | null {
  const uid = process.getuid?.();
  if (uid === 0) return null;
  return orNull(() => {
    if (lstatSync(fsPath(dir)).uid === uid || mayWrite(dir)) return null;
    const names = readdirSync(fsPath(dir), { encoding: 'latin1' }) as BytePath[];
    if (names.length > MAX_NAMES) return null;
    return names.filter((name) => lstatSync(fsPath(joinPath(dir, name))).uid === uid);
  });
}

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

/** Whether this user may write to a directory of another user; true if unknown. */
export function mayWrite(dir: BytePath): boolean {
  const may = orNull(() => {
    // With an ACL the group bits are the mask: the most that it grants to anyone but the owner.
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
    // EROFS and ELOOP say nothing about permissions.
    if (errorCode(error) === 'EACCES') return false;
    throw error;
  }
}
