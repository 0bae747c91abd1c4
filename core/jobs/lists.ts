/** Change lists for the jobs: scans, the writers of each change, the comparison with the reviewed list. */

import { type PackedChanges, packing } from '../../shared/api/packed-changes.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { MAX_NAMED_WRITERS } from '../../shared/limits.ts';
import { type OverlaySpan, WriterIndex } from '../../shared/log/call-times.ts';
import { type Change, type ChangeList, sameRevision } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { readOverlayLogs } from '../attribution/overlay-logs.ts';
import { writeTimes } from '../attribution/write-times.ts';
import { staleList } from '../commit/messages/errors.ts';
import { type Chosen, choose } from '../commit/plan/scope.ts';
import { resultOf } from '../kernel/fs/pace.ts';
import { liveSources } from '../sandbox/live.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { countsKey, saveCounts } from '../scan/cache/counts-file.ts';
import { type Fingerprints, staleAmong } from '../scan/cache/fingerprints.ts';
import { isUnchanged, type ScanMark, ScanTrace } from '../scan/cache/unchanged.ts';
import { scan } from '../scan/scan.ts';
import { readFold } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';

export interface TimedList {
  list: ChangeList;
  times: Float64Array;
}

/** @param live a process of the session runs, which writes without logging */
export async function timedScan(ctx: SessionContext, live: boolean): Promise<TimedList> {
  const key = countsKey(ctx);
  const list = await scan(ctx);
  // If a call has begun since, its writes may be missing: counts are not saved.
  if (!live && key === countsKey(ctx)) saveCounts(ctx, key, list);
  return { list, times: await writeTimes(ctx, list.changes) };
}

/** Sets `by`. Spans read after the scan miss no writer, since calls are logged before they can write. */
export function nameWriters({ list, times }: TimedList, spans: readonly OverlaySpan[]): void {
  const index = new WriterIndex(spans);
  for (const [i, change] of list.changes.entries()) {
    const by = writersAt(index, times, i);
    if (by !== undefined) change.by = by;
    else delete change.by;
  }
}

/** All that can have written at that time; empty = unknown. */
export function writersIn(index: WriterIndex, [from, to]: readonly [number, number]): readonly string[] {
  return Number.isNaN(from) ? [] : index.ids(from, to);
}

/** Undefined = unknown, or too many. */
export function writersAt(index: WriterIndex, times: Float64Array, i: number): readonly string[] | undefined {
  const [from = Number.NaN, to = Number.NaN] = [times[2 * i], times[2 * i + 1]];
  const ids = writersIn(index, [from, to]);
  return ids.length > 0 && ids.length <= MAX_NAMED_WRITERS ? ids : undefined;
}

export function countWritten(changes: readonly Change[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { by } of changes) for (const call of by ?? []) counts.set(call, (counts.get(call) ?? 0) + 1);
  return counts;
}

/** A list with its writers, from the log, for callers without a server. @throws as `scan`; `io` */
export async function scanWritten(ctx: SessionContext): Promise<ChangeList> {
  const timed = await timedScan(ctx, liveSources().has(ctx.source));
  nameWriters(timed, (await readOverlayLogs(ctx)).spans);
  return timed.list;
}

export type ScanRequest = ScanMark | null;

/** `same`: the list of that mark is current. Otherwise a new list, with a mark if it can have one. */
export type ScanAnswer = { same: true } | { same: false; timed: TimedList; mark: ScanMark | null };

/** Scans, unless it is certain that nothing has changed. @throws as `scan` */
export async function scanJob(ctx: SessionContext, mark: ScanRequest): Promise<ScanAnswer> {
  if (mark !== null && (await isUnchanged(ctx, mark))) return { same: true };
  const trace = await ScanTrace.begin(ctx);
  const list = await scan(ctx, trace);
  return { same: false, timed: { list, times: await writeTimes(ctx, list.changes) }, mark: trace.mark() };
}

type Found = Extract<ScanAnswer, { same: false }>;

export interface PackedFound {
  same: false;
  list: Omit<ChangeList, 'changes'>;
  packed: PackedChanges;
  rest: Omit<Found, 'timed'>;
  times: Float64Array;
}

export type PackedScan = { same: true } | PackedFound;

export async function packScan(answer: ScanAnswer): Promise<PackedScan> {
  if (answer.same) return answer;
  const { timed, ...rest } = answer;
  const { changes, ...list } = timed.list;
  // With identities, which a commit compares.
  const packed = await resultOf(packing(changes, true));
  return { same: false, list, packed, rest, times: timed.times };
}

interface Reviewed {
  scope: Scope;
  revision: string | null;
  includeIgnored: boolean;
  fingerprints?: Fingerprints | undefined;
}

/**
 * Only changes that are not `stale` may be applied or dropped. A null revision accepts any list.
 * @throws TraiError `stale-revision` when all are stale, or without `fingerprints`
 */
export async function reviewedList(
  session: LiveSession,
  { scope, revision, includeIgnored, fingerprints }: Reviewed,
): Promise<{ list: ChangeList; stale?: ReadonlySet<BytePath> }> {
  const list = await scanFor(session, scope);
  if (revision === null || sameRevision(list.revision, revision, includeIgnored)) return { list };
  const stale = fingerprints === undefined ? null : staleAmong(list.changes, fingerprints);
  if (stale !== null && stale.size < list.changes.length) return { list, stale };
  throw staleList({ revision: list.revision });
}

export async function scanFor(ctx: SessionContext, scope: Scope): Promise<ChangeList> {
  return isAboutCalls(scope) ? await scanWritten(ctx) : await scan(ctx);
}

/** Changes need their writers if the scope names calls. @throws TraiError `not-found` when nothing matches */
export async function chosenOf(ctx: SessionContext, list: ChangeList, scope: Scope): Promise<Chosen> {
  const spans = isAboutCalls(scope) ? (await readFold(ctx.sessionDir)).spans() : [];
  return choose(
    list,
    scope,
    spans.map(({ call }) => call),
  );
}

/** Adds files of which only the time differs: a scope of paths includes them. */
export function withTimes(list: ChangeList, { kind }: Scope): ChangeList {
  if (kind !== 'paths' || list.timed === undefined) return list;
  return { ...list, changes: [...list.changes, ...list.timed] };
}

function isAboutCalls({ kind }: Scope): boolean {
  return kind === 'call' || kind === 'up-to';
}
