import { type BytePath, isWithin } from '../../../shared/bytes.ts';
import type { Mount } from '../../kernel/mounts/mountinfo.ts';
import type { PlanInput } from './plan-types.ts';

/**
 * A directory of the root's that is empty, or that this user may not enter or write to, needs no overlay below a directory that is
 * made read-only: it is read-only with that. When it changes, the next call's plan covers it; until then a write there
 * fails loudly. For a directory without mounts below it.
 */
export function needsNoOverlay(
  dir: BytePath,
  { projectRoot, stateDir, scratch, fs }: Pick<PlanInput, 'projectRoot' | 'stateDir' | 'scratch' | 'fs'>,
  mounts: ReadonlyMap<BytePath, Mount>,
): boolean {
  if (mounts.has(dir) || scratch.some((path) => isWithin(path, dir))) return false;
  if ([projectRoot, stateDir].some((path) => isWithin(path, dir))) return false;
  // What is pending in it must be seen.
  if ((fs.ownNames?.(dir) ?? []).length > 0) return false;
  return fs.isClosed?.(dir) === true || fs.takesNoWrite?.(dir) === true;
}

/** The same for a directory that is a mount, or in which scratch lies. */
export function needsOnlyReading(
  dir: BytePath,
  {
    projectRoot,
    stateDir,
    own,
    scratch,
    fs,
  }: Pick<PlanInput, 'projectRoot' | 'stateDir' | 'own' | 'scratch' | 'fs'>,
): boolean {
  if ([projectRoot, stateDir, ...own].some((path) => isWithin(path, dir))) return false;
  if (scratch.some((path) => isWithin(dir, path)) || (fs.ownNames?.(dir) ?? []).length > 0) return false;
  return fs.takesNoWrite?.(dir) === true;
}
