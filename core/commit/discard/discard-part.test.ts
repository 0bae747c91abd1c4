import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import type { DiscardReport } from '../../../shared/model/commit.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, mergedSnapshot, quickLook } from '../../../testing/commit/commit.ts';
import { FaultPort } from '../../../testing/commit/fault-port.ts';
import { hasPython, NO_PYTHON } from '../../../testing/commit/python.ts';
import { lines, program } from '../../../testing/commit/random-programs.fixture.ts';
import { eachFaultPoint, runsOf, someFaultPoints } from '../../../testing/runs.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { reap } from '../../scan/reap.ts';
import { scan } from '../../scan/scan.ts';
import type { DiscardPlan } from '../plan/discard-plan.ts';
import { needsRepair, repairOverlay } from '../recover/repair.ts';
import { newestTrash, undoDiscard } from './discard.ts';
import { discardPart, lookAtDiscard } from './discard-part.ts';

const RUNS = runsOf(40);

let open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const BEFORE =
  'echo a > a; mkdir -p d/e; echo b > d/e/b; echo c > d/c; mkdir r; echo r > r/r; chmod 555 r; mkdir s; echo s > s/s; mkdir m; echo q > q1; sleep 0.05';
const INSIDE =
  'echo A > a; rm -r d; mkdir d; echo new > d/new; echo C > d/c; chmod 755 r; echo R > r/r; chmod 555 r; mkdir -p n/m; echo n > n/m/n; echo k > n/k; chmod 555 n/m; ln -s x l; rm -r s; echo h1 > h1; ln h1 h2; chmod 700 m; mv q1 q2';

async function scene(): Promise<TestSession> {
  const t = session();
  t.onHost(BEFORE);
  t.inSandbox(INSIDE);
  await recordBases(t.ctx);
  return t;
}

const pathOf = (t: TestSession, name: string) =>
  Buffer.from(`${t.host}/${name}`).toString('latin1') as BytePath;

async function look(t: TestSession, ...names: string[]) {
  return await lookAtDiscard(t.ctx, await scan(t.ctx), new Set(names.map((name) => pathOf(t, name))));
}

async function drop(t: TestSession, ...names: string[]): Promise<DiscardReport> {
  return discardPart(t.ctx, (await look(t, ...names)).plan);
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

/** A discard that dies when it has taken out so many entries. */
function dieAfter(t: TestSession, plan: DiscardPlan, count: number): void {
  let taken = 0;
  const rename: FsPort['rename'] = (from, to) => {
    if (/\/trash\/[^/]+\/overlay\/\d+$/.test(to) && ++taken > count) throw new Error('died');
    nodePort.rename(from, to);
  };
  const port = { ...nodePort, rename };
  expect(() => discardPart(t.ctx, plan, { port, cancelled: () => false })).toThrow('died');
}

const pending = async (t: TestSession) => brief(await scan(t.ctx), t.host);

describe(`the discard of a selection, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['a changed file', ['a'], ['modified a']],
    ['a file of a new directory', ['n/k'], ['added n/k']],
    ['a new directory, closed and all', ['n'], ['added n', 'added n/k', 'added n/m', 'added n/m/n']],
    ['a file in a closed directory', ['r/r'], ['modified r/r']],
    ['a deletion', ['s'], ['deleted s', 'deleted s/s']],
    ['a deletion below a deletion', ['s/s'], ['deleted s', 'deleted s/s']],
    ['one name of a file with two', ['h2'], ['added h1', 'added h2']],
    ['the new name of a renamed file', ['q2'], ['deleted q1', 'added q2']],
    ['the old name of a renamed file', ['q1'], ['deleted q1', 'added q2']],
    ['a new entry of a directory that was made again', ['d/new'], ['added d/new']],
    [
      'what such a directory has of the host’s, which takes all of it along',
      ['d/c'],
      ['dir-replaced d', 'modified d/c', 'deleted d/e', 'deleted d/e/b', 'added d/new'],
    ],
    ['the mode of a directory', ['m'], ['meta m']],
    ['several at once', ['a', 'l', 'n/m/n'], ['modified a', 'added l', 'added n/m/n']],
  ])('drops %s and nothing else, and its undo brings exactly that back', async (_, names, expected) => {
    const t = await scene();
    const host = quickLook(t.host);
    const before = await scan(t.ctx);
    const all = brief(before, t.host);
    const view = hasPython ? mergedSnapshot(t) : '';
    const { trash, entries } = await drop(t, ...names);
    // A directory that was made again with the host's content differs in nothing.
    const gone = all.filter((line) => expected.some((one) => one.split(' ')[1] === line.split(' ')[1]));
    expect(entries).toBe(gone.length);
    expect(await pending(t)).toEqual(all.filter((line) => !gone.includes(line)));
    expect(quickLook(t.host)).toEqual(host);
    expect(await newestTrash(t.ctx)).toMatchObject({ trash, entries });
    await recordBases(t.ctx);
    await reap(t.ctx);
    t.inSandbox('echo later > later');
    await undoDiscard(t.ctx, trash);
    const after = await scan(t.ctx);
    expect(brief(after, t.host)).toEqual([...all, 'added later'].sort(byName));
    const conflicts = after.changes.filter(({ conflict }) => conflict !== null).map(({ path }) => path);
    expect(conflicts).toEqual(
      before.changes.filter(({ conflict }) => conflict !== null).map(({ path }) => path),
    );
    t.inSandbox('rm later');
    if (hasPython) expect(mergedSnapshot(t)).toBe(view);
    expect(await newestTrash(t.ctx)).toBeNull();
  });

  it('is refused to come back over what the session has made since, and stays in the trash', async () => {
    const t = await scene();
    const { trash } = await drop(t, 'a');
    t.inSandbox('echo other > a');
    await expect(undoDiscard(t.ctx, trash)).rejects.toMatchObject({ code: 'not-empty' });
    expect(await newestTrash(t.ctx)).toMatchObject({ trash });
    t.inSandbox('[ "$(cat a)" = other ]');
  });

  it('does not take what the host has out of a directory that hides the host’s, and says so', async () => {
    const t = session();
    t.onHost('mkdir d; echo a > d/a');
    t.inSandbox('rm -r d; mkdir d; echo A > d/a; echo b > d/b; echo c > d/c');
    await recordBases(t.ctx);
    const kept = {
      exactly: new Set([pathOf(t, 'd/a'), pathOf(t, 'd/b')]),
      conflicts: 'take-sandbox',
    } as const;
    await commitNow(t, { request: kept });
    t.inSandbox('echo changed > d/a');
    await recordBases(t.ctx);
    expect(await pending(t)).toEqual(['modified d/a', 'added d/c']);
    const { plan, cannot } = await look(t, 'd/a', 'd/c');
    expect(plan.going.map(({ path }) => path)).toEqual([pathOf(t, 'd/c')]);
    expect(cannot).toEqual([{ path: pathOf(t, 'd/a'), why: expect.stringContaining('made in the sandbox') }]);
  });

  it.each([
    ['a new file', 'echo late > n/late'],
    ['new content', 'echo late >> n/m/n'],
    ['new content of another name', 'echo late >> h2'],
    ['a file of an old time', 'echo late > n/late; touch -d @1000000000 n/late n'],
  ])('that was interrupted is taken back when what was to go got %s since', async (_, late) => {
    const t = await scene();
    const { plan } = await look(t, 'a', 'n', 'h1', 's');
    dieAfter(t, plan, 1);
    expect(await pending(t)).not.toContain('modified a');
    t.inSandbox(late);
    const written = ['n/late', 'h2'].map((name) => textOf(`${t.upper}/${name}`));
    expect(repairOverlay(t.ctx)?.outcome).toBe('rolled-back');
    expect(await pending(t)).toEqual(
      expect.arrayContaining(['modified a', 'added n', 'added n/m/n', 'added h1', 'deleted s']),
    );
    expect(['n/late', 'h2'].map((name) => textOf(`${t.upper}/${name}`))).toEqual(written);
    expect([await newestTrash(t.ctx), needsRepair(t.ctx)]).toEqual([null, false]);
  });

  it('that was interrupted is taken back after a call that wrote elsewhere', async () => {
    const t = await scene();
    const all = await pending(t);
    const { plan } = await look(t, 'a', 'n', 'h1', 's');
    dieAfter(t, plan, 3);
    t.inSandbox('echo later > later');
    repairOverlay(t.ctx);
    expect(await pending(t)).toEqual([...all, 'added later'].sort(byName));
  });

  it('that is stopped has dropped nothing', async () => {
    const t = await scene();
    const all = await pending(t);
    const { plan } = await look(t, 'a', 'l', 'n', 'm', 's');
    let asked = 0;
    const cancelled = () => ++asked > 3;
    expect(() => discardPart(t.ctx, plan, { port: nodePort, cancelled })).toThrow(
      'everything is still pending',
    );
    expect(await pending(t)).toEqual(all);
    expect(await newestTrash(t.ctx)).toBeNull();
    expect(needsRepair(t.ctx)).toBe(false);
  });
});

const byName = (a: string, b: string) => ((a.split(' ')[1] ?? '') < (b.split(' ')[1] ?? '') ? -1 : 1);

describe(`faults of the discard of a selection, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  const NAMES = ['a', 'l', 'n/m', 's', 'm', 'r/r', 'd'];
  it.each(['die', 'EIO', 'ENOSPC', 'EACCES'] as const)(
    'it and its undo lose nothing when any call meets %s',
    async (fault) => {
      for (const step of ['discard', 'undo'] as const) {
        const at = async (n: number): Promise<string | null> => {
          const t = await scene();
          const all = await pending(t);
          const host = quickLook(t.host);
          const { plan } = await look(t, ...NAMES);
          const faulty = FaultPort.at(n, fault);
          try {
            if (step === 'undo') discardPart(t.ctx, plan);
            const trash = (await newestTrash(t.ctx))?.trash ?? '';
            const run = async () =>
              step === 'discard'
                ? discardPart(t.ctx, plan, { port: faulty.port, cancelled: () => false })
                : await undoDiscard(t.ctx, trash, faulty.port);
            await run().catch(() => null);
            faulty.dispose();
            if (faulty.hit === null) return null;
            expect(quickLook(t.host)).toEqual(host);
            repairOverlay(t.ctx);
            expect(needsRepair(t.ctx)).toBe(false);
            const newest = await newestTrash(t.ctx);
            const left = await pending(t);
            if (newest === null) expect(left).toEqual(all);
            else {
              const dropped = plan.going.map(({ path }) => path.slice(t.host.length + 1));
              expect(left).toEqual(
                all.filter((line) => !dropped.includes(line.slice(line.indexOf(' ') + 1))),
              );
              await undoDiscard(t.ctx, newest.trash);
              expect(await pending(t)).toEqual(all);
            }
            expect(quickLook(t.upper).get('n/m')).toBe('40555');
            expect(quickLook(t.upper).get('r')).toBe('40555');
            return faulty.hit;
          } catch (error) {
            throw new Error(`${fault} at call ${n} (${faulty.hit}) of ${step}`, { cause: error });
          } finally {
            faulty.dispose();
            t.remove();
            open = open.filter((one) => one !== t);
          }
        };
        // Death at each call that changes something; an error at each of some 130 calls would take a minute.
        if (fault === 'die') await eachFaultPoint(`${step} of a selection, death`, at);
        else await someFaultPoints(`${step} of a selection, ${fault}`, at, 13);
      }
    },
    600_000,
  );
});

describe.runIf(hasPython)(`random discards, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`, () => {
  it('drop what they name: those entries are as on the host, all others as before; the undos give the view back', async () => {
    await fc.assert(
      fc.asyncProperty(
        program,
        program,
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 4 }),
        async (before, inside, picks) => {
          const t = testSession();
          try {
            t.onHost(lines(before));
            t.inSandbox(lines(inside));
            await recordBases(t.ctx);
            const host = quickLook(t.host);
            const all = await pending(t);
            const view = mergedSnapshot(t);
            const dropped: string[] = [];
            for (const pick of picks) {
              const list = await scan(t.ctx);
              const change = list.changes[pick % Math.max(1, list.changes.length)];
              if (change === undefined) break;
              const was = brief(list, t.host);
              const { plan } = await lookAtDiscard(t.ctx, list, new Set([change.path]));
              if (plan.going.length === 0) continue;
              dropped.push(discardPart(t.ctx, plan).trash);
              const gone = new Set(plan.going.map(({ path }) => path.slice(t.host.length + 1)));
              expect(await pending(t)).toEqual(
                was.filter((line) => !gone.has(line.slice(line.indexOf(' ') + 1))),
              );
            }
            expect(quickLook(t.host)).toEqual(host);
            for (const trash of dropped.toReversed()) await undoDiscard(t.ctx, trash);
            expect(await pending(t)).toEqual(all);
            expect(mergedSnapshot(t)).toBe(view);
          } finally {
            t.remove();
          }
        },
      ),
      { numRuns: Math.ceil(RUNS / 5), interruptAfterTimeLimit: 200_000 },
    );
  }, 300_000);
});
