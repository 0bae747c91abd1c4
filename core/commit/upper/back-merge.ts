/** The second half of "pending again" (back.ts): the copies take their place in the uppers. */

import { type BytePath, isWithin, joinPath, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { at, errorCode, type FsPort, type Pace, type Stat } from '../../kernel/fs/port.ts';
import { removePath } from '../../kernel/fs/remove-tree.ts';
import { isRenamed, isSame, isStillOurs } from '../../kernel/fs/stat-identity.ts';
import { xattrChanges } from '../../kernel/xattr/text.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../../session/session-context.ts';
import { commitDir, type Journal } from '../journal/journal.ts';
import type { BackLine } from '../journal/lines.ts';
import { hostOf, type Unit } from '../journal/unit.ts';
import { BACK, waitingAt } from '../stage/areas.ts';
import { HostXattrs } from '../stage/host-xattrs.ts';
import { Uppers } from '../stage/uppers.ts';
import { WHITEOUT } from './back.ts';

/** What could not go into its upper. */
export interface Kept {
  path: BytePath;
  at: BytePath;
}

/**
 * Puts what was staged into the uppers. The session is quiet; can be repeated.
 *
 * @returns what could not go there, since a call has made something else of it after an undo had died: it is still in `back/`
 */
export async function mergeBack(
  port: FsPort,
  ctx: SessionContext,
  journal: Journal,
  pace: Pace,
): Promise<Kept[]> {
  const { backs, done, unitOf, upperLoosened, n } = journal.record;
  // Whatever the journal says of its unit: what the host has no more must not be lost.
  const isGone = ({ i, path }: BackLine) => {
    const [unit, now] = [unitOf.get(i), hostNow(port, path)];
    // A swap that failed half-way renamed the host's entry aside and back.
    return !isSame(reviewed(unit), now) && !(unit?.kind === 'swap' && isRenamed(reviewed(unit), now));
  };
  const uppers = new Uppers(port, ctx, (path, mode, id) => {
    journal.add({ t: 'loosen-upper', path, mode, id });
    journal.sync();
  });
  const dir = joinPath(commitDir(ctx, n), BACK);
  const like = new HostXattrs(
    port,
    ctx,
    backs.map(({ path }) => path),
  );
  const kept: Kept[] = [];
  try {
    uppers.restore([...upperLoosened]);
    const touched = touchedBacks(journal);
    // Directories of a mode of their own first: else they would be made as parents, like the host's.
    const ordered = [...backs].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
    for (const line of ordered) {
      await pace.breathe();
      if (!done.has(line.i) && !touched.has(line.path) && !isGone(line)) continue;
      if (line.stays !== true) mergeOne(port, ctx, uppers, { dir, like }, line);
      const at = line.kind === 'copy' && line.born !== null ? stillWaiting(port, ctx, dir, line.path) : null;
      if (at !== null) kept.push({ path: line.path, at });
    }
  } finally {
    uppers.close();
  }
  return kept;
}

function reviewed(unit: Unit | undefined): string | null {
  return unit === undefined ? null : hostOf(unit);
}

function hostNow(port: FsPort, path: BytePath): Stat | null {
  try {
    return port.lstat(path);
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}

/** Where it waits; null = it does not. */
function stillWaiting(port: FsPort, ctx: SessionContext, dir: BytePath, path: BytePath): BytePath | null {
  const covered = coveringDir(ctx.coveredDirs, path);
  if (covered === null) return dir;
  const at = waitingAt(dir, covered, path);
  return port.lstat(at) === null ? null : at;
}

const rank = ({ kind }: BackLine): number => (kind === 'dir' ? 0 : 1);

/** A tree of which anything has left the host is pending again as a whole: what is still there is no change. */
function touchedBacks({ record: { units, backs, done } }: Journal): Set<BytePath> {
  const paths = new Set(backs.map(({ path }) => path));
  const touched = new Set<BytePath>();
  for (const { i, kind, path } of units) {
    if ((kind !== 'delete' && kind !== 'move-to-store') || !done.has(i)) continue;
    for (let at = path; at !== '/' && !touched.has(at); at = parentOf(at)) if (paths.has(at)) touched.add(at);
  }
  return touched;
}

/** Where directories are made, and what they are to have of the host's. */
export interface Making {
  dir: BytePath;
  like: HostXattrs;
}

function mergeOne(port: FsPort, ctx: SessionContext, uppers: Uppers, making: Making, line: BackLine): void {
  const { dir } = making;
  const covered = coveringDir(ctx.coveredDirs, line.path);
  if (covered === null) return;
  const there = uppers.lstat(line.path);
  if (there !== null) return;
  if (!makeParents(port, uppers, making, parentOf(line.path), covered)) return;
  if (line.kind === 'whiteout') uppers.link(line.path, joinPath(dir, WHITEOUT));
  else if (line.kind === 'dir') makeDir(port, uppers, dir, line.path, line);
  else {
    const copy = waitingAt(dir, covered, line.path);
    const stat = port.lstat(copy);
    if (stat === null || !isStillOurs(line.born, stat)) return;
    const closed = stat.type === 'dir' && (line.mode & 0o200) === 0;
    if (closed) uppers.insertClosed(line.path, copy, line.mode);
    else uppers.insert(line.path, copy);
  }
}

/** Directories of the upper above an entry, like those of the host. False: an upper has something else there. */
export function makeParents(
  port: FsPort,
  uppers: Uppers,
  making: Making,
  path: BytePath,
  covered: CoveredDir,
): boolean {
  if (path === covered.path) return true;
  if (!isWithin(path, covered.path)) {
    // The look refuses these: it became one since. Whoever comes next finds the copy where it is.
    throw new TraiError('unsupported', 'expected a path in a covered directory, found the place itself', {
      path: toDisplay(covered.path),
      hint: `What was there is in ${toDisplay(making.dir)}`,
    });
  }
  const there = uppers.lstat(path);
  if (there !== null) return there.type === 'dir';
  if (!makeParents(port, uppers, making, parentOf(path), covered)) return false;
  const host = port.lstat(path);
  const like = host?.type === 'dir' ? host : null;
  makeDir(port, uppers, making.dir, path, {
    mode: like?.mode ?? 0o755,
    uid: like?.uid ?? null,
    gid: like?.gid ?? null,
    mtime: String(like?.mtimeNs ?? 0n),
    xattrs: like === null ? '' : making.like.of(path),
  });
  return true;
}

interface Like {
  mode: number;
  uid: number | null;
  gid: number | null;
  mtime: string;
  xattrs?: string | undefined;
}

/** Made beside, then renamed: who dies in between leaves no directory of another mode. */
function makeDir(port: FsPort, uppers: Uppers, dir: BytePath, path: BytePath, like: Like): void {
  const name = 'd' as BytePath;
  removePath(port, dir, name);
  const fresh = joinPath(dir, name);
  port.mkdir(fresh, 0o700);
  const now = port.lstat(fresh);
  if (now !== null && (now.uid !== (like.uid ?? now.uid) || now.gid !== (like.gid ?? now.gid)))
    port.lchown(fresh, like.uid ?? now.uid, like.gid ?? now.gid);
  const fd = port.openDir(fresh);
  try {
    const xattrs = xattrChanges('', like.xattrs ?? '');
    if (xattrs.length > 0) port.setXattrs(fd, xattrs);
    port.utimes(at(fd), BigInt(like.mtime));
    port.chmod(at(fd), like.mode);
  } finally {
    port.close(fd);
  }
  if ((like.mode & 0o200) === 0) uppers.insertClosed(path, fresh, like.mode);
  else uppers.insert(path, fresh);
}
