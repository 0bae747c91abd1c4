import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { dropCommitted } from '../commit/apply/cleanup.ts';
import { commitNumbers } from '../commit/journal/journal.ts';
import { keepReserve } from '../commit/retention/reserve.ts';
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

/** By session directory: `stateOf` after the last round in a quiet session. */
const settled = new Map<string, string>();

/**
 * The work after a call, before the next fresh mount: takes base records of new entries and, in a quiet
 * session, removes committed copies and reaps untouched copy-ups, which would hide later changes of the host.
 * Takes no lock if no call has written since.
 * @param earliestCall start (ms since the epoch) of the first call since the last quiet round; null = unknown
 */
export async function tidy(ctx: SessionContext, earliestCall: number | null): Promise<TidyReport> {
  const began = momentNow(ctx);
  const passBegan = Date.now() - CLOCK_TICK_MS;
  const left = (await liveProcesses(ctx.source)).map((process) => process.pid);
  dropRunFiles(ctx.sessionDir, left.length === 0);
  const before = settled.get(ctx.sessionDir);
  if (left.length === 0 && before !== undefined && stateOf(ctx, await readUppers(ctx)) === before) {
    // Otherwise the next call would have to, which delays the user.
    await clearMarks(ctx);
    // Nothing entered the uppers before: the next call sees whatever the host has changed since.
    confirmBases(ctx, passBegan);
    if (began !== null) confirmListing(ctx, began);
    return { left };
  }
  settled.delete(ctx.sessionDir);
  try {
    return await withSession(ctx, 'live', async (session) => await tidyBehindDoor(session, earliestCall));
  } catch (error) {
    // No call has run in this overlay yet.
    if (error instanceof MovedOn) return { left: [] };
    throw error;
  }
}

async function tidyBehindDoor(session: LiveSession, earliestCall: number | null): Promise<TidyReport> {
  keepReserve(session);
  const listed = await listUppers(session, (await asQuiet(session)) !== null);
  await recordBases(session, earliestCall === null ? {} : { earliestCall });
  // The session may have become quiet since.
  if ((await asQuiet(session)) === null) {
    return { left: (await liveProcesses(session.source)).map((process) => process.pid) };
  }
  const quiet = await expectQuiet(session);
  await finishInterruptedUndo(quiet);
  const dropped = await dropCommitted(quiet);
  clearQuiet(quiet);
  const { removed } = await reap(quiet, listed.dirs);
  const after = stateOf(quiet, dropped + removed === 0 ? listed : await readUppers(quiet));
  if (after !== null) settled.set(session.sessionDir, after);
  return { left: [] };
}

/** Changes when there is work: with the uppers, or with a commit, whose copies leave them when quiet. */
function stateOf(ctx: SessionContext, dirs: UpperDirs): string | null {
  const uppers = upperState(ctx, dirs);
  return uppers === null ? null : `${uppers} ${commitNumbers(nodePort, ctx).at(-1) ?? 0}`;
}
