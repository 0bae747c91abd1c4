/** A commit that holds a three-way merge, and its undo, when they die or fail at any call: no version of either side is lost. */
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { recordBases } from '../../changes/node/bases.ts';
import { scan } from '../../changes/node/scan.ts';
import { asRoot, type TestSession, testSession } from '../../changes/node/testing.ts';
import { openViewer } from '../../changes/node/viewer.ts';
import { TraiError } from '../../errors.ts';
import type { UndoRequest } from '../types.ts';
import { Died, type Fault, FaultPort } from './fault-port.ts';
import { finishCommit } from './recover.ts';
import { brief, commitNow, quickLook } from './testing.ts';
import { undoCommit } from './undo.ts';

// In memory the syncs wait for nobody else. Needs user xattrs on tmpfs (Linux 6.6).
if (existsSync('/dev/shm') && statfsSync('/dev/shm').bavail > 0) process.env['TMPDIR'] = '/dev/shm';

/** Every call takes minutes; each usual run takes another part, so that all are run through in time. */
const STRIDE = process.env['TRAI_EVERY_FAULT'] === '1' ? 1 : 41;
const FIRST = STRIDE === 1 ? 1 : 1 + (Math.floor(Date.now() / 1000) % STRIDE);
const FAULTS: Fault[] = ['die', 'ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EBUSY', 'EXDEV'];

const [HOST, BOX, MERGED] = ['one\n2\n3\n4\n', '1\n2\n3\nfour\n', 'one\n2\n3\nfour\n'];
const PENDING = ['modified f host-changed', 'added n null'];

/** Both sides have changed f; n is the sandbox's alone. */
async function scene(): Promise<TestSession> {
  const t = testSession();
  t.onHost('seq 4 > f');
  // Later than one tick of the clock.
  await sleep(30);
  t.inSandbox('sed -i s/4/four/ f; echo n > n');
  await recordBases(t.ctx, { earliestCall: Date.now() });
  t.onHost('sed -i s/1/one/ f');
  return t;
}

const merging = { conflicts: 'keep-host' } as const;
async function request(t: TestSession) {
  const { changes } = await scan(t.ctx);
  const conflicts = changes.filter(({ conflict }) => conflict !== null);
  return { ...merging, choices: Object.fromEntries(conflicts.map(({ id }) => [id, 'merge' as const])) };
}

const undo: UndoRequest = {
  ...{ n: 1, revision: null, conflicts: 'refuse', choices: {}, yes: true, typedCount: null },
};

const pendingOf = async (t: TestSession): Promise<string[]> => {
  const list = await scan(t.ctx);
  return brief(list, t.host).map((line, i) => `${line} ${list.changes[i]?.conflict}`);
};
const ofF = (t: TestSession): string => quickLook(t.host).get('f')?.replace(/^\d+ /, '') ?? 'absent';

/** What the session sees in f. */
function seen(t: TestSession): string {
  t.inSandbox(`cp f '${t.ctx.stateDir}/seen'`);
  return readFileSync(`${t.ctx.stateDir}/seen`, 'utf8');
}

/** From wherever it was left: the merge lands, an undo brings both versions back, and nothing of ours is left over. */
async function expectWhole(t: TestSession): Promise<void> {
  await finishCommit(t.ctx, false);
  expect([HOST, MERGED]).toContain(ofF(t));
  if (ofF(t) === HOST) {
    expect(seen(t)).toBe(BOX);
    expect(await pendingOf(t)).toContain('modified f host-changed');
  }
  for (let round = 0; round < 3 && (await scan(t.ctx)).changes.length > 0; round++)
    expect(await commitNow(t, { request: await request(t) })).toMatchObject({ failed: [] });
  expect([ofF(t), seen(t), await pendingOf(t)]).toEqual([MERGED, MERGED, []]);
  expect([...quickLook(t.host).keys()].sort()).toEqual(['f', 'n']);
}

async function commitWith(n: number, fault: Fault): Promise<string | null> {
  const t = await scene();
  const faulty = new FaultPort(n, fault);
  try {
    const tools = { port: faulty.port, openViewer };
    const result = await commitNow(t, { request: await request(t), tools }).catch((error: unknown) => error);
    faulty.dispose();
    if (faulty.hit === null) return null;
    if (fault === 'die') expect(result).toBeInstanceOf(Died);
    else if (result instanceof Error) expect(result).toBeInstanceOf(TraiError);
    expect([HOST, MERGED]).toContain(ofF(t));
    await expectWhole(t);
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit}), FIRST ${FIRST}`, { cause: error });
  } finally {
    faulty.dispose();
    t.remove();
  }
}

async function undoWith(n: number, fault: Fault): Promise<string | null> {
  const t = await scene();
  const faulty = new FaultPort(n, fault);
  try {
    expect(await commitNow(t, { request: await request(t) })).toMatchObject({ n: 1, state: 'applied' });
    const result = await undoCommit(t.ctx, undo, false, undefined, faulty.port).catch(
      (error: unknown) => error,
    );
    faulty.dispose();
    if (faulty.hit === null) return null;
    if (fault === 'die') expect(result).toBeInstanceOf(Died);
    else if (result instanceof Error) expect(result).toBeInstanceOf(TraiError);
    expect([HOST, MERGED]).toContain(ofF(t));
    await finishCommit(t.ctx, false);
    for (let round = 0; round < 3; round++) {
      const again = await undoCommit(t.ctx, undo, false).catch((error: unknown) => error);
      if (!(again instanceof Error)) expect(again).toMatchObject({ failed: [] });
      else if (again instanceof TraiError && again.code === 'not-found') break;
      else throw again;
    }
    expect([ofF(t), seen(t), await pendingOf(t)]).toEqual([HOST, BOX, PENDING]);
    await expectWhole(t);
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit}) of the undo, FIRST ${FIRST}`, { cause: error });
  } finally {
    faulty.dispose();
    t.remove();
  }
}

describe(`faults of a merge, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['commit', commitWith],
    ['undo', undoWith],
  ] as const)(
    'a %s that dies or fails at any call loses neither side’s version',
    async (what, run) => {
      const coverage = new Map<string, number>();
      for (let n = FIRST; ; n += STRIDE) {
        const hit = await run(n, FAULTS[n % FAULTS.length] ?? 'EIO');
        if (hit === null) break;
        coverage.set(hit, (coverage.get(hit) ?? 0) + 1);
      }
      console.log(
        `${what} of a merge, hit: ${[...coverage].map(([m, count]) => `${m} ${count}`).join(', ')}`,
      );
      expect(coverage.size).toBeGreaterThan(0);
    },
    900_000,
  );
});
