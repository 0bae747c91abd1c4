/**
 * What a replay took out of its place stays for a while. A process may have looked the name up before and open it only
 * afterwards, when nobody sees a descriptor yet; what it writes then must not go with the file.
 */

import { createHash, randomBytes } from 'node:crypto';
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { REPLAY_KEPT_MS } from '../../shared/limits.ts';
import { removePath } from '../kernel/fs/dir-handles.ts';
import { identityOf, lstatEntry, readTarget } from '../kernel/fs/entry.ts';
import { hashSame } from '../kernel/fs/file-content.ts';
import { at, errorCode, nodePort as port } from '../kernel/fs/port.ts';
import type { QuietSession } from '../sandbox/lock.ts';
import { INCOMING, KEPT, presentReplayDirs, savedIn } from '../sandbox/replay-dirs.ts';
import { coveringDir, upperPath } from '../session/session-context.ts';
import { allPassed, type Moment, momentOf } from './open-barrier.ts';
import { marksOf, openForWriting } from './writers.ts';

/** Where files are kept, and where what was written to them becomes visible, as Node's fs gets there; and the directory in the upper. */
export interface KeptDir {
  own: BytePath;
  upper: BytePath;
  saved: BytePath;
}

export interface Cleared {
  /** Names in the directory for it that hold what a process has written to a kept file. */
  saved: BytePath[];
  /** How many must wait on. */
  waiting: number;
}

/** Content of a regular file or link in one word; null when it can't be read whole. */
export function printOf(path: BytePath): string | null {
  const entry = lstatEntry(path);
  if (entry?.type === 'symlink') return `link ${readTarget(path)}`;
  return entry?.type === 'file' ? hashSame(path, identityOf(entry)) : null;
}

/** A name that says what the content must be for the file to go. */
export function keptName(print: string, mtimeNs: bigint): BytePath {
  return `${KEPT}${randomBytes(4).toString('hex')}-${sealOf(print, mtimeNs)}` as BytePath;
}

/**
 * Drops what has waited for long enough and is what its name says. What is not, or was left without such a name by a
 * replay that was killed, may be the only copy of something: it is made a file that is seen.
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
      // What can't be looked at may be open: the look after this one settles it, or the end of the session.
      const held = marks.get(name) === null || open.has(name);
      if (pids.length > 0 && held) cleared.waiting++;
      else if (isAsNamed(dir, name)) port.unlink(joinPath(dir.own, name));
      else cleared.saved.push(makeVisible(dir, name));
    } catch (error) {
      // ESTALE: as root the overlay knows copies by the host's inode, which may have another name by now. A new mount
      // settles it.
      if (errorCode(error) === '') throw error;
      cleared.waiting++;
    }
  }
  return cleared;
}

/** By directory: what the session's tasks were at when a kept file was first looked at. After a restart, that is anew. */
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

/** Clears what replays have left in the uppers. */
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
  for (let n = 1; ; n++) {
    const visible = `trai-kept-${n}` as BytePath;
    const [from, to] = [joinPath(own, name), joinPath(saved, visible)];
    try {
      if (port.lstat(from)?.type === 'dir') {
        // None of ours: the sandbox made it.
        if (port.lstat(to) !== null) continue;
        port.rename(from, to);
        return visible;
      }
      port.link(from, to);
      port.unlink(from);
      return visible;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** The same for a directory of the merged view. */
export function keptDirAt(own: number, upper: BytePath, saved: number): KeptDir {
  return { own: at(own), upper, saved: at(saved) };
}
