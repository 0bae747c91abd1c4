/** Faults of a commit that moves: at each call of the port, by an error, by a crash, and by kill -9. */

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtFixture } from '../../../testing/built.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook, requestFor } from '../../../testing/commit/commit.ts';
import { type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { hasPython } from '../../../testing/commit/python.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { readJournal } from '../journal/journal.ts';
import { finishCommit } from './recover.ts';

/** Small, so that no call has to be left out: a directory with one of its own, a file with two names. */
const INSIDE = 'mkdir -p d/e; echo 1 > d/1; ln d/1 d/e/2';
const ERRORS: Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EBUSY', 'EXDEV'];
const errorAt = (n: number): Fault => ERRORS[n % ERRORS.length] ?? 'EIO';

const WHY_NOT = 'python3 is not installed: without it (or perl) everything is copied';

const WHOLE = { 'd': '40755', 'd/1': '100644 1\n', 'd/e': '40755', 'd/e/2': '100644 1\n' };

function scene(): TestSession {
  const t = testSession();
  t.inSandbox(`umask 022; ${INSIDE}`);
  return t;
}

const look = (dir: string) => Object.fromEntries(quickLook(dir));

/** Whole on one side at the moment of the fault, and in the end on the host alone. */
async function expectWhole(t: TestSession): Promise<void> {
  const sides = [look(t.host), look(t.upper)];
  const copies = existsSync(`${t.host}/d`);
  expect(sides[copies ? 0 : 1]).toMatchObject(WHOLE);
  if (!copies) expect(Object.keys(sides[0] ?? {}).filter((path) => !path.startsWith('.trai-'))).toEqual([]);
  const finished = await finishCommit(t.ctx);
  // What an earlier run has renamed is recognised.
  if (copies) expect(finished?.failed ?? []).toEqual([]);
  for (let round = 0; round < 3 && (await scan(t.ctx)).changes.length > 0; round++)
    expect((await commitNow(t)).failed).toEqual([]);
  expect(look(t.host)).toEqual(WHOLE);
  expect(lstatSync(`${t.host}/d/1`).ino).toBe(lstatSync(`${t.host}/d/e/2`).ino);
  expect((await scan(t.ctx)).changes).toEqual([]);
  expect(readdirSync(t.upper)).toEqual([]);
}

/** How many calls such a commit makes; and that it moves. */
async function countCalls(): Promise<number> {
  const t = scene();
  const counting = new FaultPort();
  const list = await scan(t.ctx);
  const tools = { port: counting.port };
  const { n } = await commitAll(t.ctx, list, requestFor(list), tools);
  expect(readJournal(nodePort, t.ctx, n)?.units).toMatchObject([{ kind: 'move-to-host' }]);
  t.remove();
  return counting.count;
}

/** The method that call `n` was. */
async function faultAt(n: number, fault: Fault): Promise<string> {
  const t = scene();
  const list = await scan(t.ctx);
  const faulty = new FaultPort(n, fault);
  try {
    await commitAll(t.ctx, list, requestFor(list), {
      port: faulty.port,
    }).catch((thrown: unknown) => expect(thrown).toBeInstanceOf(Error));
    faulty.dispose();
    await expectWhole(t);
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit})`, { cause: error });
  } finally {
    faulty.dispose();
    t.remove();
  }
  return faulty.hit ?? 'none';
}

function told(what: string, total: number, hit: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const method of hit) counts.set(method, (counts.get(method) ?? 0) + 1);
  const methods = [...counts].map((one) => one.join(' ')).join(', ');
  console.log(`${what}: ${hit.length} of ${total} calls hit: ${methods}`);
}

describe(`a new directory is whole on the host or whole in the upper, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.for(['dies', 'fails'] as const)(
    'at whatever call a commit %s',
    { timeout: 900_000 },
    async (what, ctx) => {
      if (!hasPython) return ctx.skip(WHY_NOT);
      const total = await countCalls();
      const hit: string[] = [];
      for (let n = 1; n <= total; n++) hit.push(await faultAt(n, what === 'dies' ? 'die' : errorAt(n)));
      told(`commit that moves, ${what}`, total, hit);
      expect(hit).not.toContain('none');
    },
  );

  it('at whatever call kill -9 ends it', async (ctx) => {
    if (!hasPython) return ctx.skip(WHY_NOT);
    const script = await builtFixture(`${import.meta.dirname}/killed-part.fixture.ts`);
    const at = async (n: number): Promise<number> => {
      const t = scene();
      try {
        const paths = Object.keys(WHOLE).map((path) => `${t.host}/${path}`);
        const task = JSON.stringify({ ctx: t.ctx, kind: 'commit', paths, n });
        const { stdout, signal } = spawnSync(process.execPath, [script, task], { encoding: 'utf8' });
        expect(signal).toBe(n === 0 ? null : 'SIGKILL');
        if (n === 0) expect(readJournal(nodePort, t.ctx, 1)?.units).toMatchObject([{ kind: 'move-to-host' }]);
        await expectWhole(t);
        return Number(stdout);
      } catch (error) {
        throw new Error(`kill -9 at call ${n}`, { cause: error });
      } finally {
        t.remove();
      }
    };
    const total = await at(0);
    for (let n = 1; n <= total; n++) await at(n);
    console.log(`commit that moves, kill -9: at each of ${total} calls`);
    expect(total).toBeGreaterThan(0);
  }, 900_000);
});
