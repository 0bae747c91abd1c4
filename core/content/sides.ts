/** Both sides of one change as they are on disk now. */
import type { BytePath } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { realPath } from '../kernel/or-null.ts';
import { type CoveredDir, coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';

export interface Now {
  path: BytePath;
  /** The same without links on the way. */
  real: BytePath;
  entry: Stat | null;
}

export interface Sides {
  host: Now;
  pending: Now;
}

/** Null when the change lies in no covered directory, or a side can't be looked at. */
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

/** Where a path lies below a root of its place, when only the way to that root has links. */
function realBelow(covered: CoveredDir, root: BytePath, path: BytePath): BytePath {
  const real = realPath(root);
  return upperPath({ ...covered, upper: real === '/' ? ('' as BytePath) : real }, path);
}
