/** Whether two regular files hold the same bytes. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { BytePath } from '../../../shared/bytes.ts';
import { identityOf } from './entry.ts';
import { fsPath, type Stat, toStat } from './port.ts';

const CHUNK = 256 * 1024;

/** O_NONBLOCK: a FIFO that took the file's place between lstat and open must not hold us. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Throws what the kernel says. */
export function openToRead(path: BytePath): number {
  return openSync(fsPath(path), READ_FLAGS);
}

/** Answers for files above one chunk, by the identities of both: a scan every few seconds reads a disk image once. */
const remembered = new Map<string, boolean>();
const REMEMBERED_MAX = 1_000;

/**
 * Compares in chunks and yields between them, so that the caller can let others run. False as well when a file is
 * not the one that `a` and `b` describe any more. Throws when one can't be read.
 */
export function* sameContent(pathA: BytePath, a: Stat, pathB: BytePath, b: Stat): Generator<null, boolean> {
  if (a.size !== b.size) return false;
  if (a.size === 0) return true;
  const key = `${a.dev}:${identityOf(a)}|${b.dev}:${identityOf(b)}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const same = yield* compare(pathA, a, pathB, b);
  if (a.size > CHUNK) {
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(key, same);
  }
  return same;
}

function* compare(pathA: BytePath, a: Stat, pathB: BytePath, b: Stat): Generator<null, boolean> {
  const fdA = openToRead(pathA);
  try {
    const fdB = openToRead(pathB);
    try {
      if (!isOpen(fdA, a) || !isOpen(fdB, b)) return false;
      return yield* sameBytes(fdA, fdB, a.size);
    } finally {
      closeSync(fdB);
    }
  } finally {
    closeSync(fdA);
  }
}

function* sameBytes(fdA: number, fdB: number, size: number): Generator<null, boolean> {
  const bytes = Math.min(CHUNK, size);
  const bufferA = Buffer.allocUnsafe(bytes);
  const bufferB = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < size; ) {
    const a = readSync(fdA, bufferA, 0, bytes, at);
    const b = readSync(fdB, bufferB, 0, bytes, at);
    // Shorter than it was: it changed while it was read.
    if (a === 0 || a !== b || !bufferA.subarray(0, a).equals(bufferB.subarray(0, b))) return false;
    at += a;
    if (at < size) yield null;
  }
  return true;
}

function isOpen(fd: number, entry: Stat): boolean {
  const now = toStat(fstatSync(fd, { bigint: true }));
  return now.dev === entry.dev && identityOf(now) === identityOf(entry);
}
