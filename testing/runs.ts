/** Number of random cases and fault points; `TRAI_RUNS` and `TRAI_SEED` set it by hand. */
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';

/** As root one case in so many, since the same suites run as the ordinary user. */
const ONE_IN = process.getuid?.() === 0 ? 5 : 1;
const byHand = process.env['TRAI_RUNS'];

/** `TRAI_RUNS`, or the suite's own number. */
export function runsOf(byItself: number): number {
  return Number(byHand ?? Math.ceil(byItself / ONE_IN));
}

/** Of the seeds that once found something: all as an ordinary user, one in five as root. */
export function foundSeeds<T>(seeds: readonly T[]): readonly T[] {
  return byHand === undefined ? seeds.filter((_, i) => i % ONE_IN === 0) : seeds;
}

/** `TRAI_SEED`, the suite's own, in CI the commit's, or a random one. A failure has to name it. */
export function firstSeed(
  byItself: number = Number(process.env['TRAI_CI_SEED'] ?? randomInt(2 ** 30)),
): number {
  return Number(process.env['TRAI_SEED'] ?? byItself);
}

/** The method of the port that the n-th call was; null when there were fewer. */
type FaultAt = (n: number) => Promise<string | null>;

/** Tries every fault point, 1, 2, …, until a run has fewer calls. Logs how often each method was hit. */
export async function eachFaultPoint(what: string, at: FaultAt): Promise<void> {
  await someFaultPoints(what, at, ONE_IN);
}

/** For scenes of 700 calls and more, all of which would take minutes. */
export const LARGE_STRIDE = { death: 16, errors: 61 };

/** For scenes too large for every run: one point in `stride`, and all when `TRAI_RUNS` is set. */
export async function someFaultPoints(what: string, at: FaultAt, stride: number): Promise<void> {
  await faultPoints(what, at, byHand === undefined ? stride : 1);
}

async function faultPoints(what: string, at: FaultAt, stride: number): Promise<void> {
  const hits = new Map<string, number>();
  for (let n = 1; ; n += stride) {
    const method = await at(n);
    if (method === null) break;
    hits.set(method, (hits.get(method) ?? 0) + 1);
  }
  const total = [...hits.values()].reduce((sum, one) => sum + one, 0);
  console.log(`${what}: ${total} fault points:`, [...hits].map((one) => one.join(' ')).join(', '));
  expect(total).toBeGreaterThan(0);
}
