/** What tells whether an upper changed since the last look, without asking anybody but the file system. */
import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { lstatEntry, readNames } from '../../kernel/fs/entry.ts';
import type { SessionContext } from '../../session/session-context.ts';

/** Entries between two moments for others. */
const SLICE = 2_000;

/**
 * A hash over name, inode and change time of every entry in the session's uppers, and the modes of their roots: the same = nothing in them changed
 * (any write, chmod, link or rename moves a change time). Null when a directory could not be read.
 */
export async function upperState(ctx: Pick<SessionContext, 'coveredDirs'>): Promise<string | null> {
  const hash = createHash('sha1');
  let count = 0;
  const pending: BytePath[] = ctx.coveredDirs.map((covered) => covered.upper);
  try {
    for (const root of pending) hash.update(`${root}\0${lstatEntry(root)?.mode}\0`);
    for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
      for (const name of readNames(dir)) {
        const path = joinPath(dir, name);
        const entry = lstatEntry(path);
        if (entry === null) continue;
        hash.update(`${path}\0${entry.ino}\0${entry.ctimeNs}\0`);
        if (entry.type === 'dir') pending.push(path);
        if (++count % SLICE === 0) await breathe();
      }
    }
  } catch {
    return null;
  }
  return hash.digest('hex');
}
