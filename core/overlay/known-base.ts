/** The record of a host entry that the sandbox saw. */
import { createHash } from 'node:crypto';
import type { BytePath } from '../../shared/bytes.ts';
import { BASE_BLOB_BYTES } from '../../shared/limits.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import { isBinary } from '../../shared/text/sniff.ts';
import { identityOf, toHostStat } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { hashSame, readSame } from '../kernel/fs/same-file.ts';
import type { SessionContext } from '../session/session-context.ts';
import { storeBlob } from './base-file.ts';
import { indexDigest } from './git-index.ts';

/** The record of a host entry, with its content's hash where the sandbox's copy could be unchanged or is to be merged. */
export function knownBase(ctx: SessionContext, path: BytePath, host: Stat, upper: Stat): BaseRecord['base'] {
  const seen = { state: 'known' as const, host: toHostStat(host, path) };
  if (host.type !== 'file' || upper.type !== 'file') return seen;
  const index = indexDigest(path, identityOf(host));
  const known = index === null ? seen : { ...seen, index };
  const text = readSame(path, identityOf(host), BASE_BLOB_BYTES);
  if (text !== null && !isBinary(text)) {
    const sha256 = createHash('sha256').update(text).digest('hex');
    storeBlob(ctx, sha256, text);
    return { ...known, sha256, blob: true };
  }
  const sha256 = host.size === upper.size ? hashSame(path, identityOf(host)) : null;
  return sha256 === null ? known : { ...known, sha256 };
}
