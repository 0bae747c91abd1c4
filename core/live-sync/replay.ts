/**
 * Live sync: makes the host's changes visible in a live session. A mounted overlay keeps showing names that
 * it has cached, and its processes get no event for a change of the host. Under the session's lock, for each
 * batch of paths:
 *
 *     open the overlay from outside, through /proc/PID/root of a process of the session (live-view.ts)
 *     remove what the host removed, refresh the mounts (core/sandbox/inside.ts)
 *     for each changed entry (round.ts, decide-entry.ts):
 *       the sandbox has changed it      -> leave it: it is a conflict
 *       else                            -> put a copy of the host's entry in its place by a rename (swap.ts),
 *                                          and record the host's entry as its base
 *     keep each old entry for 2 s as a second name in .trai-replay; if a process writes to it, restore it
 *     (writers.ts, kept-entries.ts)
 *
 * No write of the sandbox is lost: what can't be proven unchanged stays.
 */

import { type BytePath, isWithin } from '../../shared/bytes.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import { sameEntry } from '../../shared/model/conflict.ts';
import { hostEntry, toHostStat } from '../kernel/fs/entry.ts';
import { Pace } from '../kernel/fs/pace.ts';
import { useAndCloseAsync } from '../kernel/fs/port.ts';
import { openInside, refreshMounts } from '../sandbox/inside.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { presentReplayDirs } from '../sandbox/replay-dirs.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../session/session-context.ts';
import { Room } from './live-view.ts';
import { Round, type RoundResult } from './round.ts';

export interface ReplayRequest {
  /** Includes directories; entries below a new one need not be named. */
  paths: readonly BytePath[];
  /** Compare all copy-ups with the host. */
  everything: boolean;
}

export interface ReplayReport extends RoundResult {
  /** False: no process, nothing done; the next call mounts anew. */
  live: boolean;
  /** Why a refresh failed, or null. */
  problem: string | null;
}

export async function movedOn(records: Iterable<BaseRecord>): Promise<BytePath[]> {
  const moved: BytePath[] = [];
  const pace = new Pace();
  for (const { path, base } of records) {
    await pace.breathe();
    if (base.state !== 'known' || base.host.type === 'dir') continue;
    const host = hostEntry(path);
    if (host === 'closed') continue;
    if (host === null || !sameEntry(base.host, toHostStat(host, path))) moved.push(path);
  }
  return moved;
}

/** @throws TraiError `no-space` */
export async function replayBatch(
  ctx: LiveSession,
  paths: readonly BytePath[],
  report: ReplayReport,
): Promise<void> {
  const groups = byPlace(ctx, paths);
  report.left.push(...paths.filter((path) => coveringDir(ctx.coveredDirs, path) === null));
  report.kept = 0;
  for (const [covered, mine] of groups) {
    const inside = await openInside(ctx.source, covered);
    if (inside === null) continue;
    await useAndCloseAsync(inside, async () => {
      report.live = true;
      const room = Room.open(ctx, covered, inside, mine);
      if (room === null) {
        report.left.push(...mine);
        report.problem ??= await refreshMounts(ctx, inside.pid, [covered.path]);
      } else await replayIn(ctx, room, mine, report);
    });
  }
}

async function replayIn(
  ctx: LiveSession,
  room: Room,
  paths: readonly BytePath[],
  report: ReplayReport,
): Promise<void> {
  await useAndCloseAsync(room, async () => {
    const round = new Round(ctx, room);
    report.problem ??= await round.run(paths);
    for (const key of ['replayed', 'left', 'held', 'saved', 'again'] as const)
      report[key].push(...round.result[key]);
    report.kept += round.result.kept;
  });
}

/**
 * The project's directory first, even without paths; then the others, with those where an earlier replay left
 * a directory. If there is none, any: its refresh finds the live processes.
 */
function byPlace(ctx: SessionContext, paths: readonly BytePath[]): Map<CoveredDir, BytePath[]> {
  const groups = new Map<CoveredDir, BytePath[]>();
  const add = (path: BytePath, ...mine: BytePath[]): void => {
    const covered = coveringDir(ctx.coveredDirs, path);
    if (covered !== null) groups.set(covered, [...(groups.get(covered) ?? []), ...mine]);
  };
  add(ctx.projectRoot);
  for (const path of paths) add(path, path);
  for (const path of presentReplayDirs(ctx)) add(path);
  const any = ctx.coveredDirs.find(({ path }) => isWithin(ctx.home, path)) ?? ctx.coveredDirs[0];
  if (groups.size === 0 && any !== undefined) groups.set(any, []);
  return groups;
}
