/** Where a replay keeps what it is about to put in place. Pure. */
import { type BytePath, joinPath, parentOf } from '../../shared/bytes.ts';
import type { CoveredDir } from '../session/session-context.ts';

export const REPLAY_NAME = '.trai-replay' as BytePath;
/** In it: where the host's entries are copied to, and how names of what was taken out begin. */
export const INCOMING = 'in' as BytePath;
export const KEPT = 'kept-';

/**
 * The directories that a replay may make in the merged view of the project, the better one first: in `.git` no program
 * that watches the project looks. They are never listed and never committed, and gone soon after.
 */
export function replayDirs(projectRoot: BytePath): BytePath[] {
  return [replayDirIn(joinPath(projectRoot, '.git')), replayDirIn(projectRoot)];
}

export function replayDirIn(dir: BytePath): BytePath {
  return joinPath(dir, REPLAY_NAME);
}

/** Where what a process wrote to a kept file becomes visible: the project, or where the directory lies. */
export function savedIn(projectRoot: BytePath, replayDir: BytePath): BytePath {
  return replayDirs(projectRoot).includes(replayDir) ? projectRoot : parentOf(replayDir);
}

/** What decides where a session's replays work. */
export interface ReplayScope {
  sessionDir: string;
  projectRoot: BytePath;
  home: BytePath;
  coveredDirs: readonly CoveredDir[];
}
