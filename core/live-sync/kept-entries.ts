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
import { dirsOfMounts, lookAtTree } from './kept-trees.ts';
import { allPassed, heldBy, isMarked, type Moment, marksOf, momentOf } from './writers.ts';

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
 * Removes what has waited long enough and matches its seal; the rest may be the only copy of something and becomes visible.
 * What is refused is tried again by a later pass: as root, overlayfs finds a copy-up by the host's inode (ESTALE).
 * @param pids the session's processes; none = it is quiet, and nothing has to wait
 */
export function clearKept(dir: KeptDir, pids: readonly number[]): Cleared {
  const cleared: Cleared = { saved: [], waiting: 0 };
  const orWait = (work: () => void): void => {
    if (orIfRefused(work, 'refused') === 'refused') cleared.waiting++;
  };
  const names = port.readdir(dir.upper).filter((name) => name !== INCOMING);
  const kept = names.filter((name) => !name.startsWith(GONE));
  // Of a run that died in the middle of a tree.
  const gone = names.filter((name) => name.startsWith(GONE));
  const mounted = mountedIn(dir, gone, pids);
  for (const name of gone)
    if (mounted.has(name)) cleared.waiting++;
    else orWait(() => removePath(port, dir.own, name));
  const since = momentsOf(dir, kept, pids);
  const isDue = (name: BytePath) => isOld(dir, name) && allPassed(pids, since.get(name) ?? new Map());
  const due = kept.filter((name) => pids.length === 0 || isDue(name));
  cleared.waiting += kept.length - due.length;
  const look = looker(dir, due, pids);
  for (const name of due)
    orWait(() => {
      const { isInUse, isSealed } = look(name);
      // At the latest the quiet session has it.
      if (pids.length > 0 && isInUse) cleared.waiting++;
      else if (isSealed()) removeKept(dir, name);
      else cleared.saved.push(makeVisible(dir, name));
    });
  return cleared;
}

interface Look {
  /** A process may still write to it, or make entries in it. */
  isInUse: boolean;
  isSealed: () => boolean;
}

/** Asks all processes once. */
function looker(dir: KeptDir, names: readonly BytePath[], pids: readonly number[]): (name: BytePath) => Look {
  const trees = new Set(names.filter((name) => isTree(dir, name)));
  const marks = new Map(
    names.flatMap((name) => (trees.has(name) ? [] : [[name, marksOf(spotOf(dir, name))] as const])),
  );
  const held = heldBy(names.length === 0 ? [] : pids);
  const used = new Set([...usedTrees(dir, trees, pids), ...mountedIn(dir, [...trees], pids)]);
  return (name) => {
    if (!trees.has(name))
      return { isInUse: isMarked(held, marks.get(name) ?? null), isSealed: () => isAsNamed(dir, name) };
    const { seal, isHeld } = lookAtTree(spotOf(dir, name), held);
    return { isInUse: isHeld || used.has(name), isSealed: () => isNamedAfter(name, seal, 0n) };
  };
}

/** Those of which a process has something open, or in which it works. */
function usedTrees(
  { path }: KeptDir,
  trees: ReadonlySet<BytePath>,
  pids: readonly number[],
): ReadonlySet<BytePath> {
  const processes = pids.map((pid) => ({ pid }));
  const users = usersBelow(processes, new Set([...trees].map((name) => joinPath(path, name))));
  return new Set(users.map(({ top }) => nameOf(top)));
}

/** Those that hold a mount. */
function mountedIn(
  { path }: KeptDir,
  names: readonly BytePath[],
  pids: readonly number[],
): ReadonlySet<BytePath> {
  const dirs = names.length === 0 ? new Set() : dirsOfMounts(pids);
  return new Set(names.filter((name) => dirs.has(joinPath(path, name))));
}

function isTree({ upper }: KeptDir, name: BytePath): boolean {
  return lstatEntry(joinPath(upper, name))?.type === 'dir';
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

/** A tree by a name that says so first: a part of it would not fit the seal. */
function removeKept(dir: KeptDir, name: BytePath): void {
  const from = joinPath(dir.own, name);
  const gone = `${GONE}${name}` as BytePath;
  if (isTree(dir, name)) {
    port.rename(from, joinPath(dir.own, gone));
    removePath(port, dir.own, gone);
  } else port.unlink(from);
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
  const isDir = port.lstat(from)?.type === 'dir';
  for (let n = 0; ; n++) {
    const to = named(n);
    const isTaken = () => port.lstat(to) !== null;
    if (isDir && isTaken()) continue;
    try {
      if (isDir) port.rename(from, to);
      else {
        port.link(from, to);
        port.unlink(from);
      }
      return n;
    } catch (error) {
      // Of a directory: a process has made an entry there since that look.
      if (errorCode(error) !== 'EEXIST' && !(isDir && isTaken())) throw error;
    }
  }
}
