/** By what an entry is recognised between two looks. Pure, so that scan and commit take it from one place. */
import { inOnePiece } from '../flatten-string.ts';
import type { EntryType } from './change.ts';

/** What lstat says of an entry, as far as it matters here. */
export interface Looked {
  type: EntryType;
  mode: number;
  uid: number;
  gid: number;
  /** Looked at in regular files only. */
  size: number;
  rdev: bigint;
  ino: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  nlink: number;
  /** 0 where the file system keeps none. */
  birthNs: bigint;
}

/**
 * Two looks at one path with the same identity saw the same content, mode and owner. A directory's times tell nothing
 * about it, since they move with every name in it: there only mode and owner count.
 */
export function lookIdentity(entry: Looked): string {
  if (entry.type === 'dir') return `d${entry.mode}.${entry.uid}.${entry.gid}`;
  if (isWhiteout(entry)) return 'w';
  const size = entry.type === 'file' ? entry.size : 0;
  const { ino, mtimeNs, ctimeNs, mode, type, nlink, birthNs } = entry;
  return inOnePiece(`${ino}.${size}.${mtimeNs}.${ctimeNs}.${mode}.${type}.${nlink}.${birthNs}`);
}

/**
 * Whether an identity is that of an entry with one name, and says all that a look would: neither a directory nor a whiteout,
 * nor one that could not be looked into.
 */
export function isWholeIdentity(identity: string | undefined, type: EntryType): identity is string {
  return identity?.includes(`.${type}.1.`) === true;
}

/** Of a directory of which only the outside could be looked at. */
export function closedIdentity(entry: Looked): string {
  return `closed.${lookIdentity(entry)}`;
}

/** Node sets times to the microsecond, and rounds. */
export function isSameTime(a: bigint, b: bigint): boolean {
  const apart = a > b ? a - b : b - a;
  return apart < 2_000n;
}

interface Fields {
  ino: string;
  size: string;
  mtimeNs: string;
  ctimeNs: string;
}

/** What `lookIdentity` wrote down; null for directories, whiteouts and what it did not write. */
export function identityFields(identity = ''): Fields | null {
  const [, ino = '', size = '', mtimeNs = '', ctimeNs = ''] =
    /^(\d+)\.(\d+)\.(-?\d+)\.(-?\d+)\./.exec(identity) ?? [];
  return ino === '' ? null : { ino, size, mtimeNs, ctimeNs };
}

/** A name that the sandbox removed: overlayfs writes a character device 0:0, which no program can have made there. */
export function isWhiteout(entry: Pick<Looked, 'type' | 'rdev'>): boolean {
  return entry.type === 'char' && entry.rdev === 0n;
}
