/** What a walk of the uppers leaves out, and what the host has beside it. */
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { lstatEntry, namesOrNone, readNames } from '../kernel/fs/entry.ts';
import { copiedDirOf } from '../overlay/base-of.ts';
import { excludedBelow, isExcluded } from '../sandbox/claude-files.ts';
import type { SessionContext } from '../session/session-context.ts';

/** Never listed, or a covered directory with an upper of its own. */
export function isSkipped({ excluded, coveredDirs }: SessionContext, path: BytePath): boolean {
  return isExcluded(path, excluded) || coveredDirs.some((covered) => covered.path === path);
}

/** Whether the host's directory holds what trai never touches. */
export function holdsExcluded({ excluded }: SessionContext, dir: BytePath): boolean {
  return excludedBelow(dir, excluded).some((path) => lstatEntry(path) !== null);
}

/** Names that the host's directory has and the upper's has not. */
export function missingNames(ctx: SessionContext, path: BytePath, upperPath: BytePath): string[] {
  // The sandbox's own directory there hides nothing of the host's: that was never below it.
  if (copiedDirOf(ctx, path) !== undefined) return [];
  const present = new Set(readNames(upperPath));
  // A host directory that is closed to us hides nothing from the list: its names are looked at one by one, or fail so.
  return namesOrNone(path).filter((name) => !present.has(name) && !isSkipped(ctx, joinPath(path, name)));
}
