import { ownMounts } from '../../../core/kernel/fs/mounts.ts';
import { knownCoveredDirs } from '../../../core/sandbox/prepare/covered-dirs.ts';
import { hasPending } from '../../../core/scan/scan.ts';
import type { CoveredDir, Plan, SessionContext } from '../../../core/session/session-context.ts';
import { isWithin, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { message } from '../../messages/hooks.ts';

/**
 * Mounts change, and with them the covered directories: an overlay cannot lie over a directory with another
 * mount below it. Pending changes there would silently be missing from the merged view, and be written a
 * second time elsewhere. So the call is refused until the mounts are as before.
 * @throws TraiError `unsupported`, with the directory and the mount, where there is one
 */
export async function expectPendingInView(ctx: SessionContext, plan: Plan): Promise<void> {
  const planned = new Set(plan.coveredDirs.map((covered) => covered.n));
  const left = knownCoveredDirs(ctx.sessionDir, plan.coveredDirs).filter(
    (covered) => !planned.has(covered.n),
  );
  for (const covered of left) {
    // What cannot be read may be pending.
    if (!(await hasPending({ ...ctx, coveredDirs: [covered] }).catch(() => true))) continue;
    const below = mountBelow(covered);
    const why =
      below === null
        ? `what was mounted at ${toDisplay(covered.path)} is gone`
        : `${toDisplay(below)} was mounted below ${toDisplay(covered.path)}`;
    const undo = below === null ? 'Mount it again' : 'Unmount it';
    throw new TraiError('unsupported', message('not-in-view', { why, undo }));
  }
}

function mountBelow(covered: CoveredDir): CoveredDir['path'] | null {
  const mounts = ownMounts();
  const below = mounts.find(({ point }) => point !== covered.path && isWithin(point, covered.path));
  return below?.point ?? null;
}

/** Directories that are read-only since the last plan, as a notice; or null. */
export function planNews(before: Plan, now: Plan): string | null {
  const closed = (plan: Plan) => plan.notes.filter((note) => note.kind === 'read-only');
  const known = new Set(closed(before).map((note) => note.path));
  const fresh = closed(now).filter((note) => !known.has(note.path));
  // Only the innermost: what contains it is read-only for the same reason.
  const inner = fresh.filter(
    (note) => !fresh.some((other) => other !== note && isWithin(other.path, note.path)),
  );
  if (inner.length === 0) return null;
  const lines = inner.map((note) => `${toDisplay(note.path)} is read-only in the sandbox now: ${note.why}`);
  return `the mounts changed. ${lines.join('; ')}`;
}
