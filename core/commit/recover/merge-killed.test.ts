/** kill -9 while a three-way merge is committed or undone: no version of either side is lost. */

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { builtFixture } from '../../../testing/built.ts';
import { asRoot } from '../../../testing/changes/changes.ts';
import { commitNow } from '../../../testing/commit/commit.ts';
import {
  expectUndone,
  expectWhole,
  HOST,
  MERGED,
  mergeRequest,
  ofF,
  scene,
} from '../../../testing/commit/merges.ts';

/** Parts of the way at which it dies. */
const MOMENTS = [0.35, 0.5, 0.65, 0.8, 0.9, 0.97];

describe(`kill -9 of a merge, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['commit', false],
    ['undo', false],
    ['commit', true],
    ['undo', true],
  ] as const)(
    'in the middle of its %s leaves nothing that the next run can not finish (while a program of its own goes on: %s)',
    async (kind, programs) => {
      const script = await builtFixture(`${import.meta.dirname}/killed-merge.fixture.ts`);
      const at = async (n: number): Promise<number> => {
        const t = await scene();
        try {
          if (kind === 'undo')
            expect(await commitNow(t, { request: await mergeRequest(t) })).toMatchObject({
              state: 'applied',
            });
          const task = JSON.stringify({ ctx: t.ctx, kind, n, programs });
          const { stdout, stderr, signal } = spawnSync(process.execPath, [script, task], {
            encoding: 'utf8',
          });
          expect([signal, stderr]).toEqual([n === 0 ? null : 'SIGKILL', '']);
          expect([HOST, MERGED]).toContain(ofF(t));
          await (kind === 'undo' ? expectUndone(t) : expectWhole(t));
          return Number(stdout);
        } finally {
          t.remove();
        }
      };
      const total = await at(0);
      const moments = programs
        ? Array.from({ length: total }, (_, i) => i + 1)
        : MOMENTS.map((part) => Math.ceil(total * part));
      for (const n of moments) await at(n);
      expect(total).toBeGreaterThan(0);
      console.log(
        `kill -9 of the ${kind} of a merge: at ${moments.join(', ')} of ${total} ${programs ? 'programs' : 'calls'}`,
      );
    },
    300_000,
  );
});
