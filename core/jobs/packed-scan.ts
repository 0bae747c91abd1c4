/**
 * A scan's answer on its way out of the worker: as columns. Copied as objects, 300,000 entries took both threads hundreds of
 * megabytes, and the one that answers hooks a second of reading.
 */
import { type PackedChanges, packing } from '../../shared/api/packed-changes.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { resultOf } from '../kernel/fs/slices.ts';
import type { ScanAnswer } from './scan-job.ts';

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
  // A commit compares the identities.
  const packed = await resultOf(packing(changes, true));
  return { same: false, list, packed, rest, times: timed.times };
}
