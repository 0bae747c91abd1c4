import { writeTimes } from '../attribution/write-times.ts';
import { isUnchanged, Looks, type ScanMark } from '../scan/cache/looks.ts';
import { scan } from '../scan/scan.ts';
import type { SessionContext } from '../session/session-context.ts';
import type { TimedList } from './written.ts';

/** Of the last scan, which whoever asks still has. */
export type ScanOrder = ScanMark | null;

/** `same`: the list of the scan that left the mark is still true. Otherwise a new one, and its mark where it can have one. */
export type ScanAnswer = { same: true } | { same: false; timed: TimedList; mark: ScanMark | null };

/** Scans, unless it is known that nothing has changed. Errors: as `scan`. */
export async function scanJob(ctx: SessionContext, mark: ScanOrder): Promise<ScanAnswer> {
  if (mark !== null && (await isUnchanged(ctx, mark))) return { same: true };
  const looks = await Looks.begin(ctx);
  const list = await scan(ctx, looks);
  return { same: false, timed: { list, times: writeTimes(ctx, list.changes) }, mark: looks.mark() };
}
