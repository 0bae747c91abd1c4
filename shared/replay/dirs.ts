/** Where a replay keeps what it is about to put in place. Pure. */
import { type BytePath, joinPath } from '../bytes.ts';

export const REPLAY_NAME = '.trai-replay' as BytePath;
/** In it: where the host's entries are copied to, and how names of what was taken out begin. */
export const INCOMING = 'in' as BytePath;
export const KEPT = 'kept-';

/**
 * The directories that a replay may make in the merged view, the better one first: in `.git` no program that watches
 * the project looks. They are never listed and never committed, and gone soon after.
 */
export function replayDirs(projectRoot: BytePath): BytePath[] {
  return [joinPath(joinPath(projectRoot, '.git'), REPLAY_NAME), joinPath(projectRoot, REPLAY_NAME)];
}
