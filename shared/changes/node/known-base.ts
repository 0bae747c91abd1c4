/** The record of a host entry that the sandbox saw. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import type { BytePath } from '../../bytes.ts';
import { BASE_BLOB_BYTES } from '../../limits.ts';
import type { SessionContext } from '../../sandbox/types.ts';
import type { BaseRecord } from '../base-record.ts';
import { isBinary } from '../sniff.ts';
import { storeBlob } from './base-file.ts';
import { openToRead } from './compare.ts';
import { type Entry, identityOf, toEntry, toHostStat } from './entry.ts';
import { hashFile } from './judge.ts';

/** The record of a host entry, with its content's hash where the sandbox's copy could be unchanged or is to be merged. */
export function knownBase(
  ctx: SessionContext,
  path: BytePath,
  host: Entry,
  upper: Entry,
): BaseRecord['base'] {
  const known = { state: 'known' as const, host: toHostStat(host, path) };
  if (host.type !== 'file' || upper.type !== 'file') return known;
  const text = host.size <= BASE_BLOB_BYTES ? readText(path, host) : null;
  if (text !== null) {
    const sha256 = createHash('sha256').update(text).digest('hex');
    storeBlob(ctx, sha256, text);
    return { ...known, sha256, blob: true };
  }
  const sha256 = host.size === upper.size ? hashFile(path, host) : null;
  return sha256 === null ? known : { ...known, sha256 };
}

/** Content of a text file that is still the one of `entry`; null when it is binary, another one or unreadable. */
function readText(path: BytePath, entry: Entry): Buffer | null {
  let fd: number;
  try {
    fd = openToRead(path);
  } catch {
    return null;
  }
  try {
    const content = Buffer.alloc(entry.size);
    let at = 0;
    for (let got = 1; at < entry.size && got > 0; at += got)
      got = readSync(fd, content, at, entry.size - at, at);
    const same = identityOf(toEntry(fstatSync(fd, { bigint: true }))) === identityOf(entry);
    return same && at === entry.size && !isBinary(content) ? content : null;
  } finally {
    closeSync(fd);
  }
}
