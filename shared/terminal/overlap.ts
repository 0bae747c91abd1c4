import type { BytePath } from '../bytes.ts';
import type { Overlap } from '../model/overlap-paths.ts';
import { namedPaths } from './paths.ts';

/** Part of a sentence: what another session has pending as well. */
export function overlapText(other: string, { paths, more }: Overlap, projectRoot: BytePath): string {
  const what = paths.length === 1 && !more ? 'the same path' : 'the same paths';
  return `session ${other} has pending changes of ${what}: ${namedPaths(paths, projectRoot, { more })}`;
}

/** After a commit, for the session that committed (`mine`) or for the other one. */
export function committedText(
  other: string,
  { paths, more }: Overlap,
  projectRoot: BytePath,
  mine: boolean,
): string {
  const what = namedPaths(paths, projectRoot, { more });
  if (mine)
    return `session ${other} has pending changes of what you committed; they are in conflict there now: ${what}`;
  return `session ${other} has committed paths that are pending here; they are in conflict now: ${what}`;
}
