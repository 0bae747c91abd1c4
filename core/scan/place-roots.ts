import type { Change } from '../../shared/model/change.ts';
import { isClosed, lstatEntry } from '../kernel/fs/entry.ts';
import { aboveRoot } from '../overlay/seen.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import type { FoundMaker } from './found.ts';
import { metaChanged } from './judge.ts';

/** The change of mode that the sandbox made to a place's own directory, or null. */
export function rootChange(
  ctx: Pick<SessionContext, 'root' | 'excluded'>,
  maker: FoundMaker,
  { path, upper: upperPath }: CoveredDir,
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
