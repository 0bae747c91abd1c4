/** Tells a directory that the sandbox made again, which hides the host's entries, from one that it only touched. */
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { lstatEntry, readNames } from '../kernel/fs/entry.ts';
import type { Viewer } from './viewer.ts';

/**
 * The names that an upper directory hides: all host names that are not in the upper, when the merged view shows none
 * of them; otherwise none.
 *
 * In a live session both sides move while we look. A name that was deleted a moment ago is missing in the view too,
 * and taking that for an opaque mark would list the whole directory as deleted. So one name that shows settles it, and a
 * name counts as hidden only if after the look the host still has it and the upper still has nothing of that name.
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
