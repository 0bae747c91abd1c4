/** Milliseconds of one run of each thing that is compared. */
export type Samples = Record<string, number[]>;

/**
 * Runs all things in turn, `rounds` times: what else the machine does then falls on all of them alike.
 * One round before is not counted, unless the things are slow enough not to need it (`warmUp` false).
 */
export async function interleave(
  rounds: number,
  things: Record<string, () => Promise<number> | number>,
  warmUp = true,
): Promise<Samples> {
  const samples: Samples = Object.fromEntries(Object.keys(things).map((name) => [name, []]));
  for (let round = warmUp ? -1 : 0; round < rounds; round += 1) {
    for (const [name, thing] of Object.entries(things)) {
      const ms = await thing();
      if (round >= 0) samples[name]?.push(ms);
    }
  }
  return samples;
}

/** Wall-clock milliseconds of a piece of work. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

export function minimum(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.min(...values);
}

/** The value below which that part (0 to 1) of the others lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
