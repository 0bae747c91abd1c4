import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Machine } from './machine.ts';
import { PROGRAMS } from './rows.ts';
import { trial } from './trial.ts';

describe('does in the sandbox, and after a commit on the host, what it does without trai:', () => {
  let machine: Machine | null = null;
  beforeAll(async () => {
    machine = await Machine.open();
  });
  afterAll(async () => {
    expect((await machine?.close()) ?? []).toEqual([]);
  });

  test.for(PROGRAMS)('$name', async (program, ctx) => {
    if (machine === null) throw new Error('expected a machine, found none');
    const { skipped, faults } = await trial(machine, program);
    if (skipped !== null) ctx.skip(skipped);
    expect(faults).toEqual([]);
  });
});
