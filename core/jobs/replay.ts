/** The job of core/live-sync: batch by batch, so that calls can enter in between. */
import { REPLAY_BATCH } from '../../shared/limits.ts';
import { movedOn, type ReplayReport, type ReplayRequest, replayBatch } from '../live-sync/replay.ts';
import { readBaseFile } from '../overlay/base-file.ts';
import { liveProcesses } from '../sandbox/live.ts';
import type { SessionContext } from '../session/session-context.ts';
import { finishInterruptedUndo } from './door/recovery.ts';
import { withSession } from './door/with-session.ts';

/** @throws TraiError `busy` when the lock can't be had, `no-space` */
export async function replay(ctx: SessionContext, request: ReplayRequest): Promise<ReplayReport> {
  const lists = { replayed: [], left: [], held: [], saved: [], again: [] };
  const report: ReplayReport = { live: false, problem: null, kept: 0, ...lists };
  if ((await liveProcesses(ctx.source)).length === 0) return report;
  const moved = request.everything ? await movedOn(readBaseFile(ctx).records.values()) : [];
  const paths = [...new Set([...request.paths, ...moved])];
  // At least one batch: a refresh is due even without paths.
  for (let at = 0; at === 0 || at < paths.length; at += REPLAY_BATCH) {
    const batch = paths.slice(at, at + REPLAY_BATCH);
    await withSession(ctx, 'live', async (session) => {
      // What an undo has put back on the host already must not replace what it made pending.
      await finishInterruptedUndo(session);
      await replayBatch(session, batch, report);
    });
  }
  return report;
}
