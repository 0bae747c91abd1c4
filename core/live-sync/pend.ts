/**
 * Pending in the merged view of a live session: of an undo, what the host is about to lose.
 *
 * While the host still has the entries, the view shows them, and a copy-up makes the upper have them too: whatever
 * the host has afterwards, the view stays the same, and so do open and mapped files. Where the host is about to get
 * an entry back, a whiteout goes straight into the upper: the view shows nothing there, and holds nothing of it. If
 * the undo is given up, the upper only has untouched copy-ups.
 */
import { type BytePath, joinPath, parentOf } from '../../shared/bytes.ts';
import type { Transaction } from '../commit/journal/journal.ts';
import { IN_VIEW, LIVE_ENDED, MEANWHILE, notPending } from '../commit/messages/reasons.ts';
import { BACK } from '../commit/stage/areas.ts';
import { Uppers } from '../commit/stage/uppers.ts';
import type { PendLive } from '../commit/undo/stage-undo.ts';
import {
  type Displaced,
  type Item,
  makeWhiteout,
  stagePending,
  WHITEOUT,
} from '../commit/upper/pending-again.ts';
import { chmodEntry } from '../kernel/fs/dir-handles.ts';
import { entryMessage } from '../kernel/fs/entry-errors.ts';
import { identityOf, looksAlike } from '../kernel/fs/fingerprint.ts';
import { errorCode, type FsPort, useAndClose, useAndCloseAsync } from '../kernel/fs/port.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import { openInside, refreshMounts } from '../sandbox/inside.ts';
import { liveProcesses } from '../sandbox/live.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { coveringDir } from '../session/session-context.ts';
import { inView, type View } from './view.ts';

/** @see PendLive */
export const pendLive: PendLive = async (transaction, items, instead, losing) => {
  const { port, ctx, journal } = transaction;
  // A process keeps a view of what it works in, or has open, in which a directory that the host has lost can't be read.
  const used = await inUse(transaction, losing);
  const failed = new Map([...used].map((i) => [i, notPending(IN_VIEW)]));
  if (items.length === 0) return failed;
  // What stays in `back/` is no part of the view.
  const beside = items.filter(({ line }) => line.stays === true);
  const going = items.filter((item) => !beside.includes(item));
  for (const [i, why] of await stagePending(transaction, beside, instead)) failed.set(i, why);
  const fail = ({ line }: Item, why: string) => failed.set(line.i, notPending(why));
  const back = joinPath(journal.dir, BACK);
  if (port.lstat(back) === null) port.mkdir(back, 0o700);
  if (going.some(({ line }) => line.kind === 'whiteout')) await makeWhiteout(port, back);
  const rest = await inView(ctx, going, pathOf, async (view, mine) => {
    // What the view has cached may be older than the host's.
    await refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
    for (const item of mine) {
      const { path } = item.line;
      if (used.has(item.line.i)) continue;
      if (instead.has(path)) fail(item, MEANWHILE);
      else await pendOne(transaction, view, item, (why) => fail(item, why));
    }
    view.room.letGo();
    const problem = await refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
    if (problem !== null) for (const item of mine) fail(item, problem);
  });
  for (const item of rest) fail(item, LIVE_ENDED);
  return failed;
};

/** After the host has changed: a directory that it has lost can't be listed in a view that still merges the two. */
export async function refreshView(ctx: LiveSession, paths: readonly BytePath[]): Promise<void> {
  for (const covered of new Set(paths.map((path) => coveringDir(ctx.coveredDirs, path)))) {
    const inside = covered === null ? null : await openInside(ctx.source, covered);
    if (covered === null || inside === null) continue;
    await useAndCloseAsync(inside, async () => {
      await refreshMounts(ctx, inside.pid, [covered.path]);
    });
  }
}

const pathOf = ({ line }: Item): BytePath => line.path;

async function inUse({ ctx }: Transaction, losing: readonly Displaced[]): Promise<Set<number>> {
  const users = usersBelow(await liveProcesses(ctx.source), new Set(losing.map(({ path }) => path)));
  const used = new Set(users.map(({ top }) => top));
  return new Set(losing.flatMap(({ i, path }) => (used.has(path) ? [i] : [])));
}

async function pendOne(
  { port, ctx, journal }: Transaction,
  view: View,
  { line, now }: Item,
  fail: (why: string) => void,
): Promise<void> {
  const { path, kind } = line;
  try {
    copyUpDirs(port, view, path);
    if (kind === 'whiteout') {
      useAndClose(new Uppers(port, ctx, null), (uppers) =>
        uppers.link(path, joinPath(journal.dir, joinPath(BACK, WHITEOUT))),
      );
    } else if (kind === 'dir') copyUp(port, view, path);
    else copyUpTree(port, view, path);
    const upper = port.lstat(view.upper(path));
    const isAlike = kind !== 'copy' || (now !== null && upper !== null && looksAlike(identityOf(now), upper));
    if (!isAlike) fail(MEANWHILE);
  } catch (error) {
    const message = errorCode(error) === 'EEXIST' ? MEANWHILE : entryMessage(error);
    if (message === null) throw error;
    fail(message);
  }
}

function copyUpTree(port: FsPort, view: View, path: BytePath): void {
  copyUp(port, view, path);
  const spot = view.room.spot(path);
  if (spot === null || port.lstat(spot.at)?.type !== 'dir') return;
  for (const name of port.readdir(spot.at)) copyUpTree(port, view, joinPath(path, name));
}

/** By setting what is set: the kernel copies first. */
function copyUp(port: FsPort, { room }: View, path: BytePath): void {
  const spot = room.spot(path);
  const shown = spot === null ? null : port.lstat(spot.at);
  if (spot === null || shown === null) return;
  if (shown.type === 'symlink') port.lchown(spot.at, shown.uid, shown.gid);
  else chmodEntry(port, spot.at, shown.mode);
}

/** The directories above, so that the view looks into the upper's: it would not find what is inserted there. */
export function copyUpDirs(port: FsPort, view: View, path: BytePath): void {
  const missing: BytePath[] = [];
  for (let dir = parentOf(path); dir !== view.room.covered.path && dir !== '/'; dir = parentOf(dir)) {
    if (port.lstat(view.upper(dir)) !== null) break;
    missing.push(dir);
  }
  for (const dir of missing.reverse()) copyUp(port, view, dir);
  view.placer.record(parentOf(path));
}
