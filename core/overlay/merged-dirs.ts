/** Which of the directories that upper and host both have were made again by the sandbox, and so hide the host's. */
import type { BytePath } from '../../shared/bytes.ts';
import { lstatEntry, namesOrNone } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { hiddenNames } from './opaque.ts';
import { openViewer, type Viewer } from './viewer.ts';

/** A directory of both sides. */
export interface MergedDir {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
}

/**
 * Answers by upper directory, with the identities of all directories on the way to it. Whether an overlay directory is
 * opaque is settled when it is made: as long as inode and birth are the same, so is the answer.
 */
const remembered = new Map<BytePath, { way: string; madeAgain: boolean }>();
const REMEMBERED_MAX = 1_000;

/**
 * The uppermost of `dirs` (a chain, parents first) that was made again; null when none was. Opens a viewer only for
 * directories that it has not seen before.
 * @throws TraiError `unsupported` when the merged view can't be mounted
 */
export async function replacedAmong(
  ctx: SessionContext,
  covered: CoveredDir,
  dirs: readonly MergedDir[],
): Promise<BytePath | null> {
  let viewer: Viewer | null = null;
  try {
    let way = '';
    for (const dir of dirs) {
      way += identity(dir.upper);
      const known = remembered.get(dir.upperPath);
      let madeAgain = known?.way === way ? known.madeAgain : null;
      if (madeAgain === null) {
        viewer ??= await openViewer({ ...ctx, coveredDirs: [covered] });
        madeAgain = isMadeAgain(viewer, dir);
        if (madeAgain !== null) remember(dir.upperPath, { way, madeAgain });
      }
      if (madeAgain === true) return dir.path;
    }
    return null;
  } finally {
    await viewer?.close();
  }
}

function remember(upperPath: BytePath, answer: { way: string; madeAgain: boolean }): void {
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(upperPath, answer);
}

/**
 * A merged directory has link count 1 in overlayfs, one of a single layer its own; on btrfs the names have to tell.
 * Null when nothing tells: then it hides nothing either.
 */
function isMadeAgain(viewer: Viewer, { path, upperPath, upper }: MergedDir): boolean | null {
  const shown = lstatEntry(viewer.pathOf(path));
  // Removed since a moment ago.
  if (shown === null) return null;
  if (upper.nlink >= 2) return shown.nlink !== 1;
  const here = new Set(namesOrNone(upperPath));
  const missing = namesOrNone(path).filter((name) => !here.has(name));
  if (missing.length === 0) return null;
  return hiddenNames(viewer, { host: path, upper: upperPath }, missing).length > 0;
}

/** Where the file system keeps no birth, the change time stands for it: it moves more often than needed. */
function identity({ dev, ino, birthNs, ctimeNs }: Stat): string {
  return `${dev}:${ino}:${birthNs === 0n ? `c${ctimeNs}` : birthNs} `;
}
