/** Which directories of the uppers hide the host's: asked of the merged view, since Node can't read the mark. */

import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import { errorCode, Pace } from '../../kernel/fs/port.ts';
import { showsHost } from '../../overlay/opaque.ts';
import { openViewer } from '../../overlay/viewer.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import { upperPath } from '../stage/areas.ts';

export class MadeDirs {
  readonly #ctx: SessionContext;
  /** Directory → the topmost directory at or above it that is not proven to show the host's entries. */
  readonly #tops = new Map<BytePath, BytePath | null>();

  constructor(ctx: SessionContext) {
    this.#ctx = ctx;
  }

  /**
   * Finds out for all `paths`. The view is closed again: it has the uppers mounted, and they are about to change.
   * @param isDir whether the upper has a directory there
   */
  async look(paths: readonly BytePath[], isDir: (path: BytePath) => boolean): Promise<void> {
    if (paths.length === 0) return;
    const pace = new Pace();
    const viewer = await openViewer(this.#ctx);
    const shows = (path: BytePath): boolean => {
      const upper = upperPath(this.#ctx.coveredDirs, path);
      if (upper === null) return false;
      try {
        return showsHost(viewer, { host: path, upper });
      } catch (error) {
        // What can't be looked at is not proven.
        if (errorCode(error) === null) throw error;
        return false;
      }
    };
    try {
      for (const path of paths) {
        await pace.breathe();
        const dir = parentOf(path);
        const top = this.#find(dir, shows);
        if (top !== null || this.#tops.has(path) || !isDir(path)) continue;
        this.#tops.set(path, shows(path) ? null : path);
      }
    } finally {
      await viewer.close();
    }
  }

  /** The topmost directory at or above `path` that hides the host's entries; null = none does. */
  topOf(path: BytePath): BytePath | null {
    return this.#tops.get(path) ?? this.#tops.get(parentOf(path)) ?? null;
  }

  #find(dir: BytePath, shows: (path: BytePath) => boolean): BytePath | null {
    const known = this.#tops.get(dir);
    if (known !== undefined) return known;
    // The root of an overlay is merged by its mount.
    const isRoot = coveringDir(this.#ctx.coveredDirs, dir)?.path === dir || dir === '/';
    const above = isRoot ? null : this.#find(parentOf(dir), shows);
    const top = above ?? (isRoot || shows(dir) ? null : dir);
    this.#tops.set(dir, top);
    return top;
  }
}
