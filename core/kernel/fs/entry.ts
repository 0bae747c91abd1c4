/** lstat and readdir in the form that the walk needs: byte paths, exact times, absence as a value. */
import { createHash } from 'node:crypto';
import { type BigIntStats, type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import type { BytePath } from '../../../shared/bytes.ts';
import type { HostStat } from '../../../shared/model/base-record.ts';
import type { EntryType, Side } from '../../../shared/model/change.ts';
import { lookIdentity } from '../../../shared/model/identity.ts';
import { withPath } from './long-path.ts';

export interface Entry {
  type: EntryType;
  mode: number;
  uid: number;
  gid: number;
  /** Of a regular file; 0 otherwise. */
  size: number;
  nlink: number;
  rdev: bigint;
  dev: bigint;
  ino: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  /** 0 where the file system keeps none. */
  birthNs: bigint;
}

/** The name as the file system has it. */
export function fsPath(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

type OnLook = (path: BytePath, entry: Entry | null) => void;
let onLook: OnLook | null = null;

/** From now on every look is told; gives who was told before. For code that nothing else runs in between. */
export function watchLooks(watcher: OnLook | null): OnLook | null {
  const before = onLook;
  onLook = watcher;
  return before;
}

/** The entry itself, never what a link points to; null when there is none. Throws on every other error (EACCES, EIO). */
export function lstatEntry(path: BytePath): Entry | null {
  const entry = look(path);
  onLook?.(path, entry);
  return entry;
}

function look(path: BytePath): Entry | null {
  let stat: BigIntStats | undefined;
  try {
    stat = withPath(path, (at) => lstatSync(at, { bigint: true, throwIfNoEntry: false }));
  } catch (error) {
    // ENOENT: of a directory on a path that is longer than one call takes. ELOOP: what is above it is a link to itself.
    if (!['ENOTDIR', 'ENOENT', 'ELOOP'].includes(errorCode(error))) throw error;
  }
  return stat === undefined ? null : toEntry(stat);
}

/** A host directory may be closed to us although the sandbox opened its copy: `closed`. */
export function hostEntry(path: BytePath): Entry | null | 'closed' {
  try {
    return lstatEntry(path);
  } catch (error) {
    if (errorCode(error) === 'EACCES') return 'closed';
    throw error;
  }
}

/** `lstatEntry`; null also where this user may not look. */
export function lstatOrNone(path: BytePath): Entry | null {
  const entry = hostEntry(path);
  return entry === 'closed' ? null : entry;
}

export function toEntry(stat: BigIntStats): Entry {
  const mode = Number(stat.mode);
  const type = typeOfMode(mode);
  return {
    type,
    mode: mode & 0o7777,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    size: type === 'file' ? Number(stat.size) : 0,
    nlink: Number(stat.nlink),
    rdev: stat.rdev,
    dev: stat.dev,
    ino: stat.ino,
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    birthNs: stat.birthtimeNs,
  };
}

/**
 * A directory that its owner may not list or enter. Root may; an ordinary user owns all that is in an upper, and must
 * not open it up while the session is live.
 */
export function isClosed(entry: Entry, asRoot: boolean): boolean {
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

export function toSide(entry: Entry, path: BytePath): Side {
  const { type, mode, uid, gid, size } = entry;
  const side = { type, mode, uid, gid, size };
  return type === 'symlink' ? { ...side, target: readTarget(path) } : side;
}

export function toHostStat(entry: Entry, path: BytePath): HostStat {
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
export function identityOf(entry: Entry | null): string {
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

function typeOfMode(mode: number): EntryType {
  switch (mode & 0o170000) {
    case 0o040000:
      return 'dir';
    case 0o120000:
      return 'symlink';
    case 0o010000:
      return 'fifo';
    case 0o140000:
      return 'socket';
    case 0o020000:
      return 'char';
    case 0o060000:
      return 'block';
    default:
      return 'file';
  }
}
