/** What all sessions take on disk, for `GET /disk`, `trai sessions` and `trai gc`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DiskUse, LowSpace, SessionDisk } from '../../shared/api/types.ts';
import { type DiskSizes, freeSpace } from '../commit/retention/disk-use.ts';
import { liveSources } from '../sandbox/live.ts';
import type { SessionContext } from '../session/session-context.ts';

export interface DiskParts {
  stateDir: string;
  /** Of every session that has run something. */
  contexts: readonly SessionContext[];
  /** `disk.warnFreeBytes`. */
  warnFreeBytes: number;
  sizes: (ctx: SessionContext, live: boolean) => Promise<DiskSizes>;
}

/** One session after the other: counting is the disk's work, and nobody gains by doing it twice at a time. */
export async function diskUse({ stateDir, contexts, warnFreeBytes, sizes }: DiskParts): Promise<DiskUse> {
  const live = liveSources();
  const sessions: SessionDisk[] = [];
  for (const ctx of contexts) {
    const found = await sizes(ctx, live.has(ctx.source));
    sessions.push({
      session: ctx.session,
      projectRoot: ctx.projectRoot,
      projectGone: !existsSync(Buffer.from(ctx.projectRoot, 'latin1')),
      ...found,
      total: found.upper + found.images + found.trash + found.other,
    });
  }
  sessions.sort((a, b) => b.total - a.total);
  const { free, size } = freeSpace(nearest(stateDir));
  return {
    at: new Date().toISOString(),
    sessions,
    total: sessions.reduce((sum, { total }) => sum + total, 0),
    ...{ free, size, warnFreeBytes },
    low: free < warnFreeBytes,
  };
}

/** Set when the file system of the state directory is about to run full. One system call. */
export function lowSpace(stateDir: string, warnFreeBytes: number): LowSpace | null {
  const { free } = freeSpace(nearest(stateDir));
  return free < warnFreeBytes ? { free, warnFreeBytes } : null;
}

/** Less than this, and not even a line of a log can be counted on (bytes). */
const NO_ROOM = 64 * 1024;

/** True where nothing can be written any more: whatever fails then fails for that. */
export function isFull(stateDir: string): boolean {
  return freeSpace(nearest(stateDir)).free < NO_ROOM;
}

/** Before the first session there is no state directory: its file system is that of what will hold it. */
function nearest(dir: string): string {
  let at = dir;
  while (at !== '/' && !existsSync(at)) at = path.dirname(at);
  return at;
}
