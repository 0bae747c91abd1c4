/** Keeps replaced entries for a while: a process may have looked the name up before and open it later. */

import { createHash, randomBytes } from 'node:crypto';
import { type BytePath, joinPath, nameOf } from '../../shared/bytes.ts';
import { REPLAY_KEPT_MS } from '../../shared/limits.ts';
import { removePath } from '../kernel/fs/dir-handles.ts';
import { identityOf, lstatEntry, readTarget } from '../kernel/fs/entry.ts';
import { HASH_MAX_BYTES, hashSame } from '../kernel/fs/file-content.ts';
import { errorCode, orIfRefused, nodePort as port } from '../kernel/fs/port.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import type { QuietSession } from '../sandbox/lock.ts';
import { GONE, INCOMING, KEPT, presentReplayDirs, savedIn } from '../sandbox/replay-dirs.ts';
import { coveringDir, upperPath } from '../session/session-context.ts';
import { lookAtTree } from './kept-trees.ts';
import { allPassed, heldBy, type Moment, marksOf, momentOf, openForWriting } from './writers.ts';

/** `own`: kept files, `saved`: recovered ones, as paths for Node's fs; `path`, `upper`: `own` in the view and in the upper. */
interface KeptDir {
  path: BytePath;
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
  const names = port.readdir(dir.upper).filter((name) => name !== INCOMING);
  // Of a run that died in the middle of a tree.
  const gone = names.filter((name) => name.startsWith(GONE));
  for (const name of gone) if (!isGone(() => removePath(port, dir.own, name))) cleared.waiting++;
  const all = names.filter((name) => !name.startsWith(GONE));
  const since = momentsOf(dir, all, pids);
  const isDue = (name: BytePath) => isOld(dir, name) && allPassed(pids, since.get(name) ?? new Map());
  const old = all.filter((name) => pids.length === 0 || isDue(name));
  cleared.waiting += all.length - old.length;
  const trees = new Set(old.filter((name) => lstatEntry(joinPath(dir.upper, name))?.type === 'dir'));
  const held = heldBy(trees.size === 0 ? [] : pids);
  const used = usedTrees(dir, trees, pids);
  const marks = new Map(
    old.flatMap((name) => (trees.has(name) ? [] : [[name, marksOf(spotOf(dir, name))] as const])),
  );
  const open = openForWriting(pids, marks);
  for (const name of old) {
    const isDone = isGone(() => {
      const tree = trees.has(name) ? lookAtTree(spotOf(dir, name), held) : null;
      // What may be open waits for a later pass, at the latest in the quiet session.
      const isOpen =
        tree === null ? marks.get(name) === null || open.has(name) : tree.isHeld || used.has(name);
      if (pids.length > 0 && isOpen) cleared.waiting++;
      else if (tree !== null && isNamedAfter(name, tree.seal, 0n)) removeKeptTree(dir, name);
      else if (tree === null && isAsNamed(dir, name)) port.unlink(joinPath(dir.own, name));
      else cleared.saved.push(makeVisible(dir, name));
    });
    if (!isDone) cleared.waiting++;
  }
  return cleared;
}

/** False when it is refused: a later pass tries again. ESTALE: as root, overlayfs finds a copy-up by the host's inode. */
function isGone(work: () => unknown): boolean {
  return orIfRefused(() => {
    work();
    return true;
  }, false);
}

/** Trees that a process works in: it could make entries there while they are removed. */
function usedTrees(
  { path }: KeptDir,
  trees: ReadonlySet<BytePath>,
  pids: readonly number[],
): ReadonlySet<BytePath> {
  const tops = new Set([...trees].map((name) => joinPath(path, name)));
  const users = usersBelow(
    pids.map((pid) => ({ pid })),
    tops,
  );
  return new Set(users.map(({ top }) => nameOf(top)));
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
    const { saved, waiting } = clearKept({ path, own, upper: own, saved: upperPath(covered, dir) }, []);
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
  return entry !== null && isNamedAfter(name, print, entry.mtimeNs);
}

function isNamedAfter(name: BytePath, print: string | null, mtimeNs: bigint): boolean {
  return print !== null && name.endsWith(`-${sealOf(print, mtimeNs)}`);
}

/** By a name that says so first: a part of it would not fit the seal. */
function removeKeptTree({ own }: KeptDir, name: BytePath): void {
  const gone = `${GONE}${name}` as BytePath;
  port.rename(joinPath(own, name), joinPath(own, gone));
  removePath(port, own, gone);
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
      // The others: a process has made an entry there since the look at it.
      if (!['EEXIST', ...(isDir ? ['ENOTDIR', 'ENOTEMPTY'] : [])].includes(errorCode(error))) throw error;
    }
  }
}
