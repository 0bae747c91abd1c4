/** Keeps replaced entries for a while: a process may have looked the name up before and open it later. */

import { createHash, randomBytes } from 'node:crypto';
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { REPLAY_KEPT_MS } from '../../shared/limits.ts';
import { removePath } from '../kernel/fs/dir-handles.ts';
import { identityOf, lstatEntry, readTarget } from '../kernel/fs/entry.ts';
import { HASH_MAX_BYTES, hashSame } from '../kernel/fs/file-content.ts';
import { errorCode, nodePort as port } from '../kernel/fs/port.ts';
import type { QuietSession } from '../sandbox/lock.ts';
import { INCOMING, KEPT, presentReplayDirs, savedIn } from '../sandbox/replay-dirs.ts';
import { coveringDir, upperPath } from '../session/session-context.ts';
import { allPassed, type Moment, marksOf, momentOf, openForWriting } from './writers.ts';

/** `own`: kept files, `saved`: recovered ones, as paths for Node's fs; `upper`: `own` in the upper. */
interface KeptDir {
  own: BytePath;
  upper: BytePath;
  saved: BytePath;
}

export interface Cleared {
  /** Names in `saved`. */
  saved: BytePath[];
  waiting: number;
}

/** Content of a regular file or link, of a very large file its size and time; null when it can't be read whole. */
export function printOf(path: BytePath): string | null {
  const entry = lstatEntry(path);
  if (entry?.type === 'symlink') return `link ${readTarget(path)}`;
  if (entry?.type === 'file' && entry.size > HASH_MAX_BYTES) return `large ${entry.size} ${entry.mtimeNs}`;
  return entry?.type === 'file' ? hashSame(path, identityOf(entry)) : null;
}

/** Seals content and time: only a file that still has both is removed. */
export function keptName(print: string, mtimeNs: bigint): BytePath {
  return `${KEPT}${randomBytes(4).toString('hex')}-${sealOf(print, mtimeNs)}` as BytePath;
}

/**
 * Removes files that have waited long enough and match their seal; others may be the only copy of something
 * and become visible.
 * @param pids the session's processes; none = it is quiet, and nothing has to wait
 */
export function clearKept(dir: KeptDir, pids: readonly number[]): Cleared {
  const cleared: Cleared = { saved: [], waiting: 0 };
  const all = port.readdir(dir.upper).filter((name) => name !== INCOMING);
  const since = momentsOf(dir, all, pids);
  const isDue = (name: BytePath) => isOld(dir, name) && allPassed(pids, since.get(name) ?? new Map());
  const old = all.filter((name) => pids.length === 0 || isDue(name));
  cleared.waiting = all.length - old.length;
  const marks = new Map(old.map((name) => [name, marksOf(spotOf(dir, name))]));
  const open = openForWriting(pids, marks);
  for (const name of old) {
    try {
      // What may be open waits for a later pass, at the latest in the quiet session.
      const held = marks.get(name) === null || open.has(name);
      if (pids.length > 0 && held) cleared.waiting++;
      else if (isAsNamed(dir, name)) port.unlink(joinPath(dir.own, name));
      else cleared.saved.push(makeVisible(dir, name));
    } catch (error) {
      // ESTALE: as root, overlayfs finds a copy-up by the host's inode, which may be renamed.
      if (errorCode(error) === '') throw error;
      cleared.waiting++;
    }
  }
  return cleared;
}

/** Task states when each kept file was first seen, by directory. Lost at a restart. */
const moments = new Map<BytePath, Map<BytePath, Moment>>();

function momentsOf(
  { upper }: KeptDir,
  names: readonly BytePath[],
  pids: readonly number[],
): Map<BytePath, Moment> {
  const before = moments.get(upper);
  const fresh = names.every((name) => before?.has(name)) ? new Map() : momentOf(pids);
  const now = new Map(names.map((name) => [name, before?.get(name) ?? fresh]));
  if (now.size === 0) moments.delete(upper);
  else moments.set(upper, now);
  return now;
}

export function clearQuiet(ctx: QuietSession): BytePath[] {
  return presentReplayDirs(ctx).flatMap((path) => {
    const covered = coveringDir(ctx.coveredDirs, path);
    if (covered === null) return [];
    const own = upperPath(covered, path);
    const dir = savedIn(ctx.projectRoot, path);
    removePath(port, own, INCOMING);
    const { saved, waiting } = clearKept({ own, upper: own, saved: upperPath(covered, dir) }, []);
    if (waiting === 0) port.rmdir(own);
    return saved.map((name) => joinPath(dir, name));
  });
}

function spotOf(dir: KeptDir, name: BytePath): { at: BytePath; upper: BytePath } {
  return { at: joinPath(dir.own, name), upper: joinPath(dir.upper, name) };
}

function isOld({ upper }: KeptDir, name: BytePath): boolean {
  const entry = lstatEntry(joinPath(upper, name));
  return entry !== null && Date.now() - Number(entry.ctimeNs / 1_000_000n) > REPLAY_KEPT_MS;
}

function isAsNamed({ upper }: KeptDir, name: BytePath): boolean {
  const path = joinPath(upper, name);
  const [entry, print] = [lstatEntry(path), printOf(path)];
  return entry !== null && print !== null && name.endsWith(`-${sealOf(print, entry.mtimeNs)}`);
}

function sealOf(print: string, mtimeNs: bigint): string {
  return createHash('sha256').update(`${print} ${mtimeNs}`, 'latin1').digest('hex').slice(0, 32);
}

function makeVisible({ own, saved }: KeptDir, name: BytePath): BytePath {
  const visible = (n: number) => `trai-kept-${n + 1}` as BytePath;
  return visible(moveToFree(joinPath(own, name), (n) => joinPath(saved, visible(n))));
}

/** Moves an entry to the first free one of numbered names, and returns the number. */
export function moveToFree(from: BytePath, named: (n: number) => BytePath): number {
  // The sandbox made it: trai makes no directories here.
  const isDir = port.lstat(from)?.type === 'dir';
  for (let n = 0; ; n++) {
    try {
      if (!isDir) port.link(from, named(n));
      else if (port.lstat(named(n)) !== null) continue;
      if (isDir) port.rename(from, named(n));
      else port.unlink(from);
      return n;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
