/**
 * Retention: removes before-images and discards that are too old or too many, and sessions without pending
 * changes whose project is gone. Never pending changes, nor a session's newest commit or discard. disk-use.ts
 * counts, reserve.ts keeps space to recover from a full disk, adopt.ts moves an overlay to another session.
 */

import { existsSync } from 'node:fs';
import type { GarbageItem, GcPreview } from '../../../shared/api/types.ts';
import { type BytePath, fromText, joinPath, nameOf } from '../../../shared/bytes.ts';
import { toErrorBody } from '../../../shared/errors.ts';
import { UNDO_LIMITS } from '../../../shared/limits.ts';
import type { UndoLimits } from '../../../shared/model/commit.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import { errorCode, type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { TIMES } from '../../overlay/kept-times.ts';
import { isQuiet } from '../../sandbox/live.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { BEFORE } from '../apply/images.ts';
import { commitDir, commitNumbers, openJournal, readJournal, unfinishedCommit } from '../journal/journal.ts';
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
import { BACK } from '../stage/areas.ts';
import { MERGED } from '../stage/merged-before.ts';
import { sizeOnDisk } from './disk-use.ts';

export type Garbage = GarbageItem;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Prefix of a directory that is being removed; no discard has such a name. */
const REMOVING = '.removing.';

interface Kept extends Garbage {
  newest: boolean;
  /** `images`: what an undo took off the host and could not make pending again exists only here. */
  taken?: boolean;
}

const TAKEN = 'what its undo took off the host is nowhere else';
const LEFTOVER = 'left by a discard that was interrupted before it took anything';

async function kept(port: FsPort, ctx: SessionContext): Promise<Kept[]> {
  return [...(await keptImages(port, ctx)), ...(await keptDiscards(port, ctx))];
}

async function keptImages(port: FsPort, ctx: SessionContext): Promise<Kept[]> {
  const found: Kept[] = [];
  let undoable: Kept | undefined;
  for (const n of commitNumbers(port, ctx)) {
    const dirs = [BEFORE, MERGED, BACK].map((name) => joinPath(commitDir(ctx, n), name));
    const there = dirs.filter((dir) => port.lstat(dir) !== null);
    const record = there.length === 0 ? null : readJournal(port, ctx, n);
    if (record?.phase !== 'closed') continue;
    const about = { session: ctx.session, name: String(n), at: record.begin.at, why: '', newest: false };
    const bytes = await sizeOnDisk(...there);
    const has = (name: BytePath) => there.includes(joinPath(commitDir(ctx, n), name));
    const one: Kept = { kind: 'images', ...about, bytes, taken: has(BACK) };
    found.push(one);
    if (has(BEFORE)) undoable = one;
  }
  for (const newest of [undoable, found.findLast((one) => one.taken)])
    if (newest !== undefined) newest.newest = true;
  return found;
}

async function keptDiscards(port: FsPort, ctx: SessionContext): Promise<Kept[]> {
  const found: Kept[] = [];
  let returnable: Kept | undefined;
  for (const name of trashNames(port, ctx)) {
    const leftover = isLeftover(port, ctx, name);
    const discard = leftover ? null : readDiscard(port, ctx, name);
    if (!leftover && discard?.record.phase !== 'closed') continue;
    const about = { session: ctx.session, name, at: timeOf(ctx, name) ?? '', newest: false };
    const dir = joinPath(trashDir(ctx), name);
    const bytes = await sizeOnDisk(dir, ...overlaysIn(port, ctx, dir));
    const one: Kept = { kind: 'discard', ...about, why: leftover ? LEFTOVER : '', bytes };
    found.push(one);
    if (discard !== null && isReturnable(port, discard)) returnable = one;
  }
  if (returnable !== undefined) returnable.newest = true;
  return found;
}

/**
 * Everything that may be removed, oldest first. Reads only. Of a session that cannot be read (a journal of
 * another version), nothing may be removed: it is named among the problems.
 */
export async function findGarbage(
  contexts: readonly SessionContext[],
  now: number,
  port: FsPort = nodePort,
): Promise<Pick<GcPreview, 'found' | 'problems'>> {
  const found: Garbage[] = [];
  const problems: GcPreview['problems'] = [];
  const rest: Kept[] = [];
  const limits = contexts[0]?.undo ?? UNDO_LIMITS;
  for (const ctx of contexts) {
    let all: Kept[];
    let forgotten: boolean;
    try {
      all = await kept(port, ctx);
      forgotten = await isForgotten(port, ctx, all);
    } catch (error) {
      if (errorCode(error) === '') throw error;
      problems.push({ session: ctx.session, message: toErrorBody(error).error.message });
      continue;
    }
    if (forgotten) {
      const dir = fromText(ctx.sessionDir);
      const bytes = await sizeOnDisk(dir, ...overlaysIn(port, ctx, dir));
      const why = 'its project is gone, and nothing is pending';
      found.push({ kind: 'session', session: ctx.session, name: '', at: '', bytes, why });
      continue;
    }
    rest.push(...all);
  }
  return { found: [...found, ...beyond(rest, limits, now)], problems };
}

/** What is older, or more, than the limits allow, oldest first; and what discards left that took nothing. */
function beyond(all: readonly Kept[], { keepDays, keepBytes }: UndoLimits, now: number): Garbage[] {
  let total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const sorted = [...all].sort((a, b) => (a.at < b.at ? -1 : 1));
  return sorted.flatMap(({ newest, taken, ...one }) => {
    const isOld = now - Date.parse(one.at) > keepDays * DAY_MS;
    if (one.why === '' && (newest || (!isOld && total <= keepBytes))) return [];
    total -= one.bytes;
    const limit = isOld ? `older than ${keepDays} days` : `more than ${keepBytes} bytes are kept`;
    return [{ ...one, why: one.why || (taken === true ? `${limit}; ${TAKEN}` : limit) }];
  });
}

async function isForgotten(port: FsPort, ctx: SessionContext, all: readonly Kept[]): Promise<boolean> {
  if (all.length > 0 || existsSync(Buffer.from(ctx.projectRoot, 'latin1'))) return false;
  if (unfinishedCommit(ctx, port) !== null || !(await isQuiet(ctx))) return false;
  const list = await scan(ctx);
  return list.changes.length === 0 && list.problems.length === 0;
}

/** Checks once more that it is garbage, then removes it. @returns whether it was removed */
export async function removeGarbage(
  ctx: LiveSession,
  garbage: Garbage,
  now: number,
  port: FsPort = nodePort,
): Promise<boolean> {
  const all = await kept(port, ctx);
  if (garbage.kind === 'session') {
    if (!(await isForgotten(port, ctx, all))) return false;
    ensureTrash(port, ctx);
    remove(port, ctx, fromText(ctx.sessionDir), ctx.session);
    return true;
  }
  const still = all.find(({ kind, name }) => kind === garbage.kind && name === garbage.name);
  if (still === undefined || still.newest || Date.parse(still.at) > now) return false;
  if (garbage.kind === 'discard') {
    remove(port, ctx, joinPath(trashDir(ctx), garbage.name), garbage.name);
    return true;
  }
  const n = Number(garbage.name);
  const journal = openJournal(port, commitDir(ctx, n));
  if (journal === null) return false;
  try {
    // Journalled first: incomplete images must not pass for complete ones.
    journal.addSynced({ t: 'collected' });
  } finally {
    journal.close();
  }
  for (const name of [BEFORE, MERGED, BACK, TIMES as BytePath]) removePath(port, journal.dir, name);
  return true;
}

export function sweepTrash(ctx: SessionContext, port: FsPort = nodePort): void {
  if (port.lstat(trashDir(ctx)) === null) return;
  for (const name of port.readdir(trashDir(ctx))) if (name.startsWith(REMOVING)) removeWith(port, ctx, name);
}

function remove(port: FsPort, ctx: SessionContext, dir: BytePath, name: string): void {
  const gone = `${REMOVING}${name}` as BytePath;
  removePath(port, trashDir(ctx), gone);
  port.rename(dir, joinPath(trashDir(ctx), gone));
  removeWith(port, ctx, gone);
}

/** With the overlays that its links name, but never the session's own. */
function removeWith(port: FsPort, ctx: SessionContext, name: BytePath): void {
  const own = overlaysIn(port, ctx, fromText(ctx.sessionDir));
  for (const overlay of overlaysIn(port, ctx, joinPath(trashDir(ctx), name)))
    if (!own.includes(overlay)) removePath(port, overlaysDir(ctx), nameOf(overlay));
  removePath(port, trashDir(ctx), name);
}

export async function collectOwn(ctx: LiveSession, port: FsPort = nodePort): Promise<void> {
  const now = Date.now();
  // Like a discard, what an undo took off the host is removed only at the user's request.
  const images = (await keptImages(port, ctx)).map((one) => ({
    ...one,
    newest: one.newest || one.taken === true,
  }));
  for (const one of beyond(images, ctx.undo ?? UNDO_LIMITS, now)) await removeGarbage(ctx, one, now, port);
}
