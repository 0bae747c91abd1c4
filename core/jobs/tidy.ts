import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { dropCommitted } from '../commit/apply/cleanup.ts';
import { commitNumbers } from '../commit/journal/journal.ts';
import { keepReserve } from '../commit/retention/reserve.ts';
import { isPast } from '../kernel/fs/fingerprint.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { clearQuiet } from '../live-sync/kept-entries.ts';
import { confirmBases } from '../overlay/base-file.ts';
import { recordBases } from '../overlay/bases.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { asQuiet, type LiveSession } from '../sandbox/lock.ts';
import { clearMarks } from '../sandbox/probe.ts';
import { dropRunFiles } from '../sandbox/run-files.ts';
import { upperState } from '../scan/cache/unchanged.ts';
import {
  confirmListing,
  listUppers,
  momentNow,
  readUppers,
  type UpperDirs,
} from '../scan/cache/upper-listing.ts';
import { reap } from '../scan/reap.ts';
import type { SessionContext } from '../session/session-context.ts';
import { finishInterruptedUndo } from './door/recovery.ts';
import { expectQuiet, withSession } from './door/with-session.ts';
import { MovedOn } from './messages/errors.ts';

export interface TidyReport {
  left: number[];
}

/** A round that left no work: the uppers after it, and whether it found the session quiet. */
interface Round {
  state: string;
  quiet: boolean;
}

/** By session directory. */
const rounds = new Map<string, Round>();

/**
 * The work after a call, before the next fresh mount: takes base records of new entries and, in a quiet
 * session, removes committed copies and reaps untouched copy-ups, which would hide later changes of the host.
 * Takes no lock if nothing was written since.
 * @param earliestCall start (ms since the epoch) of the first call since the last quiet round; null = unknown
 */
export async function tidy(ctx: SessionContext, earliestCall: number | null): Promise<TidyReport> {
  const began = momentNow(ctx);
  const passBegan = Date.now() - CLOCK_TICK_MS;
  const left = await leftIn(ctx);
  const live = left.length > 0;
  dropRunFiles(ctx.sessionDir, !live);
  const before = rounds.get(ctx.sessionDir);
  // A round in a live session leaves what waits for a quiet one.
  if ((live || before?.quiet === true) && before?.state === stateOf(ctx, await readUppers(ctx))) {
    // Otherwise the next call would have to, which delays the user.
    if (!live) clearMarks(ctx);
    // Nothing entered the uppers before: the next call sees whatever the host has changed since.
    confirmBases(ctx, passBegan);
    if (began !== null) confirmListing(ctx, began);
    return { left };
  }
  rounds.delete(ctx.sessionDir);
  try {
    return await withSession(
      ctx,
      'live',
      async (session) => await tidyBehindDoor(session, { live, earliestCall }),
    );
  } catch (error) {
    // No call has run in this overlay yet.
    if (error instanceof MovedOn) return { left: [] };
    throw error;
  }
}

/** @param live a process of the session was running just now: the kernel need not be asked by mounting */
async function tidyBehindDoor(
  session: LiveSession,
  { live, earliestCall }: { live: boolean; earliestCall: number | null },
): Promise<TidyReport> {
  keepReserve(session);
  const listed = await listUppers(session, !live && (await asQuiet(session)) !== null);
  const before = live ? restingState(session, listed) : null;
  await recordBases(session, earliestCall === null ? {} : { earliestCall });
  // The session may have become quiet since, or live.
  const left = live ? await leftIn(session) : [];
  if (left.length > 0 || (await asQuiet(session)) === null) {
    if (before !== null) rounds.set(session.sessionDir, { state: before, quiet: false });
    return { left: left.length > 0 ? left : await leftIn(session) };
  }
  const quiet = await expectQuiet(session);
  await finishInterruptedUndo(quiet);
  const dropped = await dropCommitted(quiet);
  clearQuiet(quiet);
  const { removed } = await reap(quiet, listed.dirs);
  const state = stateOf(quiet, dropped + removed === 0 ? listed : await readUppers(quiet));
  if (state !== null) rounds.set(session.sessionDir, { state, quiet: true });
  return { left: [] };
}

async function leftIn({ source }: SessionContext): Promise<number[]> {
  return (await liveProcesses(source)).map(({ pid }) => pid);
}

/** Null where a write of a running process may leave the times as they are. */
function restingState(ctx: SessionContext, listed: UpperDirs): string | null {
  const rests = [...listed.dirs.values()].every(({ ctimeNs }) => isPast(BigInt(ctimeNs)));
  return rests ? stateOf(ctx, listed) : null;
}

/** Changes when there is work: with the uppers, or with a commit, whose copies leave them when quiet. */
function stateOf(ctx: SessionContext, dirs: UpperDirs): string | null {
  const uppers = upperState(ctx, dirs);
  return uppers === null ? null : `${uppers} ${commitNumbers(nodePort, ctx).at(-1) ?? 0}`;
}
