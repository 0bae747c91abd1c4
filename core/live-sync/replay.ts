/**
 * Live sync: makes what the host has changed visible in a live session. A mounted overlay keeps showing names as it has looked
 * them up, and its processes get no event for a change of the host. Under the session's lock, for each batch of paths:
 *
 *     open the overlay from outside, through /proc/PID/root of a process of the session (live-view.ts)
 *     remove what the host removed, refresh the mounts (core/sandbox/inside.ts)
 *     for each changed entry (round.ts, decide-entry.ts):
 *       the sandbox has changed it      -> leave it: it is a conflict
 *       else                            -> put a copy of the host's entry in its place by a rename (swap.ts),
 *                                          and record the host's entry as its base
 *     keep each old entry for 2 s as a second name in .trai-replay; if anybody wrote to it, it gets its name back
 *     (writers.ts, open-barrier.ts, kept-entries.ts)
 *
 * No write of the sandbox is lost; what cannot be proven stays as it is.
 */

import { type BytePath, isWithin } from '../../shared/bytes.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import { sameEntry } from '../../shared/model/conflict.ts';
import { hostEntry, toHostStat } from '../kernel/fs/entry.ts';
import { Pace } from '../kernel/fs/pace.ts';
import { type Inside, openInside, refreshMounts } from '../sandbox/inside.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { presentReplayDirs } from '../sandbox/replay-dirs.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../session/session-context.ts';
import { Room } from './live-view.ts';
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

/** Copies of the host's files in the uppers, and other recorded entries, whose host entry is another one by now. */
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

/** Adds what became of one batch to the report. @throws TraiError `no-space` */
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
    try {
      report.live = true;
      await replayIn(ctx, { covered, inside, paths: mine }, report);
    } finally {
      inside.close();
    }
  }
}

/** What is replayed in one overlay. */
interface Part {
  covered: CoveredDir;
  inside: Inside;
  paths: readonly BytePath[];
}

async function replayIn(
  ctx: LiveSession,
  { covered, inside, paths }: Part,
  report: ReplayReport,
): Promise<void> {
  const room = Room.open(ctx, covered, inside, paths);
  if (room === null) {
    report.left.push(...paths);
    report.problem ??= await refreshMounts(ctx, inside.pid, [covered.path]);
    return;
  }
  try {
    const round = new Round(ctx, room);
    report.problem ??= await round.run(paths, [covered.path]);
    for (const key of ['replayed', 'left', 'held', 'saved', 'again'] as const)
      report[key].push(...round.result[key]);
    report.kept += round.result.kept;
  } finally {
    room.close();
  }
}

/**
 * The project's place comes first, whether or not something is named in it; then the others, those with a directory of an
 * earlier replay included. Where no place covers the project, and none is named, a refresh of any of them shows who is there.
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
