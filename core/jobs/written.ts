/** Names the calls that wrote each change of a list last, from the overlay's times and the log. */

import { MAX_NAMED_WRITERS } from '../../shared/limits.ts';
import {
  type OverlaySpan,
  overlaySpans,
  SpanFolder,
  type SpanSource,
  WriterIndex,
} from '../../shared/log/call-times.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import { writeTimes } from '../attribution/write-times.ts';
import { liveSources } from '../sandbox/live.ts';
import { countsKey, saveCounts } from '../scan/cache/counts-file.ts';
import { scan } from '../scan/scan.ts';
import { sessionDir } from '../session/dirs.ts';
import { readLog } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';

/** A scan's list with what `writeTimes` says of its changes. */
export interface TimedList {
  list: ChangeList;
  times: Float64Array;
}

/** `live`: a process of the session runs, which writes without a word in the log. */
export async function timedScan(ctx: SessionContext, live: boolean): Promise<TimedList> {
  const key = countsKey(ctx);
  const list = await scan(ctx);
  // A call that has begun since may have written, too: then the counts are of nothing that is known.
  if (!live && key === countsKey(ctx)) saveCounts(ctx, key, list);
  return { list, times: writeTimes(ctx, list.changes) };
}

/**
 * Sets `by` of every change. The spans are to be from after the scan: a call is logged before it can write, so that
 * nobody who wrote is missing.
 */
export function nameWriters({ list, times }: TimedList, spans: readonly OverlaySpan[]): void {
  const index = new WriterIndex(spans);
  for (const [i, change] of list.changes.entries()) {
    const by = writersAt(index, times, i);
    if (by !== undefined) change.by = by;
    else delete change.by;
  }
}

/** The calls that wrote the i-th change last; undefined = not known, or too many. */
export function writersAt(index: WriterIndex, times: Float64Array, i: number): readonly string[] | undefined {
  const [from = Number.NaN, to = Number.NaN] = [times[2 * i], times[2 * i + 1]];
  const ids = Number.isNaN(from) ? [] : index.ids(from, to);
  return ids.length > 0 && ids.length <= MAX_NAMED_WRITERS ? ids : undefined;
}

/** How many changes each call is among the last writers of. */
export function countWritten(changes: readonly Change[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { by } of changes) for (const call of by ?? []) counts.set(call, (counts.get(call) ?? 0) + 1);
  return counts;
}

/** A list with its writers for who has no server: the log is read for it. Errors: as `scan`; `io`. */
export async function scanWritten(ctx: SessionContext): Promise<ChangeList> {
  const timed = await timedScan(ctx, liveSources().has(ctx.source));
  const sources = await readSources(ctx);
  nameWriters(
    timed,
    overlaySpans(ctx.session, (id) => sources.get(id) ?? null),
  );
  return timed.list;
}

/** When the calls of a log ran. Errors: `io`. */
export async function readSpans(dir: string): Promise<SpanFolder> {
  const folder = new SpanFolder();
  for (const event of (await readLog(dir)).events) folder.take(event);
  return folder;
}

/** The logs of a session and of those whose overlay it went on with. Errors: `io`. */
async function readSources({ stateDir, session }: SessionContext): Promise<Map<string, SpanSource>> {
  const sources = new Map<string, SpanSource>();
  const waiting = [session];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (sources.has(id)) continue;
    const folder = await readSpans(sessionDir(stateDir, id));
    sources.set(id, folder);
    for (const { from, to } of folder.adoptions) if (to === id) waiting.push(from);
  }
  return sources;
}
