/** Undo of a commit whose entries the host has changed, and of which the session has new versions. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { asLive, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, quickLook, requestFor, undoRequest } from '../../../testing/commit/commit.ts';
import { mergeRequest, scene } from '../../../testing/commit/merges.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { redoCommit } from './redo.ts';
import { previewUndo, undoCommit } from './undo.ts';

let t: TestSession | undefined;
afterEach(() => {
  t?.remove();
  t = undefined;
});

interface Case {
  name: string;
  before: string;
  committed: string;
  /** What the session does next. */
  later: string;
  /** What the host does last. */
  edit: string;
  at: string;
  /** Kept as a whole while the host has not changed it. */
  whole?: string;
}

const CASES: readonly Case[] = [
  {
    name: 'another content',
    before: 'echo old > f',
    committed: 'echo one > f',
    later: 'echo two > f',
    edit: 'echo host > f',
    at: 'f',
  },
  {
    name: 'a deletion',
    before: 'echo old > f',
    committed: 'echo one > f',
    later: 'rm f',
    edit: 'echo host > f',
    at: 'f',
  },
  {
    name: 'a deletion of its directory',
    before: 'mkdir d; echo old > d/f',
    committed: 'echo one > d/f',
    later: 'rm -r d',
    edit: 'echo host > d/f',
    at: 'd/f',
  },
  {
    name: 'its directory made again',
    before: 'mkdir d; echo old > d/f',
    committed: 'echo one > d/f',
    later: 'rm -r d; mkdir d',
    edit: 'echo host > d/f',
    at: 'd/f',
  },
  {
    name: 'a file in the place of a new directory',
    before: ':',
    committed: 'mkdir d; echo one > d/f',
    later: 'rm -r d; echo two > d',
    edit: 'echo host > d/f',
    at: 'd/f',
    whole: 'd',
  },
  {
    name: 'a directory where the host has a file',
    before: 'echo old > f',
    committed: 'echo one > f',
    later: 'rm f; mkdir f; echo two > f/x',
    edit: 'echo host > f',
    at: 'f',
  },
];

it('a directory of the session’s own hides what comes back, and lists no names without entries', async () => {
  t = testSession();
  t.onHost('mkdir d; echo x > d/x; mkdir d/sub; echo y > d/sub/y');
  t.inSandbox('rm -r d; echo file > d');
  await recordBases(t.ctx);
  await commitNow(t);
  t.inSandbox('rm d; mkdir d; echo own > d/own');
  await recordBases(t.ctx);
  expect(await undoCommit(t.ctx, undoRequest(1))).toMatchObject({ state: 'applied', failed: [] });
  expect(readFileSync(`${t.host}/d/sub/y`, 'utf8')).toBe('y\n');
  t.inSandbox(`test "$(ls d)" = own`);
});

it('a redo deletes nothing that a later call has made again', async () => {
  t = testSession();
  t.onHost('echo old > f; echo old > g');
  t.inSandbox('rm f g');
  await recordBases(t.ctx);
  await commitNow(t);
  t.inSandbox('echo two > f');
  await recordBases(t.ctx);
  await undoCommit(t.ctx, undoRequest(1));
  expect(await redoCommit(t.ctx, await scan(t.ctx))).toMatchObject({ state: 'applied', applied: 1 });
  expect([...quickLook(t.host)].map(([path]) => path)).toEqual(['f']);
  expect([readFileSync(`${t.host}/f`, 'utf8'), readFileSync(`${t.upper}/f`, 'utf8')]).toEqual([
    'old\n',
    'two\n',
  ]);
});

it.each(CASES)('what only the host had is kept, and named, where the session has $name', async (one) => {
  t = testSession();
  t.onHost(one.before);
  t.inSandbox(one.committed);
  await recordBases(t.ctx);
  await commitNow(t);
  t.inSandbox(one.later);
  await recordBases(t.ctx);
  const [upper, pending] = [quickLook(t.upper), brief(await scan(t.ctx), t.host)];
  t.onHost(one.edit);
  const back = `${t.ctx.sessionDir}/commits/2/back/9`;
  const kept = { path: `${t.host}/${one.at}`, at: `${back}/${one.at}`, conflict: true };
  expect((await previewUndo(t.ctx, 1)).kept).toEqual([kept]);
  await expect(undoCommit(t.ctx, undoRequest(1))).rejects.toMatchObject({
    hint: expect.stringContaining(kept.at),
  });
  const report = await undoCommit(t.ctx, undoRequest(1, { conflicts: 'take-back' }));
  expect(report.failed).toEqual([
    { path: `${t.host}/${one.at}`, message: expect.stringContaining(`is kept: ${back}/${one.at}`) },
  ]);
  expect(readFileSync(`${back}/${one.at}`, 'utf8')).toBe('host\n');
  expect([...quickLook(t.upper)]).toEqual([...upper]);
  expect(pending).not.toEqual([]);
  expect([...quickLook(t.host)].join()).not.toMatch(/one|host/);
});

it.each([
  ['keep-host', ['b', 'd/b', 'm/a', 'n/b']],
  ['take-back', ['a', 'b', 'd/a', 'd/b', 'm/a', 'n/a', 'n/b']],
] as const)('a preview names what %s will keep, and looks once', async (conflicts, expected) => {
  t = testSession();
  t.onHost('mkdir d m; for i in a b c; do echo old > $i; echo old > d/$i; echo old > m/$i; done');
  t.inSandbox('rm -r d; mkdir d n; for i in a b c d/a d/b m/a n/a n/b; do echo one > $i; done; chmod 711 m');
  await recordBases(t.ctx);
  await commitNow(t);
  t.inSandbox('for i in a b d/a d/b m/a n/a n/b; do echo two > $i; done');
  await recordBases(t.ctx);
  const reads = vi.spyOn(nodePort, 'readdir');
  const looked = async () => {
    reads.mockClear();
    const { kept } = await previewUndo(t?.ctx ?? expect.fail(), 1);
    return { kept, reads: reads.mock.calls.length };
  };
  try {
    const before = await looked();
    expect(before.kept.every(({ conflict }) => !conflict)).toBe(true);
    t.onHost('echo host > a; echo host > d/a; echo host > n/a; chmod 700 m; echo host > m/new');
    const { kept, reads: again } = await looked();
    expect(again).toBe(before.reads);
    const named = kept.filter(({ conflict }) => conflicts === 'take-back' || !conflict);
    const paths = expected.map((name) => `${t?.host}/${name}`);
    expect(named.map(({ path }) => path).sort()).toEqual(paths);
    const { beside = [], failed } = await undoCommit(t.ctx, undoRequest(1, { conflicts }));
    expect([...beside, ...failed].map(({ path }) => path).sort()).toEqual(paths);
  } finally {
    reads.mockRestore();
  }
});

it.each(CASES)('what was committed is kept, and named, where a later call has made $name', async (one) => {
  t = testSession();
  t.onHost(one.before);
  const before = [...quickLook(t.host)];
  t.inSandbox(`${one.committed}; echo simple > simple`);
  await recordBases(t.ctx);
  await commitNow(t);
  t.inSandbox(one.later);
  await recordBases(t.ctx);
  const upper = [...quickLook(t.upper)];
  const { kept } = await previewUndo(t.ctx, 1);
  const report = await undoCommit(t.ctx, undoRequest(1));
  const back = `${t.ctx.sessionDir}/commits/2/back/9`;
  const at = one.whole ?? one.at;
  expect(report).toMatchObject({ state: 'applied', failed: [] });
  const beside = { path: `${t.host}/${at}`, at: `${back}/${at}` };
  expect(report.beside).toEqual([beside]);
  expect(kept).toEqual([{ ...beside, conflict: false }]);
  expect(readFileSync(`${back}/${one.at}`, 'utf8')).toBe('one\n');
  expect([...quickLook(t.host)]).toEqual(before);
  expect([...quickLook(t.upper)].filter(([path]) => path !== 'simple')).toEqual(upper);
  expect(readFileSync(`${t.upper}/simple`, 'utf8')).toBe('simple\n');
  expect(await redoCommit(t.ctx, await scan(t.ctx))).toMatchObject({ state: 'applied', failed: [] });
  expect([...quickLook(t.host)].filter(([path]) => path !== 'simple')).toEqual(before);
  expect(readFileSync(`${t.host}/simple`, 'utf8')).toBe('simple\n');
});

it('nothing is kept beside the copies that a commit has left in a live session', async () => {
  t = testSession();
  t.inSandbox('mkdir d; echo one > d/f; ln -s f d/l; echo one > f');
  await recordBases(t.ctx);
  const list = await scan(t.ctx);
  await commitAll(asLive(t.ctx), list, requestFor(list));
  t.inSandbox('echo two > f');
  const { beside, failed } = await undoCommit(t.ctx, undoRequest(1));
  expect([beside?.map(({ path }) => path), failed]).toEqual([[`${t.host}/f`], []]);
});

it('what the host has made of a merge since is pending, and what the sandbox had stays with the commit', async () => {
  t = await scene();
  await commitNow(t, { request: await mergeRequest(t) });
  t.onHost('echo later >> f');
  await undoCommit(t.ctx, undoRequest(1, { conflicts: 'take-back' }));
  expect(quickLook(t.host).get('f')).toContain('one\n2\n3\n4\n');
  expect(quickLook(t.upper).get('f')).toContain('one\n2\n3\nfour\nlater\n');
  t.onHost(`grep -rx four '${t.ctx.sessionDir}/commits/1/merged'`);
});

it('what lies in a place that the session does not cover now stays, and goes when it does again', async () => {
  t = testSession();
  t.onHost('echo old > f; echo gone > gone; mkdir m');
  t.inSandbox('echo one > f; rm gone; chmod 711 m; mkdir d; echo one > d/f; echo one > new');
  await commitNow(t);
  const host = quickLook(t.host);
  // Without pending changes only the newest plan names a covered directory; an adoption drops the plans.
  const report = await undoCommit({ ...t.ctx, coveredDirs: [] }, undoRequest(1));
  expect(report).toMatchObject({ state: 'partial', applied: 0 });
  expect(new Set(report.failed.map(({ message }) => message))).toEqual(
    new Set([expect.stringContaining('does not cover that place now')]),
  );
  expect(quickLook(t.host)).toEqual(host);
  expect(await undoCommit(t.ctx, undoRequest(1))).toMatchObject({ state: 'applied' });
  expect(brief(await scan(t.ctx), t.host)).toEqual([
    'added d',
    'added d/f',
    'modified f',
    'deleted gone',
    'meta m',
    'added new',
  ]);
});
