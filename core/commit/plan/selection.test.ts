import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import type { CommitReport, Scope } from '../../../shared/model/commit.ts';
import { asLive, asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import {
  brief,
  byPath,
  commitNow,
  mergedSnapshot,
  quickLook,
  requestFor,
  snapshot,
  untied,
} from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON } from '../../../testing/commit/python.ts';
import { lines, program } from '../../../testing/commit/random-programs.fixture.ts';
import { runsOf } from '../../../testing/runs.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { dropCommitted } from '../apply/cleanup.ts';
import { commitAll } from '../commit.ts';
import { undoCommit } from '../undo/undo.ts';
import { planCommit } from './plan.ts';
import { alongText, choose } from './scope.ts';

const RUNS = runsOf(40);
const keepAll = { conflicts: 'refuse', choices: {}, revision: null, yes: true, typedCount: null } as const;

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

const at = (t: TestSession, ...names: string[]): Scope => ({
  kind: 'paths',
  paths: names.map((name) => Buffer.from(`${t.host}/${name}`).toString('latin1') as BytePath),
});

async function commitOnly(t: TestSession, scope: Scope, live = false): Promise<CommitReport> {
  const list = await scan(t.ctx);
  const { paths } = choose(list, scope, []);
  return await commitAll(
    live ? asLive(t.ctx) : t.ctx,
    list,
    requestFor(list, { exactly: paths ?? undefined, conflicts: 'take-sandbox' }),
  );
}

async function pending(t: TestSession): Promise<string[]> {
  return brief(await scan(t.ctx), t.host);
}

describe(`the commit of a selection, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('applies what is selected with the directories that hold it; the rest stays pending', async () => {
    const t = session();
    t.onHost('echo old > f; mkdir d; echo x > d/x');
    t.inSandbox('mkdir -p n/m; echo 1 > n/m/1; echo 2 > n/m/2; echo new > f; rm -r d');
    await recordBases(t.ctx);
    const report = await commitOnly(t, at(t, 'n/m/1'));
    expect(report).toMatchObject({ state: 'applied', applied: 3, ignored: 0, kept: 0, failed: [] });
    expect(Object.fromEntries(quickLook(t.host))).toMatchObject({
      'n/m/1': expect.stringContaining('1'),
      'f': expect.stringContaining('old'),
      'd/x': expect.stringContaining('x'),
    });
    expect(quickLook(t.host).has('n/m/2')).toBe(false);
    expect(await pending(t)).toEqual(['deleted d', 'deleted d/x', 'modified f', 'added n/m/2']);
    t.inSandbox('[ "$(cat n/m/1 n/m/2 f)" = "1\n2\nnew" ]; [ ! -e d ]');
  });

  it('of a new directory bit by bit leaves nothing of it in the upper, so that the host’s changes are seen', async () => {
    const t = session();
    t.inSandbox('mkdir -p n/m; echo 1 > n/m/1; echo 2 > n/m/2; echo 3 > n/3');
    await recordBases(t.ctx);
    for (const name of ['n/m/1', 'n/3', 'n/m/2']) await commitOnly(t, at(t, name));
    expect(await pending(t)).toEqual([]);
    expect([...quickLook(t.upper).keys()]).toEqual([]);
    t.onHost('echo host > n/m/1');
    t.inSandbox('[ "$(cat n/m/1)" = host ]');
  });

  it('of a directory that was made again, bit by bit, leaves nothing of it in the upper either', async () => {
    const t = session();
    t.onHost('mkdir d; echo a > d/a; chmod 700 d');
    t.inSandbox('rm -r d; mkdir d; chmod 755 d; echo A > d/a; echo b > d/b; mkdir d/m; echo c > d/m/c');
    await recordBases(t.ctx);
    const committed: string[] = [];
    for (const name of ['d/b', 'd/m/c', 'd/a', 'd']) {
      committed.push(name);
      expect(await commitOnly(t, at(t, name))).toMatchObject({ failed: [] });
      t.inSandbox('[ "$(cat d/a d/b d/m/c)" = "A\nb\nc" ]');
    }
    expect(await pending(t)).toEqual([]);
    expect([...quickLook(t.upper).keys()]).toEqual([]);
    t.onHost('echo host > d/b');
    t.inSandbox('[ "$(cat d/b)" = host ]');
  });

  it('takes the other names of a file along, and they stay one file', async () => {
    const t = session();
    t.inSandbox('mkdir d; echo one > a; ln a d/b; ln a c; echo other > o');
    await recordBases(t.ctx);
    await commitOnly(t, at(t, 'c'));
    t.onHost('[ a -ef d/b ]; [ a -ef c ]; [ ! -e o ]');
    expect(await pending(t)).toEqual(['added o']);
  });

  it.each([
    ['the new name', 'docs/handbook.md', 'docs/guide.md: it is the old name of'],
    ['the old name', 'docs/guide.md', 'docs/handbook.md: it is the new name of'],
  ])('takes a rename as a whole when %s is chosen, and says so', async (_, chosen, said) => {
    const t = session();
    t.onHost('mkdir docs; echo text > docs/guide.md; echo other > o; sleep 0.05');
    t.inSandbox('mv docs/guide.md docs/handbook.md; echo new > o');
    await recordBases(t.ctx);
    const list = await scan(t.ctx);
    const { paths } = choose(list, at(t, chosen), []);
    const { along } = planCommit(list, requestFor(list, { exactly: paths ?? undefined }));
    const other = along.map((one) => `${one.change.path.slice(t.host.length + 1)}: ${alongText(one)}`);
    expect(other).toEqual([`${said} ${t.host}/${chosen}, which was renamed`]);
    expect(await commitOnly(t, at(t, chosen))).toMatchObject({ applied: 2, failed: [] });
    t.onHost('[ ! -e docs/guide.md ]; [ "$(cat docs/handbook.md o)" = "text\nother" ]');
    expect(await pending(t)).toEqual(['modified o']);
  });

  it('leaves the old name in place when the new one can not be committed', async () => {
    const t = session();
    t.onHost('mkdir d; echo text > a; sleep 0.05');
    t.inSandbox('mv a d/b');
    await recordBases(t.ctx);
    const list = await scan(t.ctx);
    t.onHost('echo mine > d/b');
    const report = await commitAll(t.ctx, list, requestFor(list));
    expect(report.failed.map(({ path }) => path.slice(t.host.length + 1)).sort()).toEqual(['a', 'd/b']);
    t.onHost('[ "$(cat a d/b)" = "text\nmine" ]');
  });

  it('takes a repository’s data and a database with its journal as a whole', async () => {
    const t = session();
    t.onHost('mkdir -p r/.git; echo h > r/.git/HEAD; echo db > x.db; echo w > x.db-wal');
    t.inSandbox(
      'echo H > r/.git/HEAD; echo I > r/.git/index; echo DB > x.db; echo W > x.db-wal; echo f > r/f',
    );
    await recordBases(t.ctx);
    await commitOnly(t, at(t, 'x.db-wal', 'r/.git/index'));
    t.onHost('[ "$(cat r/.git/HEAD r/.git/index x.db x.db-wal)" = "H\nI\nDB\nW" ]');
    expect(await pending(t)).toEqual(['added r/f']);
  });

  it('takes a directory that was made again whole, but one new entry in it alone', async () => {
    const t = session();
    t.onHost('mkdir d; echo a > d/a; echo b > d/b');
    t.inSandbox('rm -r d; mkdir d; chmod 700 d; echo A > d/a; echo c > d/c');
    await recordBases(t.ctx);
    const list = await scan(t.ctx);
    const { paths } = choose(list, at(t, 'd/c'), []);
    const plan = planCommit(
      list,
      requestFor(list, { exactly: paths ?? undefined, conflicts: 'take-sandbox' }),
    );
    expect(plan.steps.map(({ op, change }) => `${op} ${change.path.slice(t.host.length + 1)}`)).toEqual([
      'put d/c',
    ]);
    await commitOnly(t, at(t, 'd/c'));
    t.onHost('[ "$(cat d/a d/b d/c)" = "a\nb\nc" ]');
    t.inSandbox('[ "$(cat d/a d/c)" = "A\nc" ]; [ ! -e d/b ]');
    const again = await scan(t.ctx);
    const dir = again.changes.find(({ kind }) => kind === 'dir-replaced');
    const whole = planCommit(
      again,
      requestFor(again, { exactly: new Set(dir === undefined ? [] : [dir.path]), conflicts: 'take-sandbox' }),
    );
    expect(whole.along.map(({ change, rule }) => `${rule} ${change.path.slice(t.host.length + 1)}`)).toEqual([
      'again d/a',
      'again d/b',
    ]);
  });

  it('leaves what an earlier one committed in a replaced directory, which hides the host’s', async () => {
    const t = session();
    t.onHost('mkdir -p b/old; echo 0 > other; sleep 0.05');
    t.inSandbox('rm -r b; mkdir b; echo new > b/f; rm other');
    await recordBases(t.ctx);
    const view = quickLook(t.upper).get('b/f');
    expect(await commitOnly(t, at(t, 'b/f'))).toMatchObject({ applied: 1, failed: [] });
    expect(await commitOnly(t, at(t, 'other'))).toMatchObject({ applied: 1, failed: [] });
    expect(quickLook(t.upper).get('b/f')).toBe(view);
    t.inSandbox('test "$(cat b/f)" = new; ! test -e b/old');
    await recordBases(t.ctx);
    expect(await pending(t)).toEqual(['dir-replaced b', 'deleted b/old']);
    await commitNow(t, { request: { conflicts: 'take-sandbox' } });
    expect([...quickLook(t.host).keys()]).toEqual(['b', 'b/f']);
  });

  it('in a live session commits copies, which leave the upper when it is quiet', async () => {
    const t = session();
    t.onHost('echo old > f');
    const running = await t.live(
      'mkdir n; echo 1 > n/1; echo 2 > n/2; echo new > f; echo ready; read -r; exit 0',
    );
    await recordBases(t.ctx);
    expect(await commitOnly(t, at(t, 'n/1'), true)).toMatchObject({ applied: 2, copies: true, failed: [] });
    expect(await pending(t)).toEqual(['modified f', 'added n/2']);
    expect(await commitOnly(t, at(t, 'n/2'), true)).toMatchObject({ applied: 1, copies: true, failed: [] });
    await running.stop();
    await dropCommitted(t.ctx);
    expect([...quickLook(t.upper).keys()]).toEqual(['f']);
    expect(await pending(t)).toEqual(['modified f']);
  });
});

describe.runIf(hasPython)(`random selections, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`, () => {
  it('committed one after the other touch only what they name, and end with the view; the undos end with the host', async () => {
    await fc.assert(
      fc.asyncProperty(
        program,
        program,
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }),
        async (before, inside, picks) => {
          const t = testSession();
          try {
            t.onHost(lines(before));
            t.inSandbox(lines(inside));
            await recordBases(t.ctx);
            const merged = untied(mergedSnapshot(t));
            const hosts = [untied(snapshot(t.host))];
            const numbers: number[] = [];
            for (let round = 0; round < 60; round++) {
              const list = await scan(t.ctx);
              if (list.changes.length === 0) break;
              const pick = list.changes[(picks[round % picks.length] ?? 0) % list.changes.length];
              const chosen = choose(
                list,
                { kind: 'paths', paths: pick === undefined ? [] : [pick.path] },
                [],
              );
              const request = requestFor(list, {
                exactly: chosen.paths ?? undefined,
                conflicts: 'take-sandbox',
              });
              const plan = planCommit(list, request);
              const taken = plan.steps.flatMap(({ members, below }) => [...members, ...below]);
              const was = byPath(snapshot(t.host));
              const report = await commitAll(t.ctx, list, request);
              expect(report).toMatchObject({ state: 'applied', failed: [], applied: taken.length });
              expectOnly(
                t,
                taken.map((change) => change.path),
                { was, view: byPath(merged) },
              );
              expect(untied(mergedSnapshot(t))).toBe(merged);
              hosts.push(untied(snapshot(t.host)));
              numbers.push(report.n);
            }
            expect(await pending(t)).toEqual([]);
            expect(untied(snapshot(t.host))).toBe(merged);
            for (const n of numbers.toReversed()) {
              hosts.pop();
              const report = await undoCommit(t.ctx, { n, ...keepAll });
              expect(report).toMatchObject({ state: 'applied', failed: [], notApplied: [] });
              expect(untied(snapshot(t.host))).toBe(hosts.at(-1));
              expect(untied(mergedSnapshot(t))).toBe(merged);
            }
          } finally {
            t.remove();
          }
        },
      ),
      { numRuns: Math.ceil(RUNS / 10), interruptAfterTimeLimit: 200_000 },
    );
  }, 300_000);
});

/** The host is as the view where something was applied, and as it was everywhere else. */
function expectOnly(
  t: TestSession,
  applied: readonly string[],
  { was, view }: { was: Map<string, string>; view: Map<string, string> },
): void {
  const now = byPath(snapshot(t.host));
  const names = new Set(applied.map((full) => `b'./${full.slice(t.host.length + 1)}'`));
  for (const name of new Set([...was.keys(), ...now.keys()])) {
    const source = names.has(name) ? view : was;
    expect(now.get(name), `${name} ${names.has(name) ? 'applied' : 'untouched'}`).toBe(source.get(name));
  }
}
