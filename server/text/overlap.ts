import type { BytePath } from '../../shared/bytes.ts';
import type { Overlap } from '../../shared/changes/node/overlap.ts';
import { namedPaths } from './paths.ts';

/** Part of a sentence: what another session has pending, too. */
export function overlapText(other: string, { paths, more }: Overlap, projectRoot: BytePath): string {
  const what = paths.length === 1 && !more ? 'the same path' : 'the same paths';
  return `session ${other} has pending changes of ${what}: ${namedPaths(paths, projectRoot, { more })}`;
}
