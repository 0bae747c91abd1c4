import { Machine } from '../../e2e/programs/machine.ts';
import { PROGRAMS } from '../../e2e/programs/rows.ts';
import { trial } from '../../e2e/programs/trial.ts';
import { atEnd } from '../lib/exec.ts';
import type { Result } from './table.ts';

/** Each program of docs/programs.md with and without trai, in turn, with the results compared at every round. */
export async function benchPrograms(rounds: number): Promise<Result[]> {
  const machine = await Machine.open();
  atEnd(async () => {
    await machine.close();
  });
  const results: Result[] = [];
  for (const program of PROGRAMS) {
    const [trai, plain]: [number[], number[]] = [[], []];
    let skipped: string | null = null;
    // The first round warms up.
    for (let round = -1; round < rounds && skipped === null; round += 1) {
      const one = await trial(machine, program);
      skipped = one.skipped ?? one.faults[0] ?? null;
      if (round >= 0) trai.push(one.trai);
      if (round >= 0) plain.push(one.plain);
    }
    const peer = { name: 'without trai', values: plain, atMost: null };
    if (skipped === null) results.push({ what: program.name, values: trai, unit: 'ms', target: null, peer });
    else results.push({ what: program.name, skipped });
  }
  return results;
}
