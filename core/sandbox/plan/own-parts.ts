import { type BytePath, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { PlanInput } from './plan-types.ts';

/** Each is a mount of every call. */
const MOST_PARTS = 8;

/**
 * What is covered instead of `dir`, a top-level directory of others that only holds what is this user's (`/home`); null where it is
 * covered as a whole. An overlay of `dir` would take no write right in it, while its root would be this user's, to make
 * writable. A session that has begun one layout keeps it: a process may have it mounted, and what is pending must be seen.
 */
export function ownParts(
  dir: BytePath,
  { own, projectRoot, stateDir, scratch, fs }: Omit<PlanInput, 'mounts' | 'silent'>,
): BytePath[] | null {
  const isCoveredDir = (path: BytePath) => fs.isCoveredDir?.(path) === true;
  if (dir === '/' || parentOf(dir) !== '/' || !fs.isForeign(dir) || isCoveredDir(dir)) return null;
  if ([...own, projectRoot, stateDir].includes(dir) || scratch.some((kept) => isWithin(kept, dir)))
    return null;
  const paths = fs.directories(dir).map((name) => joinPath(dir, name));
  const mine = new Set(fs.ownDirectories?.(dir)?.map((name) => joinPath(dir, name)));
  const begun = paths.some((path) => isCoveredDir(path) && !fs.isForeign(path));
  if (mine.size === 0 && !begun) return null;
  const wanted = [...own, projectRoot, stateDir];
  // Of others, but this user may write there, or has to.
  const also = (path: BytePath) =>
    isCoveredDir(path) || fs.mayWrite?.(path) === true || wanted.some((one) => isWithin(one, path));
  const parts = paths.filter((path) => mine.has(path) || also(path));
  return parts.length <= MOST_PARTS || begun ? parts : null;
}
