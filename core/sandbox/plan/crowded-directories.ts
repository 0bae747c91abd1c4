import { type BytePath, isWithin } from '../../../shared/bytes.ts';
import type { Mount } from '../../kernel/mounts/mountinfo.ts';
import type { PlanInput } from './plan-types.ts';

/**
 * So many directories of others in one directory get an overlay each. Every call mounts all of them, at 0.3 ms and more
 * a piece: among 3,000 homes or sites it would wait for two seconds.
 */
export const MOST_OTHERS = 100;

/**
 * Of the directories in one that is made read-only those that need no overlay because they are too many: all that belong
 * to others, where nothing of this user's is known to be and nothing can be made right in them. They are read-only with
 * it, so that a write somewhere below them fails loudly. Empty when there are few.
 */
export function crowdOf(
  paths: readonly BytePath[],
  { own, projectRoot, stateDir, scratch, fs }: Omit<PlanInput, 'mounts' | 'silent'>,
  mounts: ReadonlyMap<BytePath, Mount>,
): ReadonlySet<BytePath> {
  if (paths.length <= MOST_OTHERS) return new Set();
  const wanted = [...own, projectRoot, stateDir, ...scratch, ...mounts.keys()];
  const others = paths.filter(
    (path) =>
      fs.isForeign(path) &&
      fs.mayWrite?.(path) !== true &&
      // What is pending in it must be seen.
      (fs.ownNames?.(path) ?? []).length === 0 &&
      !wanted.some((one) => isWithin(one, path)),
  );
  return new Set(others.length > MOST_OTHERS ? others : []);
}
