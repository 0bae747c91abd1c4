import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostEntry, toHostStat } from '../../core/kernel/fs/entry.ts';
import { readBaseFile } from '../../core/overlay/base-file.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { sameEntry } from '../../shared/model/conflict.ts';

const bytesOf = (path: string): Buffer => readFileSync(Buffer.from(path, 'latin1'));
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Paths of files that are as their base record says, but have another content, or whose content is not stored. */
export function falseBases(ctx: SessionContext): BytePath[] {
  const isFalse = (sha256: string, path: string): boolean => hashOf(bytesOf(path)) !== sha256;
  return [...readBaseFile(ctx).records.values()].flatMap(({ path, base }) => {
    if (base.state !== 'known' || base.host.type !== 'file' || base.sha256 === undefined) return [];
    const now = hostEntry(path);
    if (now === null || now === 'closed' || !sameEntry(base.host, toHostStat(now, path))) return [];
    const isLost =
      base.blob === true && isFalse(base.sha256, `${ctx.sessionDir}/overlay/blobs/${base.sha256}`);
    return isLost || isFalse(base.sha256, path) ? [path] : [];
  });
}
