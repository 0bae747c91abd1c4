import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { UNDO_LIMITS } from '../../../shared/limits.ts';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, undoRequest } from '../../../testing/commit/commit.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { processStat } from '../../kernel/proc/proc.ts';
import { recordBases } from '../../overlay/bases.ts';
import { clientRecordPath } from '../../sandbox/client-door.ts';
import { scan } from '../../scan/scan.ts';
import { logTo } from '../../session/log/append.ts';
import { discardAll, newestTrash } from '../discard/discard.ts';
import { readHistory } from '../history/history.ts';
import { finishCommit } from '../recover/recover.ts';
import { repairOverlay } from '../recover/repair.ts';
import { previewUndo, undoCommit } from '../undo/undo.ts';
import { collectOwn, findGarbage, removeGarbage } from './collect.ts';
import { diskSizes } from './disk-use.ts';

const DAY = 24 * 60 * 60 * 1000;
const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

async function scene(): Promise<TestSession> {
  const t = testSession();
  open.push(t);
  t.onHost('echo 0 > a; echo 0 > b');
  for (const n of [1, 2, 3]) {
    t.inSandbox(`echo ${n} > a; echo ${n}${n} > b`);
    expect((await commitNow(t, { request: { conflicts: 'take-sandbox' } })).failed).toEqual([]);
  }
  for (const n of [1, 2]) {
    t.inSandbox(`echo ${n} > discarded`);
    await discardAll(t.ctx, 1);
  }
  t.inSandbox('echo pending > pending');
  return t;
}

const names = (found: readonly { kind: string; name: string }[]) =>
  found.map(({ kind, name }) => (kind === 'images' ? `commit ${name}` : kind));

it('names what is older than the limit, never the newest, and removes nothing before it is told to', async () => {
  const t = await scene();
  expect((await findGarbage([t.ctx], Date.now())).found).toEqual([]);
  const later = Date.now() + 8 * DAY;
  const found = (await findGarbage([t.ctx], later)).found;
  expect(names(found)).toEqual(['commit 1', 'commit 2', 'discard']);
  expect(existsSync(`${t.ctx.sessionDir}/commits/1/before`)).toBe(true);
  for (const one of found) expect(await removeGarbage(t.ctx, one, later)).toBe(true);
  expect((await findGarbage([t.ctx], later)).found).toEqual([]);
  // What is pending, and what is newest, is as it was.
  expect((await scan(t.ctx)).changes.map(({ path }) => path)).toEqual([`${t.host}/pending`]);
  expect(await newestTrash(t.ctx)).not.toBeNull();
  await undoCommit(t.ctx, undoRequest(3, { yes: false }));
  expect(await previewUndo(t.ctx, 2)).toMatchObject({ unable: [{}, {}] });
  expect(readHistory(t.ctx).find(({ n }) => n === 2)).toMatchObject({
    can: null,
    why: 'what was there before is not kept any more',
  });
});

it('removes nothing that became the newest, or is younger than what was shown, since it was found', async () => {
  const t = await scene();
  const later = Date.now() + 8 * DAY;
  const { found } = await findGarbage([t.ctx], later);
  const [images] = found.filter(({ kind }) => kind === 'images');
  const [discard] = found.filter(({ kind }) => kind === 'discard');
  if (images === undefined || discard === undefined) throw new Error('expected both kinds of garbage');
  const newest = (await newestTrash(t.ctx))?.trash ?? '';
  expect(await removeGarbage(t.ctx, { ...images, name: '3' }, later)).toBe(false);
  expect(await removeGarbage(t.ctx, { ...discard, name: newest }, later)).toBe(false);
  expect(await removeGarbage(t.ctx, images, Date.parse(images.at) - 1)).toBe(false);
  expect((await findGarbage([t.ctx], later)).found).toEqual(found);
});

it('never removes what an interrupted undo has yet to put back', async () => {
  const t = await scene();
  const dies = new FaultPort(1, 'die', undefined, 'rename');
  const ask = { ...undoRequest(1, { yes: false }), conflicts: 'take-back' } as const;
  await expect(undoCommit(t.ctx, ask, { port: dies.port })).rejects.toThrow(Died);
  dies.dispose();
  const later = Date.now() + 8 * DAY;
  const { found } = await findGarbage([t.ctx], later);
  expect(names(found)).toEqual(['commit 2', 'discard']);
  const [second] = found;
  if (second === undefined) throw new Error('expected the images of commit 2');
  expect(await removeGarbage(t.ctx, { ...second, name: '1' }, later)).toBe(false);
  expect(await finishCommit(t.ctx)).toMatchObject({ failed: [] });
  expect([readFileSync(`${t.host}/a`, 'utf8'), readFileSync(`${t.host}/b`, 'utf8')]).toEqual(['0\n', '0\n']);
});

it('removes the oldest first where too much is kept; after a commit by itself', async () => {
  const t = await scene();
  t.ctx.undo = { ...UNDO_LIMITS, keepBytes: 1 };
  expect(names((await findGarbage([t.ctx], Date.now())).found)).toEqual(['commit 1', 'commit 2', 'discard']);
  await collectOwn(t.ctx);
  const images = readdirSync(`${t.ctx.sessionDir}/commits`).filter((n) =>
    existsSync(`${t.ctx.sessionDir}/commits/${n}/before`),
  );
  expect(images).toEqual(['3']);
});

it('a session with a journal of another version is named, keeps everything and stops no other', async () => {
  const [old, t] = [await scene(), await scene()];
  const journal = `${old.ctx.sessionDir}/commits/1/journal.jsonl`;
  writeFileSync(journal, readFileSync(journal, 'utf8').replace('"v":', '"v":9'));
  const later = Date.now() + 8 * DAY;
  const { found, problems } = await findGarbage([{ ...old.ctx, session: 'old' }, t.ctx], later);
  expect(names(found)).toEqual(['commit 1', 'commit 2', 'discard']);
  expect(found.every(({ session }) => session === t.ctx.session)).toBe(true);
  expect(problems).toEqual([
    {
      session: 'old',
      message: expect.stringContaining('another version of trai'),
      path: `${old.ctx.sessionDir}/commits/1`,
      hint: expect.stringContaining('trai export'),
    },
  ]);
});

it('what the sandbox had before a merge goes with the before-images of its commit', async () => {
  const t = testSession();
  open.push(t);
  t.onHost('seq 4 > f; sleep 0.05');
  t.inSandbox('sed -i s/4/four/ f');
  await recordBases(t.ctx, { earliestCall: Date.now() });
  t.onHost('sleep 0.05; sed -i s/1/one/ f');
  const [change] = (await scan(t.ctx)).changes;
  await commitNow(t, { request: { choices: { [change?.id ?? '']: 'merge' } } });
  t.inSandbox('echo 1 > f');
  await commitNow(t, {});
  const later = Date.now() + 8 * DAY;
  const [one] = (await findGarbage([t.ctx], later)).found;
  expect(one).toMatchObject({ kind: 'images', name: '1' });
  if (one === undefined) return;
  expect(readdirSync(`${t.ctx.sessionDir}/commits/1`)).toContain('merged');
  expect(await removeGarbage(t.ctx, one, later)).toBe(true);
  expect(readdirSync(`${t.ctx.sessionDir}/commits/1`).sort()).toEqual(['journal.jsonl']);
  // A `merged` directory that is there again is garbage as well.
  const { images } = await diskSizes(t.ctx, false);
  mkdirSync(`${t.ctx.sessionDir}/commits/1/merged/x`, { recursive: true });
  writeFileSync(`${t.ctx.sessionDir}/commits/1/merged/x/f`, Buffer.alloc(65_536, 1));
  const [left] = (await findGarbage([t.ctx], later)).found;
  expect(left).toMatchObject({ kind: 'images', name: '1' });
  if (left === undefined) return;
  // What is shown as taken is what a collection gives back.
  expect((await diskSizes(t.ctx, false)).images - images).toBe(left.bytes);
  await removeGarbage(t.ctx, left, later);
  expect((await diskSizes(t.ctx, false)).images).toBe(images);
});

it('what a discard left that died before its journal was begun is shown and goes; what holds anything else stays', async () => {
  const t = await scene();
  const trash = `${t.ctx.stateDir}/trash`;
  for (const [i, made] of ['overlay', 'overlay/0', '', 'else'].entries())
    mkdirSync(`${trash}/s1.20260101T00000000${i}Z/${made}`, { recursive: true });
  writeFileSync(`${trash}/s1.20260101T000000002Z/journal.jsonl`, '{"t":"beg');
  mkdirSync(`${trash}/other.20260101T000000000Z`);
  const found = (await findGarbage([t.ctx], Date.now())).found;
  expect(found.map(({ name, at }) => [name, at])).toEqual([
    ['s1.20260101T000000000Z', '2026-01-01T00:00:00.000Z'],
    ['s1.20260101T000000002Z', '2026-01-01T00:00:00.002Z'],
  ]);
  expect(found[0]).toMatchObject({ kind: 'discard', why: expect.stringContaining('interrupted') });
  const [first, second] = found;
  if (first === undefined || second === undefined) return;
  // A discard that had only just begun when it was looked at.
  writeFileSync(`${trash}/${second.name}/journal.jsonl`, '{"t":"begin","v":5,"session":"s1"}\n');
  expect(await removeGarbage(t.ctx, first, Date.now())).toBe(true);
  expect(await removeGarbage(t.ctx, second, Date.now())).toBe(false);
  expect(existsSync(`${trash}/${first.name}`)).toBe(false);
  expect((await scan(t.ctx)).changes.map(({ path }) => path)).toEqual([`${t.host}/pending`]);
});

it('what a discard left that died before its rename is no discard, and goes with the next run', async () => {
  const t = testSession();
  open.push(t);
  t.inSandbox('echo pending > pending');
  const port: FsPort = {
    ...nodePort,
    rename(from, to) {
      if (to.endsWith('/overlay')) throw new Died('rename');
      nodePort.rename(from, to);
    },
  };
  await expect(discardAll(t.ctx, 1, port)).rejects.toThrow(Died);
  expect((await scan(t.ctx)).changes.map(({ path }) => path)).toEqual([`${t.host}/pending`]);
  expect([readHistory(t.ctx), (await findGarbage([t.ctx], Date.now())).found]).toEqual([[], []]);
  expect(repairOverlay(t.ctx)?.outcome).toBe('rolled-back');
  expect(readdirSync(`${t.ctx.stateDir}/trash`)).toEqual(['CACHEDIR.TAG']);
  // The next run may die while it removes that.
  await expect(discardAll(t.ctx, 1, port)).rejects.toThrow(Died);
  const dies = new FaultPort(2, 'die', undefined, 'unlink');
  expect(() => repairOverlay(t.ctx, dies.port)).toThrow(Died);
  dies.dispose();
  repairOverlay(t.ctx);
  expect(readdirSync(`${t.ctx.stateDir}/trash`)).toEqual(['CACHEDIR.TAG']);
});

it('removes a session whose project is gone only when nothing of it is pending or kept', async () => {
  const t = testSession();
  open.push(t);
  t.ctx.projectRoot = `${t.ctx.projectRoot}/project` as typeof t.ctx.projectRoot;
  mkdirSync(`${t.host}/project`);
  t.inSandbox('echo pending > pending');
  renameSync(`${t.host}/project`, `${t.host}/moved`);
  expect((await findGarbage([t.ctx], Date.now())).found).toEqual([]);
  await commitNow(t, { request: { noUndo: true } });
  // A mount that is just ending keeps a session from being quiet for a moment, also that of the look before.
  let found = (await findGarbage([t.ctx], Date.now())).found;
  const look = async () => {
    found = (await findGarbage([t.ctx], Date.now())).found;
    return found;
  };
  await expect.poll(look, { timeout: 30_000 }).toMatchObject([{ kind: 'session', session: 's1' }]);
  const [one] = found;
  if (one === undefined) return expect.unreachable();
  t.inSandbox('echo pending > more');
  expect(await removeGarbage(t.ctx, one, Date.now())).toBe(false);
  await commitNow(t, { request: { noUndo: true } });
  const remove = async () => await removeGarbage(t.ctx, one, Date.now());
  await expect.poll(remove, { timeout: 30_000 }).toBe(true);
  expect(existsSync(t.ctx.sessionDir)).toBe(false);
  expect(readdirSync(`${t.ctx.stateDir}/trash`)).toEqual(['CACHEDIR.TAG']);
});

/** A session that was made for a client, with what `bin/trai` or the server left of it. */
function forClient(pid: number): { t: TestSession; copy: string } {
  const t = testSession();
  open.push(t);
  const copy = `${t.ctx.stateDir}/copy`;
  writeFileSync(copy, '{}');
  const record = { v: 1, pid, start: processStat(pid)?.start ?? '', state: null, copy };
  writeFileSync(clientRecordPath(t.ctx.sessionDir), JSON.stringify(record));
  logTo(t.ctx.sessionDir, { t: 'session', claude: '', source: 'client', cwd: t.host, plugin: '0' });
  return { t, copy };
}

/** Of no process. */
const DEAD = 2 ** 30;

it.each<[string, (t: TestSession) => void]>([
  ['once', () => {}],
  ['as the launcher says', ({ ctx }) => logTo(ctx.sessionDir, { t: 'call.failed', call: 'c', step: 1 })],
  ['before its log was written', ({ ctx }) => writeFileSync(`${ctx.sessionDir}/calls.jsonl`, '')],
])('removes a session whose client was ended before it had begun, %s', async (_, happens) => {
  const { t, copy } = forClient(DEAD);
  happens(t);
  const { found } = await findGarbage([t.ctx], Date.now());
  expect(found).toMatchObject([{ kind: 'session', session: 's1' }]);
  for (const one of found) expect(await removeGarbage(t.ctx, one, Date.now())).toBe(true);
  expect([t.ctx.sessionDir, copy].filter(existsSync)).toEqual([]);
});

it.each<[string, number, (t: TestSession) => void]>([
  ['still starts', process.pid, () => {}],
  [
    'had begun',
    DEAD,
    ({ ctx }) =>
      logTo(ctx.sessionDir, { t: 'call.started', call: 'c', pid: 1, mode: 'sandbox', overlay: 'mounted' }),
  ],
  [
    'follows another one',
    DEAD,
    ({ ctx, host }) =>
      logTo(ctx.sessionDir, { t: 'session', claude: 'a', source: 'startup', cwd: host, plugin: '0' }),
  ],
  ['has left something', DEAD, (t) => t.inSandbox('echo pending > pending')],
  [
    'is not known to have been',
    DEAD,
    ({ ctx }) => {
      for (const name of [clientRecordPath(ctx.sessionDir), `${ctx.sessionDir}/calls.jsonl`]) rmSync(name);
    },
  ],
  ['has a log that is damaged', DEAD, ({ ctx }) => appendFileSync(`${ctx.sessionDir}/calls.jsonl`, '?\n')],
])('removes no session whose client %s', async (_, pid, happens) => {
  const { t } = forClient(pid);
  happens(t);
  expect((await findGarbage([t.ctx], Date.now())).found).toEqual([]);
});

it('removes one whose end was done', async () => {
  const { t } = forClient(DEAD);
  rmSync(clientRecordPath(t.ctx.sessionDir));
  expect((await findGarbage([t.ctx], Date.now())).found).toMatchObject([{ kind: 'session' }]);
});

/** An undo interrupted after the rename of `d`, and a call that makes another `d` before the recovery. */
async function leftBack(t: TestSession): Promise<number> {
  t.inSandbox('rm -rf d; mkdir d; head -c 65536 /dev/zero > d/1');
  const { n } = await commitNow(t);
  const dies = new FaultPort();
  const rename: typeof nodePort.rename = (from, to) => {
    nodePort.rename(from, to);
    if (to.endsWith('/d') && to.includes('/back/')) throw new Died('rename');
  };
  const ask = undoRequest(n);
  await expect(undoCommit(t.ctx, ask, { port: { ...dies.port, rename } })).rejects.toThrow(Died);
  dies.dispose();
  t.inSandbox('mkdir d; echo other > d/1');
  const report = await finishCommit(t.ctx);
  expect(report?.state).toBe('partial');
  await discardAll(t.ctx, 1);
  return report?.n ?? 0;
}

it('what an undo took off the host and could not make pending again is counted, and goes only by order, never the newest', async () => {
  const t = testSession();
  open.push(t);
  const { images } = await diskSizes(t.ctx, false);
  const first = await leftBack(t);
  expect((await diskSizes(t.ctx, false)).images - images).toBeGreaterThan(65_535);
  const later = Date.now() + 8 * DAY;
  expect(names((await findGarbage([t.ctx], later)).found)).toEqual([]);
  const second = await leftBack(t);
  t.ctx.undo = { ...UNDO_LIMITS, keepBytes: 1 };
  await collectOwn(t.ctx);
  const back = (n: number) => existsSync(`${t.ctx.sessionDir}/commits/${n}/back`);
  expect([back(first), back(second)]).toEqual([true, true]);
  const found = (await findGarbage([t.ctx], later)).found;
  expect(names(found)).toEqual([`commit ${first}`, 'discard']);
  const [one] = found;
  expect(one?.why).toContain('took off the host');
  if (one === undefined) return;
  expect(await removeGarbage(t.ctx, one, later)).toBe(true);
  expect([back(first), back(second)]).toEqual([false, true]);
});
