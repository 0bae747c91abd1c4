/**
 * Retention: removes before-images and discards that are too old or too many, and sessions without pending
 * changes whose project is gone, or in which nothing has run. Never pending changes, nor a session's newest commit
 * or discard. disk-use.ts counts, reserve.ts keeps space to recover from a full disk, adopt.ts moves an overlay to
 * another session.
 */

import { existsSync } from 'node:fs';
import type { GarbageItem, GcPreview } from '../../../shared/api/types.ts';
import { type BytePath, fromText, joinPath, nameOf } from '../../../shared/bytes.ts';
import { UNDO_LIMITS } from '../../../shared/limits.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import type { UndoLimits } from '../../../shared/model/commit.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import { orIfRefused, nodePort as port, useAndClose } from '../../kernel/fs/port.ts';
import { TIMES } from '../../overlay/kept-times.ts';
import { isClientRunning, readClientRecord, removeCopy } from '../../sandbox/client-door.ts';
import { isQuiet } from '../../sandbox/live.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { readLog } from '../../session/log/read.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { unmadeSessions } from '../../session/store.ts';
import { unreadSession } from '../../session/unread.ts';
import { BEFORE } from '../apply/images.ts';
import {
  beganAt,
  commitDir,
  commitNumbers,
  openJournal,
  readJournal,
  unfinishedCommit,
} from '../journal/journal.ts';
import { overlaysDir, overlaysIn } from '../journal/overlays.ts';
import {
  ensureTrash,
  isLeftover,
  isReturnable,
  readDiscard,
  timeOf,
  trashDir,
  trashNames,
} from '../journal/trash.ts';
import {
  LEFTOVER,
  moreThan,
  NEVER_BEGAN,
  olderThan,
  PROJECT_GONE,
  takenFromHost,
} from '../messages/reasons.ts';
import { BACK } from '../stage/areas.ts';
import { KEPT_BY_COMMIT, sizeOnDisk } from './disk-use.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Prefix of a directory that is being removed; no discard has such a name. */
const REMOVING = '.removing.';

interface Kept extends Omit<GarbageItem, 'bytes'> {
  paths: BytePath[];
  /** Never garbage: the newest, and what an interrupted undo takes from. */
  stays: boolean;
  /** `images`: what an undo took off the host and could not make pending again exists only here. */
  taken?: boolean;
}

function kept(ctx: SessionContext): Kept[] {
  return [...keptImages(ctx), ...keptDiscards(ctx)];
}

function keptImages(ctx: SessionContext): Kept[] {
  const found: Kept[] = [];
  let undoable: Kept | undefined;
  // An interrupted undo takes from them when it is rolled forward.
  const open = unfinishedCommit(ctx);
  const needed = open === null ? undefined : readJournal(port, ctx, open)?.begin.undoes;
  for (const n of commitNumbers(port, ctx)) {
    const dir = commitDir(ctx, n);
    const there = KEPT_BY_COMMIT.filter((name) => port.lstat(joinPath(dir, name)) !== null);
    const at = there.length === 0 ? null : beganAt(port, ctx, n);
    if (at === null) continue;
    const about = { session: ctx.session, name: String(n), at, why: '', stays: n === needed };
    const paths = there.map((name) => joinPath(dir, name));
    const one: Kept = { kind: 'images', ...about, paths, taken: there.includes(BACK) };
    found.push(one);
    if (there.includes(BEFORE)) undoable = one;
  }
  for (const newest of [undoable, found.findLast((one) => one.taken)])
    if (newest !== undefined) newest.stays = true;
  return found;
}

function keptDiscards(ctx: SessionContext): Kept[] {
  const found: Kept[] = [];
  let returnable: Kept | undefined;
  for (const name of trashNames(port, ctx)) {
    const discard = readDiscard(port, ctx, name);
    const leftover = discard === null && isLeftover(port, ctx, name);
    if (!leftover && discard?.record.phase !== 'closed') continue;
    const about = { session: ctx.session, name, at: timeOf(ctx, name) ?? '', stays: false };
    const dir = joinPath(trashDir(ctx), name);
    const paths = [dir, ...overlaysIn(port, ctx, dir)];
    const one: Kept = { kind: 'discard', ...about, why: leftover ? LEFTOVER : '', paths };
    found.push(one);
    if (discard !== null && isReturnable(port, discard)) returnable = one;
  }
  if (returnable !== undefined) returnable.stays = true;
  return found;
}

/**
 * Everything that may be removed, oldest first. Reads only. Of a session that cannot be read (a journal of
 * another version), nothing may be removed: it is named among the problems.
 */
export async function findGarbage(
  contexts: readonly SessionContext[],
  now: number,
): Promise<Pick<GcPreview, 'found' | 'problems'>> {
  const found: GarbageItem[] = [];
  const problems: GcPreview['problems'] = [];
  const rest: Kept[] = [];
  const limits = contexts[0]?.undo ?? UNDO_LIMITS;
  for (const ctx of contexts) {
    let all: Kept[];
    let why: string | null;
    try {
      all = kept(ctx);
      why = await whyForgotten(ctx, all);
    } catch (error) {
      problems.push(unreadSession(ctx.session, error));
      continue;
    }
    if (why !== null) {
      const dir = fromText(ctx.sessionDir);
      const bytes = await sizeOnDisk(dir, ...overlaysIn(port, ctx, dir));
      found.push({ kind: 'session', session: ctx.session, name: '', at: '', bytes, why });
      continue;
    }
    rest.push(...all);
  }
  return { found: [...found, ...(await beyond(rest, limits, now))], problems };
}

/** What is older, or more, than the limits allow, oldest first; and what discards left that took nothing. */
async function beyond(all: readonly Kept[], limits: UndoLimits, now: number): Promise<GarbageItem[]> {
  const { keepDays, keepBytes } = limits;
  const sorted: (Omit<Kept, 'paths'> & GarbageItem)[] = [];
  for (const { paths, ...one } of [...all].sort((a, b) => (a.at < b.at ? -1 : 1)))
    sorted.push({ ...one, bytes: await sizeOnDisk(...paths) });
  let total = sorted.reduce((sum, { bytes }) => sum + bytes, 0);
  return sorted.flatMap(({ stays, taken, ...one }) => {
    const isOld = now - Date.parse(one.at) > keepDays * DAY_MS;
    if (one.why === '' && (stays || (!isOld && total <= keepBytes))) return [];
    total -= one.bytes;
    const limit = isOld ? olderThan(keepDays) : moreThan(keepBytes);
    return [{ ...one, why: one.why || (taken === true ? takenFromHost(limit) : limit) }];
  });
}

async function whyForgotten(ctx: SessionContext, all: readonly Kept[]): Promise<string | null> {
  const isGone = !existsSync(Buffer.from(ctx.projectRoot, 'latin1'));
  if (all.length > 0 || !(isGone || (await neverBegan(ctx)))) return null;
  if (unfinishedCommit(ctx) !== null || !(await isQuiet(ctx))) return null;
  const list = await scan(ctx);
  if (list.changes.length + list.problems.length > 0) return null;
  return isGone ? PROJECT_GONE : NEVER_BEGAN;
}

/** Before the launcher logs its start. */
const BEFORE_START: ReadonlySet<string> = new Set([
  'call.decided',
  'call.grounds',
  'call.failed',
  'call.closed',
]);

/** Made for a client in which nothing ran, as a signal ended it, `bin/trai` or the server at the start. */
async function neverBegan({ sessionDir }: SessionContext): Promise<boolean> {
  if (isClientRunning(sessionDir)) return false;
  const { events, raw } = await readLog(sessionDir);
  // The server may have been killed before it wrote the log.
  const isForClient = readClientRecord(sessionDir) !== null || events.some(({ t }) => t === 'session');
  const isBefore = (event: LogEvent) =>
    event.t === 'session' ? event.source === 'client' : BEFORE_START.has(event.t);
  return isForClient && raw.length === 0 && events.every(isBefore);
}

/** Checks once more that it is garbage, then removes it. @returns whether it was removed */
export async function removeGarbage(ctx: LiveSession, garbage: GarbageItem, now: number): Promise<boolean> {
  const all = kept(ctx);
  if (garbage.kind === 'session') {
    if ((await whyForgotten(ctx, all)) === null) return false;
    removeCopy(ctx.sessionDir);
    ensureTrash(port, ctx);
    remove(ctx, fromText(ctx.sessionDir), ctx.session);
    return true;
  }
  const still = all.find(({ kind, name }) => kind === garbage.kind && name === garbage.name);
  if (still === undefined || still.stays || Date.parse(still.at) > now) return false;
  if (garbage.kind === 'discard') {
    remove(ctx, joinPath(trashDir(ctx), garbage.name), garbage.name);
    return true;
  }
  const n = Number(garbage.name);
  const journal = openJournal(port, commitDir(ctx, n));
  if (journal === null) return false;
  // Journalled first: incomplete images must not pass for complete ones.
  useAndClose(journal, () => journal.addSynced({ t: 'collected' }));
  for (const name of [...KEPT_BY_COMMIT, TIMES as BytePath]) removePath(port, journal.dir, name);
  return true;
}

export function sweepTrash(ctx: SessionContext): void {
  if (port.lstat(trashDir(ctx)) === null) return;
  for (const name of port.readdir(trashDir(ctx))) if (name.startsWith(REMOVING)) removeWith(ctx, name);
}

/** Removes unfinished sessions whose maker has died: nothing ran in them. */
export function sweepUnmade(stateDir: string): void {
  const sessions = joinPath(fromText(stateDir), 'sessions');
  for (const name of unmadeSessions(stateDir)) {
    const gone = fromText(`${name}_`);
    // Its maker may be alive in another pid namespace. After the rename it cannot finish; if the rename fails, it has.
    const isTaken = orIfRefused(() => {
      port.rename(joinPath(sessions, fromText(name)), joinPath(sessions, gone));
      return true;
    }, false);
    if (!isTaken) continue;
    for (const overlay of overlaysIn(port, { stateDir }, joinPath(sessions, gone)))
      removePath(port, overlaysDir({ stateDir }), nameOf(overlay));
    removePath(port, sessions, gone);
  }
}

function remove(ctx: SessionContext, dir: BytePath, name: string): void {
  const gone = `${REMOVING}${name}` as BytePath;
  removePath(port, trashDir(ctx), gone);
  port.rename(dir, joinPath(trashDir(ctx), gone));
  removeWith(ctx, gone);
}

/** With the overlays that its links name, but never the session's own. */
function removeWith(ctx: SessionContext, name: BytePath): void {
  const own = overlaysIn(port, ctx, fromText(ctx.sessionDir));
  for (const overlay of overlaysIn(port, ctx, joinPath(trashDir(ctx), name)))
    if (!own.includes(overlay)) removePath(port, overlaysDir(ctx), nameOf(overlay));
  removePath(port, trashDir(ctx), name);
}

export async function collectOwn(ctx: LiveSession): Promise<void> {
  const now = Date.now();
  // Like a discard, what an undo took off the host is removed only at the user's request.
  const images = keptImages(ctx).map((one) => ({ ...one, stays: one.stays || one.taken === true }));
  for (const one of await beyond(images, ctx.undo ?? UNDO_LIMITS, now)) await removeGarbage(ctx, one, now);
}
