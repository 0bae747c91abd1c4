/** lstat and readdir in the form that the walk needs: byte paths, exact times, absence as a value. */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import type { BytePath } from '../../../shared/bytes.ts';
import type { HostStat } from '../../../shared/model/base-record.ts';
import type { Side } from '../../../shared/model/change.ts';
import { lookIdentity } from '../../../shared/model/identity.ts';
import { withPath } from './long-path.ts';
import { lstat, type Stat } from './port.ts';

/** The name as the file system has it. */
export function fsPath(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

type OnLook = (path: BytePath, entry: Stat | null) => void;
let onLook: OnLook | null = null;

/** From now on every look is told; gives who was told before. For code that nothing else runs in between. */
export function watchLooks(watcher: OnLook | null): OnLook | null {
  const before = onLook;
  onLook = watcher;
  return before;
}

/** The entry itself, never what a link points to; null when there is none. Throws on every other error (EACCES, EIO). */
export function lstatEntry(path: BytePath): Stat | null {
  const entry = look(path);
  onLook?.(path, entry);
  return entry;
}

function look(path: BytePath): Stat | null {
  try {
    return lstat(path);
  } catch (error) {
    // What is above it is a link to itself.
    if (errorCode(error) !== 'ELOOP') throw error;
    return null;
  }
}

/** A host directory may be closed to us although the sandbox opened its copy: `closed`. */
export function hostEntry(path: BytePath): Stat | null | 'closed' {
  try {
    return lstatEntry(path);
  } catch (error) {
    if (errorCode(error) === 'EACCES') return 'closed';
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

/** Names of a directory, one character a byte, sorted. Throws when it can't be read. */
export function readNames(dir: BytePath): string[] {
  return withPath(dir, (at) => readdirSync(at, { encoding: 'latin1' })).sort(byBytes);
}

/** Names of a directory; none when it can't be read, for those to whom an unreadable directory says nothing. */
export function namesOrNone(dir: BytePath): string[] {
  try {
    return readNames(dir);
  } catch {
    return [];
  }
}

/** The same with their types, unsorted. Throws when it can't be read. */
export function readEntries(dir: BytePath): Dirent[] {
  return withPath(dir, (at) => readdirSync(at, { encoding: 'latin1', withFileTypes: true }));
}

export function readTarget(path: BytePath): BytePath {
  return withPath(path, (at) => readlinkSync(at, { encoding: 'latin1' })) as BytePath;
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

/** Short for two identities: another one means that one of the sides is not what was looked at. */
export function entryEtag(host: string, pending: string): string {
  return createHash('sha256').update(`${host} ${pending}`).digest('hex').slice(0, 16);
}

/** Code of a system error, or the empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What a person can do with a system error: its code and the reason, without the path in it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/, \w+ '.*$/s, '');
}
