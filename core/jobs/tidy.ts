import { LOCK_WAIT_S } from '../../shared/limits.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { dropCommitted } from '../commit/apply/cleanup.ts';
import { commitNumbers } from '../commit/journal/journal-file.ts';
import { repairMissing, repairOverlay } from '../commit/recover/repair.ts';
import { keepReserve } from '../commit/retention/reserve.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { clearQuiet } from '../live-sync/kept-entries.ts';
import { confirmBases } from '../overlay/base-file.ts';
import { recordBases } from '../overlay/bases.ts';
import { isQuiet, liveProcesses } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { clearMarks } from '../sandbox/probe.ts';
import { dropRunFiles } from '../sandbox/run-files.ts';
import { listUppers } from '../scan/cache/list-uppers.ts';
import { confirmListing, momentNow } from '../scan/cache/listing.ts';
import { upperState } from '../scan/cache/upper-state.ts';
import { reap } from '../scan/reap.ts';
import type { SessionContext } from '../session/session-context.ts';
import { finishInterrupted } from './adopt.ts';
import { finishUndo } from './finish-undo.ts';
import { log } from './log-commit.ts';
import { repairAndLog } from './repaired.ts';

/** What is left after a call. */
export interface TidyReport {
  /** Processes of the session that are still there; empty = quiet. */
  left: number[];
}

/** `stateOf` as the last round in a quiet session left them, by session directory. */
const settled = new Map<string, string>();

/**
 * The work after a call, before the next fresh mount: base records of what is new in the uppers, and, in a quiet
 * session, what a commit copied and what was only copied up unchanged leaves the upper. Such a copy would hide every
 * later change that the host makes. A call that wrote nothing leaves nothing to do, and no lock is taken.
 *
 * @param earliestCall start (ms since the epoch) of the first call since a round that found the session quiet; null
 *   when that is not known
 */
export async function tidy(ctx: SessionContext, earliestCall: number | null): Promise<TidyReport> {
  const began = momentNow(ctx);
  const passBegan = Date.now() - CLOCK_TICK_MS;
  const left = (await liveProcesses(ctx.source)).map((process) => process.pid);
  dropRunFiles(ctx.sessionDir, left.length === 0);
  const before = settled.get(ctx.sessionDir);
  if (left.length === 0 && before !== undefined && (await stateOf(ctx)) === before) {
    // Else the next call would have to, while somebody waits for it.
    await clearMarks(ctx);
    // Nothing came into the uppers by then: what the host has changed meanwhile the next call will see.
    confirmBases(ctx, passBegan);
    if (began !== null) confirmListing(ctx, began);
    return { left };
  }
  settled.delete(ctx.sessionDir);
  return await withLock(ctx.sessionDir, LOCK_WAIT_S, async () => {
    // First of all: what comes next would make the directory anew.
    await repairAndLog(ctx, log, () => repairMissing(ctx));
    if (!(await finishInterrupted(ctx))) return { left: [] };
    keepReserve(ctx);
    // Under the lock: two passes at a time could lose each other's records.
    const quiet = await isQuiet(ctx);
    await listUppers(ctx, quiet);
    await recordBases(ctx, earliestCall === null ? {} : { earliestCall });
    // The lock keeps a quiet session quiet; a live one may have become it.
    if (!quiet && !(await isQuiet(ctx))) {
      return { left: (await liveProcesses(ctx.source)).map((process) => process.pid) };
    }
    await repairAndLog(ctx, log, () => repairOverlay(ctx));
    await finishUndo(ctx);
    await dropCommitted(ctx);
    clearQuiet(ctx);
    await reap(ctx);
    const after = await stateOf(ctx);
    if (after !== null) settled.set(ctx.sessionDir, after);
    return { left: [] };
  });
}

/** What has moved when there is work: the uppers, or a commit since, whose copies leave them when it is quiet. */
async function stateOf(ctx: SessionContext): Promise<string | null> {
  const uppers = await upperState(ctx);
  return uppers === null ? null : `${uppers} ${commitNumbers(nodePort, ctx).at(-1) ?? 0}`;
}
