/** How much suites of random cases and of fault points do: `TRAI_RUNS` and `TRAI_SEED` say it by hand for all of them. */
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';

/** How many random cases: `TRAI_RUNS`, or as many as the suite runs by itself. */
export function runsOf(byItself: number): number {
  return Number(process.env['TRAI_RUNS'] ?? byItself);
}

/** The first seed: `TRAI_SEED`, or the suite's own, or a random one, which a failure has to name. */
export function firstSeed(byItself: number = randomInt(2 ** 30)): number {
  return Number(process.env['TRAI_SEED'] ?? byItself);
}

/** The method of the port that the n-th call was; null when there were fewer. */
type FaultAt = (n: number) => Promise<string | null>;

/** Tries every fault point: 1, 2, … until the port is not called so often. Says how often each method was hit. */
export async function eachFaultPoint(what: string, at: FaultAt): Promise<void> {
  await faultPoints(what, at, 1);
}

/** The same of a scene that is too large for every run: one point in `stride`, and every one when `TRAI_RUNS` is set. */
export async function someFaultPoints(what: string, at: FaultAt, stride: number): Promise<void> {
  await faultPoints(what, at, process.env['TRAI_RUNS'] === undefined ? stride : 1);
}

async function faultPoints(what: string, at: FaultAt, stride: number): Promise<void> {
  const hits = new Map<string, number>();
  let n = stride;
  for (let method = await at(n); method !== null; method = await at(n)) {
    hits.set(method, (hits.get(method) ?? 0) + 1);
    n += stride;
  }
  const total = [...hits.values()].reduce((sum, one) => sum + one, 0);
  console.log(`${what}: ${total} fault points:`, [...hits].map((one) => one.join(' ')).join(', '));
  expect(total).toBeGreaterThan(0);
}
