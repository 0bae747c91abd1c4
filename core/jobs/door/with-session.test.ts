import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beside, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { Died } from '../../../testing/commit/fault-port.ts';
import { run } from '../../../testing/log/test-child.ts';
import { discardAll, newestTrash, undoDiscard } from '../../commit/discard/discard.ts';
import { discardPart, lookAtDiscard } from '../../commit/discard/discard-part.ts';
import { needsRepair } from '../../commit/recover/repair.ts';
import { takeOverlay } from '../../commit/retention/adopt.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { asQuiet, withLock } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { type SessionMeta, writeMeta } from '../../session/meta-file.ts';
import { MovedOn } from '../messages/errors.ts';
import { expectQuiet, withRequest, withSession } from './with-session.ts';

let t: TestSession;
beforeEach(() => {
  t = testSession();
});
afterEach(() => t.remove());

const META: Omit<SessionMeta, 'id'> = {
  v: 1,
  logVersion: 1,
  claude: [],
  projectRoot: '/p',
  cwd: '/p',
  projectId: '0123456789abcdef',
  createdAt: '2026-01-01T00:00:00.000Z',
  configFile: null,
  configProblems: [],
  off: null,
  caught: null,
};

const events = (): unknown[] => {
  const log = `${t.ctx.sessionDir}/calls.jsonl`;
  return readdirSync(t.ctx.sessionDir).includes('calls.jsonl')
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
};
const names = async () => (await scan(t.ctx)).changes.map(({ path }) => path.slice(t.host.length + 1));

function dyingRename(target: RegExp, n: number): FsPort {
  let count = 0;
  return {
    ...nodePort,
    rename(from, to) {
      if (target.test(to) && ++count === n) throw new Died('rename');
      nodePort.rename(from, to);
    },
  };
}

/** An interrupted discard of both files: the first is in the trash. */
async function openPart(): Promise<void> {
  t.inSandbox('echo a > a; echo b > b');
  const list = await scan(t.ctx);
  const { plan } = await lookAtDiscard(t.ctx, list, new Set(list.changes.map(({ path }) => path)));
  const port = dyingRename(/\/trash\/[^/]+\/overlay\/\d+$/, 2);
  expect(() => discardPart(t.ctx, plan, { port, cancelled: () => false })).toThrow(Died);
  expect(needsRepair(t.ctx)).toBe(true);
}

it('waits for the lock, and says who has it', async () => {
  const entered = withLock(t.ctx, async () => {
    const { code } = await run('flock', ['-n', `${t.ctx.sessionDir}/lock`, 'true']);
    await expect(withLock(t.ctx, async () => 'in', 0)).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    return code;
  });
  const after = withSession(t.ctx, 'live', async () => 'in');
  expect(await entered).toBe(1);
  expect(await after).toBe('in');
});

it('refuses a live session when it has to be quiet, and lets it in otherwise', async () => {
  const live = await t.live('echo x > x; echo ready; read || true');
  const hint = 'Wait until they are done, or end them.';
  await expect(withSession(t.ctx, 'quiet', async () => 'in')).rejects.toMatchObject({ code: 'live', hint });
  expect(await withSession(t.ctx, 'live', async (session) => await asQuiet(session))).toBeNull();
  await live.stop();
  expect(await withSession(t.ctx, 'quiet', async ({ session }) => session)).toBe('s1');
});

it('proves nothing when the lock is released', async () => {
  const kept = await withSession(t.ctx, 'live', async (session) => session);
  await expect(asQuiet(kept)).rejects.toThrow('is not held');
  await expect(asQuiet(t.ctx)).rejects.toThrow('is not held');
});

it('takes an interrupted discard of a selection back before the work, and only once', async () => {
  await openPart();
  const seen = await withSession(t.ctx, 'quiet', async (session) => {
    expect(needsRepair(session)).toBe(false);
    expect(await expectQuiet(session)).toBe(session);
    return await names();
  });
  expect(seen).toEqual(['a', 'b']);
  await withSession(t.ctx, 'live', async () => {});
  expect(events()).toMatchObject([{ t: 'notice', code: 'unfinished' }]);
});

it('leaves it while a process runs: a request is refused, and it is taken back as soon as the session is quiet', async () => {
  await openPart();
  const live = await t.live('echo ready; read || true');
  await expect(withRequest(t.ctx, async () => 'in')).rejects.toMatchObject({
    code: 'live',
    hint: expect.stringContaining('interrupted discard'),
  });
  await withSession(t.ctx, 'live', async (session) => {
    expect(needsRepair(session)).toBe(true);
    await live.stop();
    await expectQuiet(session);
    expect(needsRepair(session)).toBe(false);
  });
  expect(events()).toMatchObject([{ t: 'notice', code: 'unfinished' }]);
});

it('recovers nothing for a reader', async () => {
  await openPart();
  await withSession(t.ctx, 'read', async () => {});
  expect(needsRepair(t.ctx)).toBe(true);
});

it('closes a discard of everything, and the undo of one, by where the overlay is', async () => {
  t.inSandbox('echo a > a');
  const dying: FsPort = {
    ...nodePort,
    rename(from, to) {
      nodePort.rename(from, to);
      if (to.endsWith('/overlay')) throw new Died('rename');
    },
  };
  await expect(discardAll(t.ctx, 1, dying)).rejects.toThrow(Died);
  expect(await withSession(t.ctx, 'live', names)).toEqual([]);
  const trash = (await newestTrash(t.ctx))?.trash ?? '';
  await expect(undoDiscard(t.ctx, trash, dying)).rejects.toThrow(Died);
  expect(await withSession(t.ctx, 'live', names)).toEqual(['a']);
  expect(events()).toMatchObject([
    { t: 'discard', trash },
    { t: 'undo', trash },
  ]);
});

it('gives the earlier session of an adoption its fresh overlay, logs it, and refuses a context of before', async () => {
  const other = beside(t, 's2', 4);
  for (const { sessionDir, session: id } of [t.ctx, other]) await writeMeta(sessionDir, { ...META, id });
  t.inSandbox('echo a > a');
  const dying = dyingRename(/\/overlay$/, 2);
  expect(() => takeOverlay(t.ctx, other, 1, dying)).toThrow(Died);
  expect(needsRepair(t.ctx)).toBe(true);
  expect(await withSession(t.ctx, 'live', names)).toEqual([]);
  await expect(withSession(other, 'live', async () => 'in')).rejects.toThrow(MovedOn);
  expect(events()).toMatchObject([{ t: 'adopt', from: 's1', to: 's2', entries: 1 }]);
});
