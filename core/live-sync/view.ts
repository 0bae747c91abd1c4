/** The merged view of a live session, open for changes, one covered directory at a time. */
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { addTo } from '../../shared/maps.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import type { Transaction } from '../commit/journal/journal.ts';
import { SESSION_CHANGED, SESSION_CHANGED_XATTRS } from '../commit/messages/reasons.ts';
import { Uppers } from '../commit/stage/uppers.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import {
  at,
  errorCode,
  nodePort as port,
  useAndClose,
  useAndCloseAsync,
  withHandle,
} from '../kernel/fs/port.ts';
import { isBetween, type XattrStep, xattrChanges } from '../kernel/fs/xattr-text.ts';
import { openInside } from '../sandbox/inside.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { type CoveredDir, coveringDir, upperPath } from '../session/session-context.ts';
import { Room, type Spot } from './live-view.ts';
import { Placer } from './placer.ts';

export interface View {
  room: Room;
  placer: Placer;
  /** The upper's entry: to look at, since a process may have put a link above it. */
  upper(path: BytePath): BytePath;
}

/**
 * Runs `work` for the items of each covered directory. Returns those that it could not run for: no process of the
 * session shows their directory any more, or nothing in it can take what is replaced.
 */
export async function inView<T>(
  ctx: LiveSession,
  items: readonly T[],
  pathOf: (item: T) => BytePath,
  work: (view: View, mine: T[]) => Promise<void>,
): Promise<T[]> {
  const groups = new Map<CoveredDir | null, T[]>();
  for (const item of items) {
    addTo(groups, coveringDir(ctx.coveredDirs, pathOf(item)), item);
  }
  const rest: T[] = [];
  for (const [covered, mine] of groups) {
    const inside = covered === null ? null : await openInside(ctx.source, covered);
    if (covered === null || inside === null) {
      rest.push(...mine);
      continue;
    }
    await useAndCloseAsync(inside, async () => {
      const room = Room.open(ctx, covered, inside, mine.map(pathOf));
      if (room === null) rest.push(...mine);
      else await useAndCloseAsync(room, () => inRoom(ctx, room, (view) => work(view, mine)));
    });
  }
  return rest;
}

async function inRoom(ctx: LiveSession, room: Room, work: (view: View) => Promise<void>): Promise<void> {
  const placer = new Placer(ctx, room);
  const upper = (path: BytePath) => upperPath(room.covered, path);
  await work({ room, placer, upper });
  placer.save();
}

interface Dressing {
  /** The mode that it must have, unless it is dressed already or attributes tell. */
  from: number;
  to: { mode: number; uid: number; gid: number };
  xattrs?: XattrStep | undefined;
}

/** Sets mode, owner and attributes of a directory. Returns why the session's own are left, or null. */
export function dressInView({ room }: View, path: BytePath, { from, to, xattrs }: Dressing): string | null {
  const place = path === room.covered.path ? at(room.inside.fd, '.') : (room.spot(path)?.at ?? null);
  if (place === null || lstatEntry(place)?.type !== 'dir') return SESSION_CHANGED;
  return withHandle(port, port.openDir(place), (fd) => {
    const now = port.fstat(fd);
    const has = xattrs === undefined ? null : port.xattrs(fd);
    if (xattrs === undefined) {
      if (now.mode !== from && now.mode !== to.mode) return SESSION_CHANGED;
    } else if (has === null || !isBetween(has, xattrs)) return SESSION_CHANGED_XATTRS;
    else port.setXattrs(fd, xattrChanges(has, xattrs.to));
    if (now.uid !== to.uid || now.gid !== to.gid) port.lchown(at(fd, '.'), to.uid, to.gid);
    port.chmod(at(fd), to.mode);
    return null;
  });
}

/**
 * Takes a whiteout out of the upper, to the journal's directory; the mounts have to be refreshed then. The view holds no
 * entry of the upper where it shows nothing. A process that makes one at this moment gets ESTALE; or, which is false, it
 * is found by the look at what was taken out, and has its entry back.
 * @returns brings it back, or removes it; null: it is in its place
 */
export function takeWhiteout(
  { ctx, journal }: Transaction,
  path: BytePath,
  i: number,
): { putBack(): void; remove(): void } | null {
  const out = outOf(journal.dir, i);
  const putBack = (): void => useAndClose(new Uppers(port, ctx, null), (uppers) => uppers.insert(path, out));
  useAndClose(new Uppers(port, ctx, null), (uppers) => {
    if (uppers.lstat(path) !== null) uppers.takeOut(path, out);
  });
  const taken = port.lstat(out);
  if (taken !== null && !isWhiteout(taken)) {
    putBack();
    return null;
  }
  return {
    putBack: () => (taken === null ? undefined : putBack()),
    remove: () => (taken === null ? undefined : port.unlink(out)),
  };
}

const outOf = (dir: BytePath, i: number): BytePath => joinPath(dir, `out${i}`);

/** Whether a dead run has taken it, and not brought it back. */
export function wasTaken({ journal }: Transaction, i: number): boolean {
  return port.lstat(outOf(journal.dir, i)) !== null;
}

const ESTALE = -116;

/**
 * Whether the view cannot show what the host has. As long as a process has something of a deleted directory open,
 * overlayfs keeps that one for the host's directory, and finds it to be another one (`ovl_verify_inode`).
 */
export function isHeld(spot: Spot | null): boolean {
  try {
    if (spot !== null) lstatEntry(spot.at);
    return false;
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === ESTALE) return true;
    if (errorCode(error) === '') throw error;
    return false;
  }
}
