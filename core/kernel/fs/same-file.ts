/** Reads exactly the regular file that was looked at: not another one in its place, nor one that changes while it is read. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import type { BytePath } from '../../../shared/bytes.ts';
import { openToRead } from './compare.ts';
import { identityOf } from './entry.ts';
import { type Stat, toStat } from './port.ts';

/** Content of larger files is not hashed: reading them at every call would be felt. */
export const HASH_MAX_BYTES = 64 * 1024 * 1024;

const CHUNK = 256 * 1024;

/**
 * What `read` makes of the file. Null when it can't be read, is not the one of `identity` (see `lookIdentity`), or is another
 * one afterwards.
 */
export function withSame<T>(
  path: BytePath,
  identity: string | undefined,
  read: (fd: number, entry: Stat) => T | null,
): T | null {
  let fd: number;
  try {
    fd = openToRead(path);
  } catch {
    return null;
  }
  try {
    const look = () => toStat(fstatSync(fd, { bigint: true }));
    const entry = look();
    if (entry.type !== 'file' || identityOf(entry) !== identity) return null;
    const made = read(fd, entry);
    return made !== null && identityOf(look()) === identity ? made : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

/** Its first bytes; null when it has not so many. */
export function readBytes(fd: number, size: number): Buffer | null {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (let got = 1; at < size && got > 0; at += got) got = readSync(fd, bytes, at, size - at, at);
  return at === size ? bytes : null;
}

/** The whole content; null also when it is larger than that. */
export function readSame(path: BytePath, identity: string | undefined, maxBytes: number): Buffer | null {
  return withSame(path, identity, (fd, { size }) => (size > maxBytes ? null : readBytes(fd, size)));
}

/** SHA-256 of the content, hex; null also when it is too large. */
export function hashSame(path: BytePath, identity: string | undefined): string | null {
  return withSame(path, identity, (fd, { size }) => (size > HASH_MAX_BYTES ? null : hashOf(fd, size)));
}

function hashOf(fd: number, size: number): string | null {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size));
  let left = size;
  for (let got = 1; left > 0 && got > 0; left -= got) {
    got = readSync(fd, buffer, 0, Math.min(buffer.length, left), null);
    hash.update(buffer.subarray(0, got));
  }
  return left === 0 ? hash.digest('hex') : null;
}
