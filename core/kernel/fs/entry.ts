/** lstat and readdir for walks: byte paths, exact times, absence as a value. */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { MAX_LEVELS, MAX_PATH_BYTES } from '../../../shared/limits.ts';
import type { HostStat } from '../../../shared/model/base-record.ts';
import type { Side } from '../../../shared/model/change.ts';
import { lookIdentity } from '../../../shared/model/identity.ts';
import { errorCode, fsPath, lstat, orNull, type Stat } from './port.ts';

type OnLstat = (path: BytePath, entry: Stat | null) => void;
let onLstat: OnLstat | null = null;

/** Only around synchronous code. Returns the previous watcher. */
export function watchLstat(watcher: OnLstat | null): OnLstat | null {
  const before = onLstat;
  onLstat = watcher;
  return before;
}

/** Does not follow links. Throws on errors other than a missing entry (EACCES, EIO). */
export function lstatEntry(path: BytePath): Stat | null {
  let entry: Stat | null = null;
  try {
    entry = lstat(path);
  } catch (error) {
    // A directory above it is a link to itself.
    if (errorCode(error) !== 'ELOOP') throw error;
  }
  onLstat?.(path, entry);
  return entry;
}

/** `closed`: no permission (the sandbox may have opened its copy), or the path is too long. */
export function hostEntry(path: BytePath): Stat | null | 'closed' {
  try {
    return lstatEntry(path);
  } catch (error) {
    if (['EACCES', 'ENAMETOOLONG'].includes(errorCode(error))) return 'closed';
    throw error;
  }
}

export function lstatOrNone(path: BytePath): Stat | null {
  const entry = hostEntry(path);
  return entry === 'closed' ? null : entry;
}

/** A directory that this user may not list or enter, and must not chmod while the session is live. */
export function isClosed(entry: Stat, asRoot: boolean): boolean {
  return entry.type === 'dir' && !asRoot && (entry.mode & 0o500) !== 0o500;
}

const NAME_MAX = 255;

function isNearLimit(dir: BytePath): boolean {
  return dir.length + NAME_MAX >= MAX_PATH_BYTES || dir.length >= 2 * (MAX_LEVELS - 1);
}

/** Limits are below those of the kernel, as system calls get the path with a prefix. */
function isOutOfReach(path: BytePath): boolean {
  return path.length > MAX_PATH_BYTES || path.split('/').length > MAX_LEVELS;
}

/** Whether `readNames` leaves names out. False when the directory can't be read. */
export function holdsOutOfReach(dir: BytePath): boolean {
  if (!isNearLimit(dir)) return false;
  const names = orNull(() => readdirSync(fsPath(dir), 'latin1')) ?? [];
  return names.some((name) => isOutOfReach(joinPath(dir, name)));
}

/** Byte strings, sorted, without names out of reach (`holdsOutOfReach`). Throws when it can't be read. */
export function readNames(dir: BytePath): string[] {
  const names = readdirSync(fsPath(dir), { encoding: 'latin1' }).sort(byBytes);
  return isNearLimit(dir) ? names.filter((name) => !isOutOfReach(joinPath(dir, name))) : names;
}

export function namesOrNone(dir: BytePath): string[] {
  return orNull(() => readNames(dir)) ?? [];
}

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

export function identityOf(entry: Stat | null): string {
  return entry === null ? '-' : lookIdentity(entry);
}

export function entryEtag(host: string, pending: string): string {
  return createHash('sha256').update(`${host} ${pending}`).digest('hex').slice(0, 16);
}

/** Code and reason of a system error, without the path. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/, \w+ '.*$/s, '');
}

export function fileSystemType(dir: BytePath): number {
  return statfsSync(fsPath(dir)).type;
}
