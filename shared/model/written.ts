/** When changes of a list were written, as the overlay tells it (core/attribution/write-times.ts). Pure. */
import type { Change } from './change.ts';

/** Milliseconds since 1970, both ends included: one moment, or two between which it was. */
export type WriteTime = readonly [from: number, to: number];

/** What is needed of a change. */
export type Written = Pick<Change, 'path' | 'pending' | 'upperIdentity'>;

/** The time of the i-th change; null = not known. */
export function timeOf(times: Float64Array, i: number): WriteTime | null {
  const [from = Number.NaN, to = Number.NaN] = times.subarray(2 * i, 2 * i + 2);
  return Number.isNaN(from) ? null : [from, to];
}
