/** Paths in a sentence or a list: relative to the project where they lie in it, and never more than can be read. */
import { type BytePath, isWithin, toDisplay } from '../bytes.ts';

/** A path as it is shown: relative to the project where it lies in it. */
export function shownPath(path: BytePath, projectRoot: BytePath): string {
  const inside = path !== projectRoot && isWithin(path, projectRoot) && projectRoot !== '/';
  return toDisplay((inside ? path.slice(projectRoot.length + 1) : path) as BytePath);
}

/** `a, b, c and 4 more`. `more` = there are others that are not even counted. */
export function namedPaths(
  paths: readonly BytePath[],
  projectRoot: BytePath,
  { most = 5, more = false }: { most?: number; more?: boolean } = {},
): string {
  const named = paths
    .slice(0, most)
    .map((path) => shownPath(path, projectRoot))
    .join(', ');
  const left = paths.length - most;
  if (left <= 0) return more ? `${named} and more` : named;
  return `${named} and ${more ? 'more than ' : ''}${left} more`;
}
