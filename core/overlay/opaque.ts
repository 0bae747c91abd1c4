/** Tells a directory that the sandbox made again, which hides the host's entries, from one that it only touched. */
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { lstatEntry, namesOrNone, readNames } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { openViewer, type Viewer } from './viewer.ts';

/**
 * The names that an upper directory hides: all host names that are not in the upper, when the merged view shows none
 * of them; otherwise none.
 *
 * In a live session both sides move meanwhile. A name that was deleted a moment ago is missing in the view too, and
 * taking that for an opaque mark would list the whole directory as deleted. So one name that shows decides, and a name
 * counts as hidden only if the host still has it afterwards and the upper still has nothing of that name.
 */
export function hiddenNames(
  viewer: Viewer,
  dir: { host: BytePath; upper: BytePath },
  names: readonly string[],
): string[] {
  const view = viewer.pathOf(dir.host);
  // Without a view of its own the path is the host's: everything shows there.
  if (view === dir.host) return [];
  const hidden: string[] = [];
  for (const name of names) {
    if (lstatEntry(joinPath(view, name)) !== null) return [];
    if (lstatEntry(joinPath(dir.upper, name)) === null && lstatEntry(joinPath(dir.host, name)) !== null) {
      hidden.push(name);
    }
  }
  return hidden;
}

/**
 * True when it is proven that host names show through an upper directory. A merged directory has link count 1 in
 * overlayfs, one of a single layer its own (two and more, except on btrfs, where nothing is proven then).
 */
export function showsHost(viewer: Viewer, dir: { host: BytePath; upper: BytePath }): boolean {
  const view = viewer.pathOf(dir.host);
  if (view === dir.host) return false;
  const own = lstatEntry(dir.upper);
  if (own !== null && own.nlink >= 2) return lstatEntry(view)?.nlink === 1;
  const present = new Set(readNames(dir.upper));
  return readNames(dir.host).some((name) => !present.has(name) && lstatEntry(joinPath(view, name)) !== null);
}

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
