/**
 * The directories that are covered directories themselves. The root of an upper is made with its place and no copy of the
 * host's: only a record of what it was made like tells the sandbox's chmod from the host's.
 */
import type { BytePath } from '../../shared/bytes.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import { lstatEntry, toHostStat } from '../kernel/fs/entry.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { appendBases, readBaseFile } from './base-file.ts';

/** Records what the uppers of new places were made like: before anything can have changed them. */
export function recordRoots(
  ctx: Pick<SessionContext, 'sessionDir'>,
  coveredDirs: readonly CoveredDir[],
): void {
  const entries = coveredDirs.flatMap((covered): [BytePath, BaseRecord][] => {
    const base = rootBase(covered);
    return base === null ? [] : [[covered.path, { path: covered.path, base, listed: false }]];
  });
  if (entries.length === 0) return;
  const file = readBaseFile(ctx);
  appendBases(ctx, file, entries);
}

/** Null where the upper could not be made like the host's directory, as in one of somebody else's. */
export function rootBase({ path, upper }: Pick<CoveredDir, 'path' | 'upper'>): BaseRecord['base'] | null {
  const [host, made] = [lstatEntry(path), lstatEntry(upper)];
  if (host?.type !== 'dir' || made === null) return null;
  if (host.mode !== made.mode || host.uid !== made.uid || host.gid !== made.gid) return null;
  return { state: 'known', host: toHostStat(host, path) };
}
