/** Compares, reads and hashes regular files, only while they are the entry of a given identity. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { BytePath } from '../../../shared/bytes.ts';
import { identityOf } from './entry.ts';
import { isPast, sameFields } from './fingerprint.ts';
import { fsPath, type Stat, toStat } from './port.ts';

/** Reading larger files would slow every call down. */
export const HASH_MAX_BYTES = 64 * 1024 * 1024;

const CHUNK = 256 * 1024;

/** O_NONBLOCK: if a FIFO replaced the file after lstat, open(2) does not block. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function openToRead(path: BytePath): number {
  return openSync(fsPath(path), READ_FLAGS);
}

function statOpen(fd: number): Stat {
  return toStat(fstatSync(fd, { bigint: true }));
}

/** By both identities: frequent scans read a disk image once. */
const remembered = new Map<string, boolean>();
const REMEMBERED_MAX = 1_000;

/** Yields between chunks. False also when a file is not `a` or `b` any more. Throws read errors. */
export function* sameContent(pathA: BytePath, a: Stat, pathB: BytePath, b: Stat): Generator<null, boolean> {
  if (a.size !== b.size) return false;
  if (a.size === 0) return true;
  if (a.size <= CHUNK) return yield* compare(pathA, a, pathB, b);
  const key = `${a.dev}:${identityOf(a)}|${b.dev}:${identityOf(b)}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  // Asked before it is read: until then a write may have left the times of one before it.
  const isSettled = isPast(a.ctimeNs) && isPast(b.ctimeNs);
  const same = yield* compare(pathA, a, pathB, b);
  if (!isSettled) return same;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, same);
  return same;
}

/** Of a file's `identityOf`, whose text would take as long as reading the file. */
const LOOKED_AT = ['type', 'mode', 'size', 'dev', 'ino', 'birthNs', 'nlink', 'mtimeNs', 'ctimeNs'] as const;

function* compare(pathA: BytePath, a: Stat, pathB: BytePath, b: Stat): Generator<null, boolean> {
  const open: number[] = [];
  try {
    const fdA = openToRead(pathA);
    open.push(fdA);
    const fdB = openToRead(pathB);
    open.push(fdB);
    if (!sameFields(statOpen(fdA), a, LOOKED_AT) || !sameFields(statOpen(fdB), b, LOOKED_AT)) return false;
    return yield* sameBytes(fdA, fdB, a.size);
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

/** Of two files of one size, in pieces. Yields between these. */
function* sameBytes(fdA: number, fdB: number, size: number): Generator<null, boolean> {
  const bytes = Math.min(CHUNK, size);
  const [bufferA, bufferB] = [Buffer.allocUnsafe(bytes), Buffer.allocUnsafe(bytes)];
  for (let at = 0; at < size; ) {
    const a = readSync(fdA, bufferA, 0, bytes, at);
    const b = readSync(fdB, bufferB, 0, bytes, at);
    if (a === 0 || a !== b || !bufferA.subarray(0, a).equals(bufferB.subarray(0, b))) return false;
    at += a;
    if (at < size) yield null;
  }
  return true;
}

/** Null when the file can't be read, or has not `identity` (`lookIdentity`) before and after `read`. */
export function withSame<T>(
  path: BytePath,
  identity: string | undefined,
  read: (fd: number, entry: Stat) => T | null,
): T | null {
  let fd: number | null = null;
  try {
    fd = openToRead(path);
    const entry = statOpen(fd);
    if (entry.type !== 'file' || identityOf(entry) !== identity) return null;
    const result = read(fd, entry);
    return result !== null && identityOf(statOpen(fd)) === identity ? result : null;
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** Null when the file is shorter. */
export function readBytes(fd: number, size: number): Buffer | null {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (let got = 1; at < size && got > 0; at += got) got = readSync(fd, bytes, at, size - at, at);
  return at === size ? bytes : null;
}

/** Null also above `maxBytes`. */
export function readSame(path: BytePath, identity: string | undefined, maxBytes: number): Buffer | null {
  return withSame(path, identity, (fd, { size }) => (size > maxBytes ? null : readBytes(fd, size)));
}

/** Null also above HASH_MAX_BYTES. */
export function hashSame(path: BytePath, identity: string | undefined): string | null {
  return withSame(path, identity, (fd, { size }) => (size > HASH_MAX_BYTES ? null : hashOf(fd, size)));
}

function hashOf(fd: number, size: number): string | null {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size));
  let rest = size;
  for (let got = 1; rest > 0 && got > 0; rest -= got) {
    got = readSync(fd, buffer, 0, Math.min(buffer.length, rest), null);
    hash.update(buffer.subarray(0, got));
  }
  return rest === 0 ? hash.digest('hex') : null;
}
