import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { lstatEntry, namesOrNone, readNames } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { openViewer, type Viewer } from './viewer.ts';

/**
 * The host names that the upper lacks, if the merged view shows none of them; else none. In a live session
 * both sides change, and a name that was just deleted is missing in the view, too: so one visible name
 * decides, and a hidden name must still exist on the host only.
 */
export function hiddenNames(
  viewer: Viewer,
  dir: { host: BytePath; upper: BytePath },
  names: readonly string[],
): string[] {
  const view = viewer.pathOf(dir.host);
  // Without a view the path is the host's, where everything shows.
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

/** A merged directory has link count 1, one of a single layer its own (on btrfs 1, too: the names decide). */
export function showsHost(viewer: Viewer, dir: { host: BytePath; upper: BytePath }): boolean {
  const view = viewer.pathOf(dir.host);
  if (view === dir.host) return false;
  const own = lstatEntry(dir.upper);
  if (own !== null && own.nlink >= 2) return lstatEntry(view)?.nlink === 1;
  const present = new Set(readNames(dir.upper));
  return readNames(dir.host).some((name) => !present.has(name) && lstatEntry(joinPath(view, name)) !== null);
}

export interface MergedDir {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
}

/** By upper directory, with the identities of all above it: opaque or not is decided at creation. */
const remembered = new Map<BytePath, { way: string; madeAgain: boolean }>();
const REMEMBERED_MAX = 1_000;

/** The uppermost opaque one of `dirs` (a chain, parents first), or null. Errors: `unsupported`. */
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

/** By link count as in showsHost; on btrfs by the names. Null if nothing tells: it hides nothing then. */
function isMadeAgain(viewer: Viewer, { path, upperPath, upper }: MergedDir): boolean | null {
  const shown = lstatEntry(viewer.pathOf(path));
  if (shown === null) return null;
  if (upper.nlink >= 2) return shown.nlink !== 1;
  const here = new Set(namesOrNone(upperPath));
  const missing = namesOrNone(path).filter((name) => !here.has(name));
  if (missing.length === 0) return null;
  return hiddenNames(viewer, { host: path, upper: upperPath }, missing).length > 0;
}

/** The change time stands in for a missing birth time: it only invalidates more often. */
function identity({ dev, ino, birthNs, ctimeNs }: Stat): string {
  return `${dev}:${ino}:${birthNs === 0n ? `c${ctimeNs}` : birthNs} `;
}
