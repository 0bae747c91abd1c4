/**
 * The meaning of a git index without its caches: stat data of the work tree's files, and extensions that git
 * can rebuild. `git status` rewrites an index for those alone. Format: gitformat-index(5), versions 2 to 4.
 */
import { createHash, type Hash } from 'node:crypto';
import { type BytePath, nameOf } from '../../shared/bytes.ts';
import { readSame } from '../kernel/fs/file-content.ts';

/** A repository of a million files has 100 MB. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Cached trees, untracked files, file system monitor, offsets of the two tables. */
const CACHES: ReadonlySet<string> = new Set(['TREE', 'UNTR', 'FSMN', 'EOIE', 'IEOT']);

/** Bytes before the object id: times, device, inode, mode, owner, size. Only the mode is content. */
const STAT = 40;
const MODE_AT = 24;

const EXTENDED = 0x4000;
/** Assume-valid and the stage; the other bits are the extended flag and the name's length. */
const FLAGS = 0xb000;

/** By name, since its directory varies (worktree, submodule). Null = no index, or unreadable. */
export function indexDigest(path: BytePath, identity: string | undefined): string | null {
  if (nameOf(path) !== 'index') return null;
  const bytes = readSame(path, identity, MAX_BYTES);
  return bytes === null ? null : digestOf(bytes);
}

export function digestOf(bytes: Buffer): string | null {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  // The repository's config says which; only one of them fits.
  for (const algorithm of ['sha1', 'sha256'] as const) {
    const digest = digestWith(bytes, version, algorithm);
    if (digest !== null) return digest;
  }
  return null;
}

function digestWith(bytes: Buffer, version: number, algorithm: 'sha1' | 'sha256'): string | null {
  const idBytes = algorithm === 'sha1' ? 20 : 32;
  const end = bytes.length - idBytes;
  const sum = bytes.subarray(end);
  // All zero: index.skipHash.
  if (end < 12 || !(sum.every((byte) => byte === 0) || sum.equals(hashOf(bytes.subarray(0, end), algorithm))))
    return null;
  const hash = createHash('sha256').update(`${algorithm}\0${bytes.readUInt32BE(8)}\0`);
  try {
    const at = addEntries(hash, bytes.subarray(0, end), version, idBytes);
    return at !== null && addExtensions(hash, bytes.subarray(0, end), at) ? hash.digest('hex') : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const hashOf = (bytes: Buffer, algorithm: string): Buffer => createHash(algorithm).update(bytes).digest();

function addEntries(hash: Hash, bytes: Buffer, version: number, idBytes: number): number | null {
  let at = 12;
  let name = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const id = bytes.subarray(start + STAT, start + STAT + idBytes);
    at = start + STAT + idBytes;
    const flags = bytes.readUInt16BE(at);
    at += 2;
    let more = 0;
    if ((flags & EXTENDED) !== 0) {
      more = bytes.readUInt16BE(at);
      at += 2;
    }
    let kept = Buffer.alloc(0);
    if (version === 4) {
      const strip = readVarint(bytes, at);
      at = strip.at;
      if (strip.value > name.length) return null;
      kept = name.subarray(0, name.length - strip.value);
    }
    const nul = bytes.indexOf(0, at);
    if (nul < 0) return null;
    name = Buffer.concat([kept, bytes.subarray(at, nul)]);
    // Padded to a multiple of eight with at least one NUL.
    at = version === 4 ? nul + 1 : start + ((nul - start + 8) & ~7);
    const mode = bytes.readUInt32BE(start + MODE_AT).toString(8);
    hash.update(`${mode} ${flags & FLAGS} ${more} ${id.toString('hex')} ${name.length}\0`).update(name);
  }
  return at;
}

/** Git's encoding: seven bits a byte, highest first, plus one for each following byte. */
function readVarint(bytes: Buffer, from: number): { value: number; at: number } {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, at };
}

function addExtensions(hash: Hash, bytes: Buffer, from: number): boolean {
  let at = from;
  while (at < bytes.length) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32BE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + size);
    if (content.length < size) return false;
    if (!CACHES.has(name)) hash.update(`${name} ${size}\0`).update(content);
    at += 8 + size;
  }
  return at === bytes.length;
}
