/** `trai adopt` on real sessions: two of one project, each with its client, launcher and overlay. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HookWorld } from '../../server/hooks/world/world.ts';
import type { SessionSummary } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { requestFor } from '../../testing/commit/commit.ts';
import { FaultPort } from '../../testing/commit/fault-port.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { commitAll } from '../commit/commit.ts';
import { unfinishedCommit } from '../commit/journal/journal.ts';
import { adoptionWaits, takeOverlay } from '../commit/retention/adopt.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { mountSource, sessionContext } from '../sandbox/context.ts';
import { endProcesses } from '../sandbox/live.ts';
import { type QuietSession, withLock } from '../sandbox/lock.ts';
import { scan } from '../scan/scan.ts';
import { readLog } from '../session/log/read.ts';
import { readMeta, updateMeta } from '../session/meta-file.ts';
import { adoptOverlay } from './adopt.ts';
import { JOBS } from './jobs.ts';

let t: TestServer;
const used: TestClient[] = [];
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  for (const client of used) await client.clean();
  await t.close();
});

async function client(): Promise<TestClient> {
  const made = new TestClient(t, `c${used.length + 1}`);
  used.push(made);
  await made.start();
  return made;
}

const dirOf = (of: TestClient): string => path.join(t.state, 'sessions', of.id);
const contextOf = (of: TestClient) => sessionContext(t.state, of.id, { HOME: t.home });
const adopt = (from: TestClient, to: TestClient) =>
  adoptOverlay({ stateDir: t.state, from: from.id, to: to.id, env: { HOME: t.home } });
const adoptions = async (of: TestClient) =>
  (await readLog(dirOf(of))).events.filter((event) => event.t === 'adopt');

async function pending(of: TestClient): Promise<string[]> {
  const { changes } = await scan(await contextOf(of));
  return changes.filter(({ ignored }) => ignored === null).map((change) => path.basename(change.path));
}

describe('a session that goes on with the changes of an earlier one', () => {
  it('sees them in its next call, in its list and in the dashboard; the earlier one does not any more', async () => {
    const [from, to] = [await client(), await client()];
    await from.bash('echo one > one; mkdir sub; echo two > sub/two');
    await to.bash('sh -c true');
    expect(await adopt(from, to)).toEqual({ from: from.id, to: to.id, entries: 3 });
    expect(await to.bash('cat one sub/two; echo 3 > three')).toMatchObject({ rc: 0, stdout: 'one\ntwo\n' });
    expect(await from.bash('sh -c "ls one"')).toMatchObject({ rc: 2 });
    expect(await pending(to)).toEqual(['one', 'sub', 'two', 'three']);
    expect(await pending(from)).toEqual([]);
    const sessions = async (): Promise<SessionSummary[]> =>
      JSON.parse(await (await t.api('/api/sessions')).text());
    const counts = async (id: string) => (await sessions()).find((one) => one.id === id)?.counts?.added;
    await expect.poll(() => counts(to.id)).toBe(4);
    await expect.poll(() => counts(from.id)).toBe(0);
  });

  it('is a session that has run nothing yet, too: it is pending there before its first call', async () => {
    const [from, to] = [await client(), await client()];
    await from.bash('echo one > one-more');
    await adopt(from, to);
    expect(await pending(to)).toEqual(['one-more']);
    const world = new HookWorld({ stateDir: t.state, env: { HOME: t.home }, programs: [] });
    expect(await (await world.session(to.id))?.pending()).toBe(true);
    // `cat` alone would run on the host while nothing is pending.
    expect(await to.bash('cat one-more')).toMatchObject({ stdout: 'one\n' });
  });

  it('is on record in both logs and both meta.json, and the changes can go back', async () => {
    const [from, to] = [await client(), await client()];
    await from.bash('echo x > recorded');
    await adopt(from, to);
    const said = { t: 'adopt', from: from.id, to: to.id, entries: 1 };
    expect(await adoptions(from)).toMatchObject([said]);
    expect(await adoptions(to)).toMatchObject([said]);
    expect((await readMeta(dirOf(from))).wentOnIn).toBe(to.id);
    expect((await readMeta(dirOf(to))).adopted).toEqual([from.id]);
    await adopt(to, from);
    expect(await pending(from)).toEqual(['recorded']);
    expect(await readMeta(dirOf(from))).not.toHaveProperty('wentOnIn');
  });

  it('commits them as its own, conflicts with the host included', async () => {
    const [from, to] = [await client(), await client()];
    writeFileSync(path.join(t.project, 'theirs'), 'before\n');
    // The base of what the host wrote within a clock tick of the call's start is unknown.
    await sleep(3 * CLOCK_TICK_MS);
    await from.bash('echo mine > theirs; echo new > new');
    await from.bash('true');
    await adopt(from, to);
    writeFileSync(path.join(t.project, 'theirs'), 'of the host\n');
    const ctx = await contextOf(to);
    const { revision, changes } = await scan(ctx);
    expect(changes.find((change) => change.path.endsWith('/theirs'))?.conflict).toBe('host-changed');
    const order = {
      scope: { kind: 'all' as const },
      revision,
      includeIgnored: false,
      choices: {},
      yes: true,
      typedCount: null,
    };
    const report = await JOBS.commit(ctx, { ...order, conflicts: 'keep-host' }, () => undefined);
    expect(report).toMatchObject({ state: 'applied', kept: 1 });
    expect(readFileSync(path.join(t.project, 'new'), 'utf8')).toBe('new\n');
    expect(readFileSync(path.join(t.project, 'theirs'), 'utf8')).toBe('of the host\n');
  });
});

it('closes a commit of the earlier session that was interrupted, and moves what it had not applied', async () => {
  const [from, to] = [await client(), await client()];
  await from.bash('for i in 1 2 3 4 5 6 7 8; do echo $i > half$i; done');
  const ctx = await contextOf(from);
  const list = await scan(ctx);
  const faulty = new FaultPort(0);
  let links = 0;
  const port = {
    ...faulty.port,
    link: (one: BytePath, other: BytePath) => {
      if (++links > 4) throw new Error('killed');
      faulty.port.link(one, other);
    },
  };
  const commit = withLock(ctx, (session) => commitAll(session, list, requestFor(list), { port }));
  await expect(commit).rejects.toThrow('killed');
  faulty.dispose();
  const onHost = () => readdirSync(t.project).filter((name) => name.startsWith('half'));
  const done = onHost();
  expect(done).toHaveLength(4);
  await adopt(from, to);
  expect(unfinishedCommit(ctx)).toBeNull();
  expect(await pending(to)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `half${i}`).filter((name) => !done.includes(name)),
  );
  expect(onHost()).toEqual(done);
  const { events } = await readLog(dirOf(from));
  expect(events).toContainEqual(
    expect.objectContaining({ t: 'commit', state: 'finished-later', entries: 4 }),
  );
});

describe('nothing is moved', () => {
  it('while a process of either session runs', async () => {
    const [from, to] = [await client(), await client()];
    await from.bash('echo x > kept; sleep 300 > /dev/null 2>&1 & disown');
    await expect(adopt(from, to)).rejects.toMatchObject({
      code: 'live',
      message: expect.stringContaining('sleep 300'),
    });
    await endProcesses(mountSource(t.state, from.id));
    await to.bash('sleep 300 > /dev/null 2>&1 & disown');
    await expect(adopt(from, to)).rejects.toMatchObject({
      code: 'live',
      message: expect.stringContaining(to.id),
    });
    await endProcesses(mountSource(t.state, to.id));
    expect(await pending(from)).toEqual(['kept']);
  });

  it('into a session with pending changes of its own, and from one that has none', async () => {
    const [from, to] = [await client(), await client()];
    await from.bash('echo x > theirs-stays');
    await to.bash('echo y > own');
    await expect(adopt(from, to)).rejects.toMatchObject({ code: 'not-empty' });
    const third = await client();
    await third.bash('sh -c true');
    await expect(adopt(third, await client())).rejects.toMatchObject({ code: 'not-found' });
    expect([await pending(from), await pending(to)]).toEqual([['theirs-stays'], ['own']]);
  });

  it('from itself, from another project, and from a session that is not there', async () => {
    const [from, to] = [await client(), await client()];
    await from.bash('echo x > here');
    await expect(adopt(from, from)).rejects.toMatchObject({ code: 'bad-input' });
    await updateMeta(dirOf(to), (meta) => ({ ...meta, projectId: '0123456789abcdef' }));
    await expect(adopt(from, to)).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining(t.project),
    });
    const request = { stateDir: t.state, from: 'nobody', to: to.id, env: {} };
    await expect(adoptOverlay(request)).rejects.toMatchObject({ code: 'no-session' });
    expect(await pending(from)).toEqual(['here']);
  });

  it('from a session that a client is open in; one that has gone on to another session does not count', async () => {
    const [from, to] = [await client(), await client()];
    await from.bash('echo x > open');
    const { pid } = process;
    const pidStart = processStat(pid)?.start ?? '';
    const identity = { id: from.id, source: 'startup' as const, pid, pidStart, at: new Date().toISOString() };
    await updateMeta(dirOf(from), (meta) => ({ ...meta, claude: [identity] }));
    mkdirSync(path.join(t.state, 'claude-pid'), { recursive: true });
    const now = path.join(t.state, 'claude-pid', `${pid}.${pidStart}`);
    writeFileSync(now, `${from.id}\n`);
    await expect(adopt(from, to)).rejects.toMatchObject({
      code: 'live',
      message: expect.stringContaining(`${pid}`),
    });
    writeFileSync(now, `${to.id}\n`);
    await adopt(from, to);
    expect(await pending(to)).toEqual(['open']);
  });

  it('twice, when two adopt from each other at the same moment', async () => {
    const [a, b] = [await client(), await client()];
    await a.bash('echo x > once');
    const outcomes = await Promise.allSettled([adopt(a, b), adopt(b, a)]);
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBeGreaterThan(0);
    expect([...(await pending(a)), ...(await pending(b))]).toEqual(['once']);
  });
});

describe('an adoption that was killed after its rename is finished', () => {
  async function killed(): Promise<[TestClient, TestClient]> {
    const [from, to] = [await client(), await client()];
    await from.bash('echo x > moved');
    await to.bash('sh -c true');
    // The server's work after these calls would recover or roll back what is set up here.
    for (const one of [from, to])
      await expect.poll(() => existsSync(path.join(dirOf(one), 'overlay/.listed-at'))).toBe(true);
    await withLock(await contextOf(from), async (ours) =>
      withLock(await contextOf(to), async (theirs) =>
        takeOverlay(ours as QuietSession, theirs as QuietSession, 1),
      ),
    );
    expect(adoptionWaits(dirOf(to))).toBe(true);
    return [from, to];
  }

  it('by the next call of the session, which sees the changes', async () => {
    const [from, to] = await killed();
    expect(await to.bash('sh -c "cat moved"')).toMatchObject({ rc: 0, stdout: 'x\n' });
    expect(await adoptions(from)).toHaveLength(1);
    expect(await adoptions(to)).toHaveLength(1);
  });

  it('by the server that starts next', async () => {
    const [, to] = await killed();
    await JOBS.recover(await contextOf(to), null, () => undefined);
    expect(await pending(to)).toEqual(['moved']);
  });

  it('by whoever comes to change the session, who finds it moved', async () => {
    const [from, to] = await killed();
    const ctx = await contextOf(to);
    const { revision } = await scan(ctx);
    const order = { scope: { kind: 'all' as const }, revision, endProcesses: false };
    expect(await JOBS.discard(ctx, order, () => undefined)).toMatchObject({ entries: 1 });
    expect(await adoptions(to)).toHaveLength(1);
    expect([await pending(to), await pending(from)]).toEqual([[], []]);
  });

  it('and a discard of the earlier session in between finds nothing', async () => {
    const [from, to] = await killed();
    expect(await pending(from)).toEqual([]);
    expect(await from.bash('echo y > after')).toMatchObject({ rc: 0 });
    expect(await pending(from)).toEqual(['after']);
    expect(await to.bash('sh -c "ls after moved"')).toMatchObject({ stdout: 'moved\n' });
  });
});

it('work after a call that was asked for before an adoption leaves the other overlay alone', async () => {
  const [from, to] = [await client(), await client()];
  await from.bash('echo x > stale');
  await to.bash('sh -c true');
  const ctx = await contextOf(to);
  // As if both overlays numbered them differently.
  const [first, second, ...rest] = ctx.coveredDirs;
  if (first === undefined || second === undefined) throw new Error('expected two covered directories');
  const swapped = {
    ...ctx,
    coveredDirs: [{ ...first, path: second.path }, { ...second, path: first.path }, ...rest],
  };
  await adopt(from, to);
  expect(await JOBS.tidy(swapped, { earliestCall: null }, () => undefined)).toEqual({ left: [] });
  await expect(
    JOBS.discard(swapped, { scope: { kind: 'all' }, revision: 'any', endProcesses: false }, () => undefined),
  ).rejects.toMatchObject({
    code: 'stale-revision',
  });
  expect(await pending(to)).toEqual(['stale']);
});
