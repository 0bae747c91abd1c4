/**
 * Makes what the host has changed visible in a live session. A mounted overlay goes on showing names as it has looked
 * them up, and its processes get no event for a change of the host: so it is refreshed, and what the sandbox has not
 * changed is written through it once more.
 */
import { type BytePath, isWithin } from '../../bytes.ts';
import { sameEntry } from '../../changes/conflict.ts';
import { readBaseFile } from '../../changes/node/base-file.ts';
import { hostEntry, placeOf, toHostStat } from '../../changes/node/entry.ts';
import { LOCK_WAIT_S, REPLAY_BATCH } from '../../limits.ts';
import { type Inside, openInside } from '../../sandbox/node/inside.ts';
import { liveProcesses } from '../../sandbox/node/live.ts';
import { withLock } from '../../sandbox/node/lock.ts';
import { refreshMounts } from '../../sandbox/node/refresh.ts';
import type { Place, SessionContext } from '../../sandbox/types.ts';
import { Room } from './room.ts';
import { Round, type RoundResult } from './round.ts';

export interface ReplayRequest {
  /** What may have changed on the host, directories included; what lies below a new directory need not be named. */
  paths: readonly BytePath[];
  /** Anything may have changed: all earlier copies are compared with the host too. */
  everything: boolean;
}

export interface ReplayReport extends RoundResult {
  /** False when no process of the session is there: nothing was done, the next call mounts anew. */
  live: boolean;
  /** Why the overlays could not be refreshed, or null. */
  problem: string | null;
}

/** @throws TraiError `busy` when the session's lock can't be had, `no-space` */
export async function replay(ctx: SessionContext, request: ReplayRequest): Promise<ReplayReport> {
  const lists = { replayed: [], left: [], saved: [], again: [] };
  const report: ReplayReport = { live: false, problem: null, kept: 0, ...lists };
  if ((await liveProcesses(ctx.source)).length === 0) return report;
  const paths = [...new Set([...request.paths, ...(request.everything ? await movedOn(ctx) : [])])];
  // One batch at least: a refresh is due also when no path is named.
  for (let at = 0; at === 0 || at < paths.length; at += REPLAY_BATCH) {
    const batch = paths.slice(at, at + REPLAY_BATCH);
    await withLock(ctx.sessionDir, LOCK_WAIT_S, async () => await replayBatch(ctx, batch, report));
  }
  return report;
}

/** Copies of the host's files in the uppers, and other recorded entries, whose host entry is another one by now. */
async function movedOn(ctx: SessionContext): Promise<BytePath[]> {
  const moved: BytePath[] = [];
  for (const { path, base } of readBaseFile(ctx).records.values()) {
    if (base.state !== 'known' || base.host.type === 'dir') continue;
    const host = hostEntry(path);
    if (host === 'closed') continue;
    if (host === null || !sameEntry(base.host, toHostStat(host, path))) moved.push(path);
  }
  return moved;
}

async function replayBatch(
  ctx: SessionContext,
  paths: readonly BytePath[],
  report: ReplayReport,
): Promise<void> {
  const place = placeOf(ctx.places, ctx.projectRoot);
  const points = [...new Set([...paths.map((path) => placeOf(ctx.places, path)), place])].flatMap((one) =>
    one === null ? [] : [one.path],
  );
  const inside = await firstInside(ctx, place);
  if (inside === null) return;
  try {
    report.live = true;
    const room = place === null ? null : Room.open(ctx, place, inside);
    if (room === null) {
      report.left = [...report.left, ...paths];
      report.problem ??= await refreshMounts(ctx, inside.pid, points);
      return;
    }
    try {
      const mine = paths.filter((path) => placeOf(ctx.places, path) === place);
      const own = new Set(mine);
      report.left = [...report.left, ...paths.filter((path) => !own.has(path))];
      const round = new Round(ctx, room);
      report.problem ??= await round.run(mine, points);
      for (const key of ['replayed', 'left', 'saved', 'again'] as const)
        report[key] = [...report[key], ...round.result[key]];
      report.kept = round.result.kept;
    } finally {
      room.close();
    }
  } finally {
    inside.close();
  }
}

/** A project that no place covers has no files to replay; a refresh of the others works through any of them. */
async function firstInside(ctx: SessionContext, place: Place | null): Promise<Inside | null> {
  const any = place ?? ctx.places.find(({ path }) => isWithin(ctx.home, path)) ?? ctx.places[0];
  return any === undefined ? null : await openInside(ctx.source, any);
}
