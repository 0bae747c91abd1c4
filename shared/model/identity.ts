/** Fingerprints, the same for scan and commit. */
import { inOnePiece } from '../flatten-string.ts';
import type { EntryType, Side } from './change.ts';

export interface Looked extends Omit<Side, 'target'> {
  rdev: bigint;
  ino: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  nlink: number;
  /** 0 where the file system has none. */
  birthNs: bigint;
}

/** Of a directory only mode and owner count: its times change with every name in it. */
export function lookIdentity(entry: Looked): string {
  if (entry.type === 'dir') return `d${entry.mode}.${entry.uid}.${entry.gid}`;
  if (isWhiteout(entry)) return 'w';
  const size = entry.type === 'file' ? entry.size : 0;
  const { ino, mtimeNs, ctimeNs, mode, type, nlink, birthNs } = entry;
  return inOnePiece(`${ino}.${size}.${mtimeNs}.${ctimeNs}.${mode}.${type}.${nlink}.${birthNs}`);
}

/** True for an entry with one name and a complete fingerprint: no directory, no whiteout. */
export function isWholeIdentity(identity: string | undefined, type: EntryType): identity is string {
  return identity?.includes(`.${type}.1.`) === true;
}

/** Of a directory that could not be opened. */
export function closedIdentity(entry: Looked): string {
  return `closed.${lookIdentity(entry)}`;
}

/** Node rounds times to the microsecond when it sets them. */
export function isSameTime(a: bigint, b: bigint): boolean {
  const apart = a > b ? a - b : b - a;
  return apart < 2_000n;
}

/** Inverse of `lookIdentity`; null for directories, whiteouts and foreign text. */
export function identityFields(identity = ''): Record<'ino' | 'size' | 'mtimeNs' | 'ctimeNs', string> | null {
  const [, ino = '', size = '', mtimeNs = '', ctimeNs = ''] =
    /^(\d+)\.(\d+)\.(-?\d+)\.(-?\d+)\./.exec(identity) ?? [];
  return ino === '' ? null : { ino, size, mtimeNs, ctimeNs };
}

/** overlayfs writes a whiteout as a character device 0:0, which no program can create in an overlay. */
export function isWhiteout(entry: Pick<Looked, 'type' | 'rdev'>): boolean {
  return entry.type === 'char' && entry.rdev === 0n;
}
