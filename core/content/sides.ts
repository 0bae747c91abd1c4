/** Both sides of a change as they are on disk, read only while they are the entries that lstat found. */

import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import type { BytePath } from '../../shared/bytes.ts';
import { HEX_BYTES, MAX_DIFF_BYTES } from '../../shared/limits.ts';
import type { Change } from '../../shared/model/change.ts';
import type { OmittedReason } from '../../shared/model/diff.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { decodeText, isBinaryHead, SNIFF_BYTES, sniffMime } from '../../shared/text/sniff.ts';
import { identityOf, lstatEntry } from '../kernel/fs/entry.ts';
import { READ_FLAGS, readBytes, withSame } from '../kernel/fs/file-content.ts';
import { fsPath, realPath, type Stat, toStat } from '../kernel/fs/port.ts';
import { type CoveredDir, coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';

export interface Now {
  path: BytePath;
  /** `path` without links on the way. */
  real: BytePath;
  entry: Stat | null;
}

export interface Sides {
  host: Now;
  pending: Now;
}

/** Null when no covered directory holds it, or a side can't be read. */
export function lookAt(ctx: SessionContext, change: Change): Sides | null {
  const covered = coveringDir(ctx.coveredDirs, change.path);
  if (covered === null) return null;
  const upper = upperPath(covered, change.path);
  try {
    const entry = change.pending === null ? null : lstatEntry(upper);
    const pending = entry !== null && isWhiteout(entry) ? null : entry;
    return {
      host: {
        path: change.path,
        real: realBelow(covered, covered.path, change.path),
        entry: change.host === null ? null : lstatEntry(change.path),
      },
      pending: { path: upper, real: realBelow(covered, covered.upper, change.path), entry: pending },
    };
  } catch {
    return null;
  }
}

/** Only the way to `root` may have links. */
function realBelow(covered: CoveredDir, root: BytePath, path: BytePath): BytePath {
  const real = realPath(root);
  return upperPath({ ...covered, upper: real === '/' ? ('' as BytePath) : real }, path);
}

/**
 * `text` is null when it is binary. Null when not read: no file, replaced, no permission (and not empty), or text
 * above `maxBytes`.
 */
export function readNow({ path, real, entry }: Now, maxBytes: number): { text: string | null } | null {
  if (entry?.type !== 'file') return null;
  const read = withSame(path, identityOf(entry), (fd, { dev, size }) => {
    if (dev !== entry.dev || readlinkSync(`/proc/self/fd/${fd}`, 'latin1') !== real) return null;
    const head = readBytes(fd, Math.min(size, SNIFF_BYTES));
    if (head === null) return null;
    if (isBinaryHead(head)) return { text: null };
    const bytes = size > maxBytes ? null : readBytes(fd, size);
    return bytes === null ? null : { text: decodeText(bytes) };
  });
  // An empty file without read permission.
  return read ?? (entry.size === 0 ? { text: '' } : null);
}

/** ms: network and FUSE file systems can hang. */
const READ_LIMIT_MS = 3_000;
const HASH_MAX_BYTES = 16 * 1024 * 1024;
const CHUNK = 256 * 1024;

export type SideContent =
  | { state: 'absent' }
  | { state: 'text'; text: string; bytes: number }
  | { state: 'binary'; mime: string | null; bytes: number; sha256: string | null; head: string }
  /** Too large to compare. */
  | { state: 'large'; head: string; bytes: number }
  | { state: 'omitted'; reason: OmittedReason; bytes: number };

/** A replaced or changed file, or one that is not at `real` (a path without links), gives `changed`. */
export async function readSide(path: BytePath, entry: Stat, real: BytePath): Promise<SideContent> {
  const omitted = (reason: OmittedReason): SideContent => ({ state: 'omitted', reason, bytes: entry.size });
  if (entry.type !== 'file') return omitted('special');
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<SideContent>((resolve) => {
    timer = setTimeout(() => {
      late.abort();
      resolve(omitted('timeout'));
    }, READ_LIMIT_MS);
  });
  try {
    return await Promise.race([read(path, entry, real, late.signal), limit]);
  } catch {
    // An empty file without read permission.
    return entry.size === 0 ? { state: 'text', text: '', bytes: 0 } : omitted('unreadable');
  } finally {
    clearTimeout(timer);
  }
}

async function read(path: BytePath, entry: Stat, real: BytePath, late: AbortSignal): Promise<SideContent> {
  const file = await openSame(path, entry, real);
  try {
    const content = file === null ? null : await readOpen(file, entry, late);
    if (file !== null && content !== null && (await isSame(file, entry))) return content;
    return { state: 'omitted', reason: 'changed', bytes: entry.size };
  } finally {
    await file?.close();
  }
}

/** Null unless it is the regular file of `entry`. */
export async function openSame(path: BytePath, entry: Stat, real: BytePath): Promise<FileHandle | null> {
  const file = await open(fsPath(path), READ_FLAGS);
  // O_NOFOLLOW covers the last name only: a command can replace a directory by a link at any time.
  const isInside = (await readlink(`/proc/self/fd/${file.fd}`, 'latin1')) === real;
  if (isInside && (await isSame(file, entry))) return file;
  await file.close();
  return null;
}

/** Null when the file has become shorter. */
async function readOpen(file: FileHandle, entry: Stat, late: AbortSignal): Promise<SideContent | null> {
  const bytes = entry.size;
  const head = await readChunk(file, Math.min(bytes, SNIFF_BYTES), 0);
  if (head === null) return null;
  if (isBinaryHead(head)) return binary(file, head, bytes, late);
  if (bytes > MAX_DIFF_BYTES) {
    return { state: 'large', head: new TextDecoder().decode(head, { stream: true }), bytes };
  }
  const content = await readChunk(file, bytes, 0);
  if (content === null) return null;
  const text = decodeText(content);
  return text === null ? binary(file, head, bytes, late) : { state: 'text', text, bytes };
}

async function binary(
  file: FileHandle,
  head: Buffer,
  bytes: number,
  late: AbortSignal,
): Promise<SideContent | null> {
  const about = {
    state: 'binary',
    mime: sniffMime(head),
    bytes,
    head: head.toString('hex', 0, HEX_BYTES),
  } as const;
  if (bytes > HASH_MAX_BYTES) return { ...about, sha256: null };
  const hash = createHash('sha256');
  for (let at = 0; at < bytes && !late.aborted; at += CHUNK) {
    const chunk = await readChunk(file, Math.min(CHUNK, bytes - at), at);
    if (chunk === null) return null;
    hash.update(chunk);
  }
  return { ...about, sha256: hash.digest('hex') };
}

async function readChunk(file: FileHandle, bytes: number, from: number): Promise<Buffer | null> {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(buffer, at, bytes - at, from + at);
    if (bytesRead === 0) return null;
    at += bytesRead;
  }
  return buffer;
}

async function isSame(file: FileHandle, entry: Stat): Promise<boolean> {
  const now = toStat(await file.stat({ bigint: true }));
  return now.type === 'file' && now.dev === entry.dev && identityOf(now) === identityOf(entry);
}
