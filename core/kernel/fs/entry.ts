/** lstat and readdir in the form that the walk needs: byte paths, exact times, absence as a value. */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { MAX_LEVELS, MAX_PATH_BYTES } from '../../../shared/limits.ts';
import type { HostStat } from '../../../shared/model/base-record.ts';
import type { Side } from '../../../shared/model/change.ts';
import { lookIdentity } from '../../../shared/model/identity.ts';
import { errorCode, fsPath, lstat, type Stat } from './port.ts';

type OnLstat = (path: BytePath, entry: Stat | null) => void;
let onLstat: OnLstat | null = null;

/** Reports every `lstatEntry` to `watcher` from now on; returns the one before. For code that nothing else runs in between. */
export function watchLstat(watcher: OnLstat | null): OnLstat | null {
  const before = onLstat;
  onLstat = watcher;
  return before;
}

/** The entry itself, never what a link points to; null when there is none. Throws on every other error (EACCES, EIO). */
export function lstatEntry(path: BytePath): Stat | null {
  let entry: Stat | null = null;
  try {
    entry = lstat(path);
  } catch (error) {
    // What is above it is a link to itself.
    if (errorCode(error) !== 'ELOOP') throw error;
  }
  onLstat?.(path, entry);
  return entry;
}

/** A host directory may be closed to us although the sandbox opened its copy, and its path too long: `closed`. */
export function hostEntry(path: BytePath): Stat | null | 'closed' {
  try {
    return lstatEntry(path);
  } catch (error) {
    if (['EACCES', 'ENAMETOOLONG'].includes(errorCode(error))) return 'closed';
    throw error;
  }
}

/** `lstatEntry`; null also where this user may not look. */
export function lstatOrNone(path: BytePath): Stat | null {
  const entry = hostEntry(path);
  return entry === 'closed' ? null : entry;
}

/**
 * A directory that its owner may not list or enter. Root may; an ordinary user owns all that is in an upper, and must
 * not open it up while the session is live.
 */
export function isClosed(entry: Stat, asRoot: boolean): boolean {
  return entry.type === 'dir' && !asRoot && (entry.mode & 0o500) !== 0o500;
}

export const OUT_OF_REACH = `It holds paths of more than ${MAX_PATH_BYTES} bytes or ${MAX_LEVELS} directories, which can not be worked on. Shorten them with a command in the sandbox (mv).`;

const NAME_MAX = 255;

/** Names in a directory that lies so deep or has so long a path that some may be out of reach. */
function isNearLimit(dir: BytePath): boolean {
  return dir.length + NAME_MAX >= MAX_PATH_BYTES || dir.length >= 2 * (MAX_LEVELS - 1);
}

/** Whether a path is too long for a system call that puts something before it, or has too many directories. */
function isOutOfReach(path: BytePath): boolean {
  return path.length > MAX_PATH_BYTES || path.split('/').length > MAX_LEVELS;
}

/** Whether a directory has names that `readNames` leaves out. False when it can't be read. */
export function holdsOutOfReach(dir: BytePath): boolean {
  if (!isNearLimit(dir)) return false;
  try {
    return readdirSync(fsPath(dir), 'latin1').some((name) => isOutOfReach(joinPath(dir, name)));
  } catch {
    return false;
  }
}

/**
 * Names of a directory, one character a byte, sorted, without those that are out of reach: see `holdsOutOfReach`. Throws when
 * it can't be read.
 */
export function readNames(dir: BytePath): string[] {
  const names = readdirSync(fsPath(dir), { encoding: 'latin1' }).sort(byBytes);
  return isNearLimit(dir) ? names.filter((name) => !isOutOfReach(joinPath(dir, name))) : names;
}

/** Names of a directory; none when it can't be read. */
export function namesOrNone(dir: BytePath): string[] {
  try {
    return readNames(dir);
  } catch {
    return [];
  }
}

/** The same with their types, unsorted. Throws when it can't be read. */
export function readEntries(dir: BytePath): Dirent[] {
  const entries = readdirSync(fsPath(dir), { encoding: 'latin1', withFileTypes: true });
  return isNearLimit(dir) ? entries.filter(({ name }) => !isOutOfReach(joinPath(dir, name))) : entries;
}

export function readTarget(path: BytePath): BytePath {
  return readlinkSync(fsPath(path), 'latin1') as BytePath;
}

export function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function toSide(entry: Stat, path: BytePath): Side {
  const { type, mode, uid, gid, size } = entry;
  const side = { type, mode, uid, gid, size };
  return type === 'symlink' ? { ...side, target: readTarget(path) } : side;
}

export function toHostStat(entry: Stat, path: BytePath): HostStat {
  const { type, mode, uid, gid, size, nlink } = entry;
  const stat = {
    type,
    mode,
    uid,
    gid,
    size,
    nlink,
    dev: String(entry.dev),
    ino: String(entry.ino),
    mtimeNs: String(entry.mtimeNs),
    ctimeNs: String(entry.ctimeNs),
  };
  return type === 'symlink' ? { ...stat, target: readTarget(path) } : stat;
}

/** `lookIdentity`, with a word for absence. */
export function identityOf(entry: Stat | null): string {
  return entry === null ? '-' : lookIdentity(entry);
}

/** Short for two identities. */
export function entryEtag(host: string, pending: string): string {
  return createHash('sha256').update(`${host} ${pending}`).digest('hex').slice(0, 16);
}

/** Code and reason of a system error, without the path in it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/, \w+ '.*$/s, '');
}

/** The number by which statfs(2) names the kind of file system (f_type) that a directory is on. */
export function fileSystemType(dir: BytePath): number {
  return statfsSync(fsPath(dir)).type;
}
