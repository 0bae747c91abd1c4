import { isExcluded } from '../sandbox/claude-files.ts';
import { asQuiet, withLock } from '../sandbox/lock.ts';
import { isCurrent, writeCopies } from '../sandbox/prepare/copies.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { recordBases } from './bases.ts';

/**
 * Before a fresh mount: renews the copies that are the lower directories of places with mounts below them, where the host
 * has changed since. Not in a live session, which goes on with what it has. The bases of what is pending are recorded
 * first: by them it is known which of the host's contents a change began with. Errors: those of withLock, asQuiet.
 */
export async function freshCopies(ctx: SessionContext): Promise<void> {
  // The client rewrites its own files all the time: a call is not to wait for copies of them.
  const skip = (path: CoveredDir['path']) => isExcluded(path, ctx.excluded);
  const stale = ctx.coveredDirs.filter(
    (covered) => covered.copied !== undefined && !isCurrent(covered, skip),
  );
  if (stale.length === 0) return;
  await withLock(ctx, async (session) => {
    const quiet = await asQuiet(session);
    if (quiet === null) return;
    await recordBases(quiet);
    for (const covered of stale) writeCopies(covered);
  });
}
