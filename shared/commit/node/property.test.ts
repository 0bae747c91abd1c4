import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordBases } from '../../changes/node/bases.ts';
import { reap } from '../../changes/node/reap.ts';
import { scan } from '../../changes/node/scan.ts';
import { asRoot, testSession } from '../../changes/node/testing.ts';
import { dropCommitted } from './cleanup.ts';
import { brief, commitNow, hasPython, mergedSnapshot, snapshot } from './testing.ts';
import { undoCommit } from './undo.ts';

// In memory the syncs of a commit do not wait for what others write to the disk. Needs Linux 6.6.
if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';

/** Few names, so that operations meet: some begin like others, some need care in a shell or are no UTF-8. */
const NAMES = ['a', 'b', 'a-b', 'a.c', '-n', "$'x\\ny'", "$'\\xff'"];
const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `./${parts.join('/')}`);
const mode = fc.constantFrom('755', '555', '500', '700', '4755', '2775');
/** What its owner may not read or search can't be compared, which the scan reports as a problem: not tested here. */
const fileMode = fc.constantFrom('644', '600', '444');

/** One shell line; what does not work (no such directory ...) does nothing. Opening a FIFO would wait for ever. */
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(path, fc.nat(9)).map(([p, n]) => `[ -p ${p} ] || echo ${n} > ${p}`) },
  { weight: 3, arbitrary: fc.tuple(path, fc.nat(9)).map(([p, n]) => `[ -p ${p} ] || echo ${n} >> ${p}`) },
  { weight: 5, arbitrary: path.map((p) => `mkdir -p ${p}`) },
  { weight: 3, arbitrary: path.map((p) => `rm -rf ${p}`) },
  { weight: 2, arbitrary: path.map((p) => `rm -rf ${p}; mkdir -p ${p}; echo again > ${p}/a`) },
  { weight: 2, arbitrary: fc.tuple(path, path).map(([p, q]) => `mv -T ${p} ${q}`) },
  { weight: 2, arbitrary: fc.tuple(path, path).map(([p, q]) => `ln -T ${p} ${q}`) },
  { weight: 1, arbitrary: fc.tuple(path, path).map(([p, q]) => `ln -sfn ${p} ${q}`) },
  { weight: 1, arbitrary: path.map((p) => `mkfifo ${p}`) },
  { weight: 3, arbitrary: fc.tuple(mode, path).map(([m, p]) => `[ -L ${p} ] || chmod ${m} ${p}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(fileMode, path).map(([m, p]) => `[ -L ${p} ] || [ -d ${p} ] || chmod ${m} ${p}`),
  },
  { weight: 1, arbitrary: path.map((p) => `[ -L ${p} ] || touch -d @1000000000.5 ${p}`) },
);
const program = fc.array(operation, { minLength: 1, maxLength: 12 });
const lines = (operations: readonly string[]) =>
  operations.map((one) => `{ ${one}; } 2>/dev/null || true`).join('\n');

const RUNS = Number(process.env['TRAI_PROPERTY_RUNS'] ?? 40);

const keepAll = { conflicts: 'refuse', choices: {}, revision: null, yes: true, typedCount: null } as const;

describe.runIf(hasPython)(`random programs, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('after a commit the host is what the session saw, twice in a row, and nothing is pending', async () => {
    await fc.assert(
      fc.asyncProperty(program, program, program, async (before, first, second) => {
        const t = testSession();
        try {
          t.onHost(lines(before));
          for (const operations of [first, second]) {
            t.inSandbox(lines(operations));
            await recordBases(t.ctx);
            const merged = mergedSnapshot(t);
            // Nobody touches the host here; what conflicts are is tested beside conflict.ts.
            const report = await commitNow(t, { request: { conflicts: 'take-sandbox' } });
            expect(report.failed).toEqual([]);
            expect(untied(snapshot(t.host))).toBe(untied(merged));
            expect(merged).not.toContain('.overlay.');
            expect(brief(await scan(t.ctx), t.host)).toEqual([]);
            expect(untied(mergedSnapshot(t))).toBe(untied(merged));
            expect(await dropCommitted(t.ctx)).toBe(0);
          }
        } finally {
          t.remove();
        }
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 240_000 },
    );
  }, 300_000);

  it('two commits are taken back and applied again, one after the other: host and view are as they were', async () => {
    await fc.assert(
      fc.asyncProperty(program, program, program, async (before, first, second) => {
        const t = testSession();
        try {
          t.onHost(lines(before));
          const hosts = [untied(snapshot(t.host))];
          const views: string[] = [];
          const numbers: number[] = [];
          for (const operations of [first, second]) {
            t.inSandbox(lines(operations));
            await recordBases(t.ctx);
            const report = await commitNow(t, { request: { conflicts: 'take-sandbox' } });
            expect(report.failed).toEqual([]);
            hosts.push(untied(snapshot(t.host)));
            views.push(untied(mergedSnapshot(t)));
            if (report.applied > 0) numbers.push(report.n);
            else hosts.pop();
          }
          const view = views.at(-1);
          for (const n of numbers.toReversed()) {
            hosts.pop();
            const report = await undoCommit(t.ctx, { n, ...keepAll }, false);
            expect(report).toMatchObject({ state: 'applied', failed: [], notApplied: [] });
            expect(untied(snapshot(t.host))).toBe(hosts.at(-1));
            expect(untied(mergedSnapshot(t))).toBe(view);
          }
          if (numbers.length === 0) return;
          await recordBases(t.ctx);
          await dropCommitted(t.ctx);
          await reap(t.ctx);
          expect(untied(mergedSnapshot(t))).toBe(view);
          const list = await scan(t.ctx);
          expect(list.changes.filter(({ conflict }) => conflict !== null)).toEqual([]);
          expect((await commitNow(t)).failed).toEqual([]);
          expect(untied(snapshot(t.host))).toBe(view);
          expect(brief(await scan(t.ctx), t.host)).toEqual([]);
        } finally {
          t.remove();
        }
      }),
      { numRuns: Math.ceil(RUNS / 2), interruptAfterTimeLimit: 240_000 },
    );
  }, 300_000);
});

/**
 * Without times (the same bytes written again are no change) and without which names share an inode: a link between a
 * host file and a new name breaks on copy-up. Both are compared by commit.test.ts.
 */
function untied(text: string): string {
  return text.replace(/ = b(['"]).*?\1(?= |$)/gm, '').replace(/ \d{15,16}(?= |$)/gm, '');
}
