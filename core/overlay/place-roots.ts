/**
 * The directories that are covered places themselves. The root of an upper is made with its place and no copy of the
 * host's: only a record of what it was made like tells the sandbox's chmod from the host's.
 */
import type { BytePath } from '../../shared/bytes.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import type { Change } from '../../shared/model/change.ts';
import { isClosed, lstatEntry, toHostStat } from '../kernel/fs/entry.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import type { FoundMaker } from '../scan/found.ts';
import { metaChanged } from '../scan/judge.ts';
import type { Place, SessionContext } from '../session/session-context.ts';
import { aboveRoot } from './above.ts';
import { appendBases, readBaseFile } from './base-file.ts';

/** Records what the uppers of new places were made like: before anything can have changed them. */
export function recordRoots(ctx: Pick<SessionContext, 'sessionDir'>, places: readonly Place[]): void {
  const entries = places.flatMap((place): [BytePath, BaseRecord][] => {
    const base = rootBase(place);
    return base === null ? [] : [[place.path, { path: place.path, base, listed: false }]];
  });
  if (entries.length === 0) return;
  const file = readBaseFile(ctx);
  appendBases(ctx, file, entries, Number(file.lastPassNs / 1_000_000n));
}

/** Null where the upper could not be made like the host's directory, as in one of somebody else's. */
export function rootBase({ path, upper }: Pick<Place, 'path' | 'upper'>): BaseRecord['base'] | null {
  const [host, made] = [lstatEntry(path), lstatEntry(upper)];
  if (host?.type !== 'dir' || made === null) return null;
  if (host.mode !== made.mode || host.uid !== made.uid || host.gid !== made.gid) return null;
  return { state: 'known', host: toHostStat(host, path) };
}

/** The change of mode that the sandbox made to a place's own directory, or null. */
export function rootChange(
  ctx: Pick<SessionContext, 'root' | 'excluded'>,
  maker: FoundMaker,
  { path, upper: upperPath }: Place,
): Change | null {
  const base = maker.bases.lookup(path);
  const [host, upper] = [lstatEntry(path), lstatEntry(upperPath)];
  if (base.state !== 'known' || host?.type !== 'dir' || upper === null) return null;
  // What can't be listed is a problem of the walk.
  if (isClosed(upper, ctx.root) || isExcluded(path, ctx.excluded)) return null;
  if (!metaChanged({ host, upper, base })) return null;
  return maker.make({
    kind: 'meta',
    path,
    pending: { entry: upper, path: upperPath },
    host,
    base,
    since: upper.birthNs,
    movedNs: aboveRoot(host).movedNs,
  });
}
