/** The job of core/live-sync: batch by batch through the door, so that calls can enter between two of them. */
import { REPLAY_BATCH } from '../../shared/limits.ts';
import { movedOn, type ReplayReport, type ReplayRequest, replayBatch } from '../live-sync/replay.ts';
import { readBaseFile } from '../overlay/base-file.ts';
import { liveProcesses } from '../sandbox/live.ts';
import type { SessionContext } from '../session/session-context.ts';
import { withSession } from './door/with-session.ts';

/** @throws TraiError `busy` when the session's lock can't be had, `no-space` */
export async function replay(ctx: SessionContext, request: ReplayRequest): Promise<ReplayReport> {
  const lists = { replayed: [], left: [], held: [], saved: [], again: [] };
  const report: ReplayReport = { live: false, problem: null, kept: 0, ...lists };
  if ((await liveProcesses(ctx.source)).length === 0) return report;
  const moved = request.everything ? await movedOn(readBaseFile(ctx).records.values()) : [];
  const paths = [...new Set([...request.paths, ...moved])];
  // One batch at least: a refresh is due also when no path is named.
  for (let at = 0; at === 0 || at < paths.length; at += REPLAY_BATCH) {
    const batch = paths.slice(at, at + REPLAY_BATCH);
    await withSession(ctx, 'live', async (session) => await replayBatch(session, batch, report));
  }
  return report;
}
