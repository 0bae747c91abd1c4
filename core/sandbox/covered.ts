import { type BytePath, isWithin } from '../../shared/bytes.ts';
import type { CoveredDir } from '../session/session-context.ts';

/** The place that covers a host path (the innermost one), or null. */
export function coveringDir(coveredDirs: readonly CoveredDir[], path: BytePath): CoveredDir | null {
  let found: CoveredDir | null = null;
  for (const covered of coveredDirs) {
    if (isWithin(path, covered.path) && (found === null || covered.path.length > found.path.length))
      found = covered;
  }
  return found;
}

/** Where the upper of a place holds a host path. */
export function upperPath(covered: CoveredDir, path: BytePath): BytePath {
  if (path === covered.path) return covered.upper;
  return `${covered.upper}${covered.path === '/' ? path : path.slice(covered.path.length)}` as BytePath;
}
