/** What an undo took off the host, in the uppers of a quiet session (pending-again.ts): the part after `applied`. */
import { type BytePath, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import { dressDir, removePath } from '../../kernel/fs/dir-handles.ts';
import { isRenamed, isSame, isStillOurs, typeOf } from '../../kernel/fs/fingerprint.ts';
import { Pace } from '../../kernel/fs/pace.ts';
import { type FsPort, orIfRefused, useAndClose, useAndCloseAsync } from '../../kernel/fs/port.ts';
import { xattrChanges } from '../../kernel/fs/xattr-text.ts';
import { type CoveredDir, coveringDir } from '../../session/session-context.ts';
import type { CommitRecord, Transaction } from '../journal/journal.ts';
import type { PendingLine } from '../journal/lines.ts';
import { hostOf } from '../journal/unit.ts';
import { coveredSince } from '../messages/errors.ts';
import { BACK, waitingAt } from '../stage/areas.ts';
import { askHostXattrs, openUppers, Uppers } from '../stage/uppers.ts';
import { WHITEOUT } from './pending-again.ts';

export interface Making {
  port: FsPort;
  uppers: Uppers;
  dir: BytePath;
  likeHost: (dir: BytePath) => string;
}

/** An entry that stays in `back/`, since the session has another one. */
export interface Kept {
  path: BytePath;
  at: BytePath;
  /** See PendingLine. */
  later?: true | undefined;
}

/**
 * Of an undo that was staged in a live session: whether the uppers still have what was made pending there. In a
 * quiet one `insertPending` does what is missing, which it can where no copy is needed. Where one would be, and none
 * waits in `back/`, what a process of the session has done with it since is the session's own.
 */
export function isPendingAlready({ port, ctx, journal: { record } }: Transaction): boolean {
  return useAndClose(new Uppers(port, ctx, null), (uppers) =>
    record.pending.every(
      ({ i, kind, path, born, stays }) =>
        stays === true ||
        !record.done.has(i) ||
        (kind === 'copy' && born === null) ||
        uppers.lstat(path) !== null,
    ),
  );
}

/** What stays in `back/`, since the session has its own versions. */
export function keptBeside({ port, ctx, journal }: Transaction): Kept[] {
  return journal.record.pending.flatMap((line) => {
    const covered = line.stays === true ? coveringDir(ctx.coveredDirs, line.path) : null;
    const at = covered === null ? null : waitingAt(joinPath(journal.dir, BACK), covered, line.path);
    return at === null || port.lstat(at) === null ? [] : [{ path: line.path, at, later: line.later }];
  });
}

/**
 * Renames the staged copies into the uppers of a quiet session. Idempotent.
 * @param resumed an earlier run began the undo
 */
export async function insertPending(transaction: Transaction, resumed: boolean): Promise<Kept[]> {
  const { port, ctx, journal } = transaction;
  const { record } = journal;
  const { pending, done } = record;
  const dir = joinPath(journal.dir, BACK);
  const paths = pending.map(({ path }) => path);
  const kept: Kept[] = [];
  const pace = new Pace();
  await useAndCloseAsync(openUppers(transaction), async (uppers) => {
    const parents = new Map<BytePath, Set<BytePath> | null>();
    const making = { port, uppers, dir, likeHost: await askHostXattrs(transaction, uppers, paths), parents };
    const broken = brokenTrees(record);
    // Before entries, whose parents would be made with the host's mode.
    const rank = ({ kind }: PendingLine): number => (kind === 'dir' ? 0 : 1);
    for (const line of [...pending].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))) {
      await pace.breathe();
      if (!done.has(line.i) && !broken.has(line.path) && !isGone(port, record, line)) continue;
      const covered = coveringDir(ctx.coveredDirs, line.path);
      // Put there by this run, and nobody else works in that directory under the lock.
      const isThere = !resumed && done.get(line.i) === '' && typeOf(line.born) === 'file';
      if (covered !== null && line.stays !== true && insertOne(making, covered, line, isThere)) continue;
      if (line.kind !== 'copy' || line.born === null) continue;
      const copy = covered === null ? dir : waitingAt(dir, covered, line.path);
      if (port.lstat(copy) !== null) kept.push({ path: line.path, at: copy, later: line.later });
    }
  });
  return kept;
}

/** Whatever the journal says of the unit: what the host lost must become pending. */
function isGone(port: FsPort, { unitOf }: CommitRecord, { i, path }: PendingLine): boolean {
  const unit = unitOf.get(i);
  const reviewed = unit === undefined ? null : hostOf(unit);
  const now = orIfRefused(() => port.lstat(path), null);
  // A swap that failed half-way has renamed the host's entry aside and back, which changes its ctime.
  return !isSame(reviewed, now) && !(unit?.kind === 'swap' && isRenamed(reviewed, now));
}

/** A tree that has lost an entry on the host becomes pending as a whole; what is still there is no change. */
function brokenTrees({ units, pending, done }: CommitRecord): Set<BytePath> {
  const paths = new Set(pending.map(({ path }) => path));
  const broken = new Set<BytePath>();
  for (const { i, kind, path } of units) {
    if ((kind !== 'delete' && kind !== 'move-to-store') || !done.has(i)) continue;
    for (let at = path; at !== '/' && !broken.has(at); at = parentOf(at)) if (paths.has(at)) broken.add(at);
  }
  return broken;
}

/**
 * Whether a copy was inserted.
 * @param making with the parents that are known to be there: what was inserted in those that this run has made
 * @param isThere the copy waits as it was journalled
 */
function insertOne(
  making: Making & { parents: Map<BytePath, Set<BytePath> | null> },
  covered: CoveredDir,
  line: PendingLine,
  isThere: boolean,
): boolean {
  const { port, uppers, dir, parents } = making;
  const { path, kind, mode } = line;
  const parent = parentOf(path);
  if (parents.get(parent)?.has(path) ?? uppers.lstat(path) !== null) return false;
  if (!parents.has(parent)) {
    const isNew = uppers.lstat(parent) === null;
    if (!makeParents(making, parent, covered)) return false;
    parents.set(parent, isNew ? new Set() : null);
  }
  if (kind === 'whiteout') uppers.link(path, joinPath(dir, WHITEOUT));
  else if (kind === 'dir') makeDir(making, path, { ...line, mtimeNs: BigInt(line.mtime) }, line.xattrs);
  else {
    const copy = waitingAt(dir, covered, path);
    const stat = isThere ? null : port.lstat(copy);
    if (!isThere && !isStillOurs(line.born, stat)) return false;
    uppers.insert(path, copy, stat?.type === 'dir' ? ifClosed(mode) : null);
  }
  parents.get(parent)?.add(path);
  return kind === 'copy';
}

function ifClosed(mode: number): number | null {
  return (mode & 0o200) === 0 ? mode : null;
}

/** Makes the upper's directories above an entry like the host's. False: an upper has something else there. */
export function makeParents(making: Making, path: BytePath, covered: CoveredDir): boolean {
  const { port, uppers, dir, likeHost } = making;
  if (path === covered.path) return true;
  if (!isWithin(path, covered.path)) {
    // Became a covered directory since the undo was staged. The copy stays in `back/`.
    throw coveredSince(covered.path, dir);
  }
  const there = uppers.lstat(path);
  if (there !== null) return there.type === 'dir';
  if (!makeParents(making, parentOf(path), covered)) return false;
  const host = port.lstat(path);
  if (host?.type === 'dir') makeDir(making, path, host, likeHost(path));
  else makeDir(making, path, { mode: 0o755, mtimeNs: 0n });
  return true;
}

/** Made beside and renamed, so that an interrupted run leaves no directory with another mode. */
function makeDir(
  { port, uppers, dir }: Making,
  path: BytePath,
  like: Parameters<typeof dressDir>[2],
  xattrs = '',
): void {
  const name = 'd' as BytePath;
  removePath(port, dir, name);
  const fresh = joinPath(dir, name);
  port.mkdir(fresh, 0o700);
  dressDir(port, fresh, like, xattrChanges('', xattrs));
  uppers.insert(path, fresh, ifClosed(like.mode));
}
