/** Jobs on real sessions, in the states that kills and running processes leave behind. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { requestFor } from '../../testing/commit/commit.ts';
import { FaultPort } from '../../testing/commit/fault-port.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { commitAll } from '../commit/commit.ts';
import { newestTrash } from '../commit/discard/discard.ts';
import { unfinishedCommit } from '../commit/journal/journal.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { clientRecordPath } from '../sandbox/client-door.ts';
import { sessionContext } from '../sandbox/context.ts';
import { endProcesses, liveProcesses } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { scan } from '../scan/scan.ts';
import { logTo } from '../session/log/append.ts';
import { type SessionContext, upperPathIn } from '../session/session-context.ts';
import { endOthers } from './end-processes.ts';
import { JOBS } from './jobs.ts';
import { UNTIL_CLIENT_ENDS } from './messages/errors.ts';

let t: TestServer;
const used: TestClient[] = [];
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  for (const client of used) await client.clean();
  await t.close();
});

async function session(command: string): Promise<{ client: TestClient; ctx: SessionContext }> {
  const client = new TestClient(t, `j${used.length + 1}`);
  used.push(client);
  await client.start();
  expect(await client.bash(command)).toMatchObject({ rc: 0 });
  return { client, ctx: await sessionContext(t.state, client.id, { HOME: t.home }) };
}

const ignore = () => undefined;
const pending = async (ctx: SessionContext) =>
  (await scan(ctx)).changes.filter(({ ignored }) => ignored === null).map((c) => path.basename(c.path));

const upperOf = (ctx: SessionContext, file: string) => {
  const at = upperPathIn(ctx.coveredDirs, fromText(file));
  if (at === null) throw new Error(`expected ${file} to be covered`);
  return at;
};

async function discard(ctx: SessionContext, end = false) {
  const { revision } = await scan(ctx);
  return await JOBS.discard(ctx, { scope: { kind: 'all' }, revision, endProcesses: end }, ignore);
}

/** As if this process were Claude Code in the session. */
function runsClient({ sessionDir }: SessionContext): void {
  const { start } = processStat(process.pid) ?? {};
  writeFileSync(clientRecordPath(sessionDir), JSON.stringify({ v: 1, pid: process.pid, start }));
}

/** The call `own`, which is Claude Code itself. */
function logClientCall({ sessionDir }: SessionContext): void {
  const decided = { request: '', matched: 'none', command: 'claude', cwd: '/', text: '' } as const;
  const facts = { call: 'own', origin: 'client', mode: 'sandbox', reason: 'default' } as const;
  logTo(sessionDir, { t: 'call.decided', ...facts, ...decided });
  logTo(sessionDir, { t: 'call.started', call: 'own', pid: 7, mode: 'sandbox', overlay: 'mounted' });
}

describe('while a process of the session runs', () => {
  it('undo is refused, and what the process writes afterwards is still pending', async () => {
    const { client, ctx } = await session('echo first > first');
    const { trash } = await discard(ctx);
    await client.bash('(until [ -e go ]; do sleep 0.05; done; echo late > late) > /dev/null 2>&1 & disown');
    await expect(JOBS.undo(ctx, { trash }, ignore)).rejects.toMatchObject({ code: 'live' });
    await client.bash('touch go');
    await expect.poll(() => pending(ctx)).toContain('late');
    expect((await newestTrash(ctx))?.trash).toBe(trash);
    await endProcesses(ctx.source);
  });

  it('an undo of a discard ends it first where that is asked for, and nothing where Claude Code itself stays', async () => {
    const { client, ctx } = await session('echo first > first');
    const { trash } = await discard(ctx);
    await client.bash('sleep 300 > /dev/null 2>&1 & disown');
    const running = await liveProcesses(ctx.source);
    expect(running).toHaveLength(1);
    runsClient(ctx);
    const undo = async () => await JOBS.undo(ctx, { trash, endProcesses: true }, ignore);
    await expect(undo()).rejects.toMatchObject({ code: 'live', hint: UNTIL_CLIENT_ENDS });
    expect((await liveProcesses(ctx.source)).map(({ pid }) => pid)).toEqual(running.map(({ pid }) => pid));
    rmSync(clientRecordPath(ctx.sessionDir));
    expect(await undo()).toMatchObject({ entries: 1 });
    expect(await liveProcesses(ctx.source)).toEqual([]);
    expect(await pending(ctx)).toEqual(['first']);
  });

  it('previews name what can be ended, without Claude Code itself', async () => {
    const { client, ctx } = await session('echo 1 > one');
    await JOBS.commit(ctx, requestFor(await scan(ctx)), ignore);
    await client.bash(
      'echo 2 > two; (sleep 301 & TRAI_CALL=own setsid sleep 302 & disown -a) > /dev/null 2>&1 < /dev/null',
    );
    logClientCall(ctx);
    const named = async () => {
      const list = await scan(ctx);
      const order = { scope: { kind: 'all' }, action: 'discard', includeIgnored: true } as const;
      const plans = [
        await JOBS.undoPreview(ctx, { n: 1 }),
        await JOBS.preview(ctx, { list, order, texts: null }, ignore),
      ];
      return plans.map(({ processes }) => processes.map(({ command }) => command).sort());
    };
    const both = ['sleep 301', 'sleep 302'];
    expect(await named()).toEqual([both, both]);
    runsClient(ctx);
    expect(await named()).toEqual([['sleep 301'], ['sleep 301']]);
    rmSync(clientRecordPath(ctx.sessionDir));
    await endProcesses(ctx.source);
  });

  it('Claude Code that starts while others are being ended goes on', async () => {
    const { client, ctx } = await session('echo 1 > one');
    const stubborn = `bash -c 'trap "" TERM; touch began-"$0"; while :; do sleep 0.2; done'`;
    await client.bash(
      `(${stubborn} other & TRAI_CALL=own setsid ${stubborn} own & disown -a) > /dev/null 2>&1 < /dev/null
      until [ -e began-other ] && [ -e began-own ]; do sleep 0.05; done`,
    );
    logClientCall(ctx);
    const names = async () =>
      (await liveProcesses(ctx.source)).flatMap(({ command }) => command.match(/\w+$/g) ?? []);
    const ended = endOthers(ctx);
    runsClient(ctx);
    await ended;
    expect((await names()).filter((name) => /own|other/.test(name))).toEqual(['own']);
    rmSync(clientRecordPath(ctx.sessionDir));
    await endProcesses(ctx.source);
  });

  it('what a commit copied leaves the upper afterwards, though nobody wrote any more', async () => {
    const { client, ctx } = await session('echo copied > copied');
    await JOBS.tidy(ctx, { earliestCall: null }, ignore);
    const running = client.bash(`until [ -e '${t.base}/leave' ]; do sleep 0.05; done`);
    await expect.poll(async () => (await liveProcesses(ctx.source)).length).toBeGreaterThan(0);
    const report = await JOBS.commit(ctx, requestFor(await scan(ctx)), ignore);
    expect(report).toMatchObject({ state: 'applied', copies: true });
    expect(existsSync(upperOf(ctx, `${t.project}/copied`))).toBe(true);
    // In a scratch directory, so that the upper stays unchanged.
    writeFileSync(path.join(t.base, 'leave'), '');
    await running;
    await JOBS.tidy(ctx, { earliestCall: null }, ignore);
    expect(existsSync(upperOf(ctx, `${t.project}/copied`))).toBe(false);
  });

  it('a discard of a list that moved on ends nobody', async () => {
    const { ctx } = await session('echo 1 > one; sleep 300 > /dev/null 2>&1 & disown');
    const stale = JOBS.discard(
      ctx,
      { scope: { kind: 'all' }, revision: 'other', endProcesses: true },
      ignore,
    );
    await expect(stale).rejects.toMatchObject({ code: 'stale-revision' });
    expect(await liveProcesses(ctx.source)).not.toEqual([]);
    await discard(ctx, true);
    expect(await liveProcesses(ctx.source)).toEqual([]);
  });
});

describe('after a kill between the two renames of a discard', () => {
  it.each(['tidy', 'recover', 'discard', 'undo'] as const)(
    '%s puts the overlay back before it looks at anything, and calls go on',
    async (job) => {
      const { client, ctx } = await session(`echo ${job} > killed-${job}`);
      const { trash } = await discard(ctx);
      renameSync(`${ctx.sessionDir}/overlay`, `${ctx.sessionDir}/overlay.new`);
      if (job === 'tidy') await JOBS.tidy(ctx, { earliestCall: null }, ignore);
      else if (job === 'recover') await JOBS.recover(ctx, null, ignore);
      else if (job === 'undo') await JOBS.undo(ctx, { trash }, ignore);
      else await discard(ctx).catch(() => discard(ctx));
      expect(existsSync(`${ctx.sessionDir}/overlay.new`)).toBe(false);
      expect(readdirSync(`${ctx.sessionDir}/overlay`)).toContain('places.json');
      expect(await client.bash('echo goes on > /dev/null')).toMatchObject({ rc: 0 });
      if (job !== 'undo' && job !== 'discard') await JOBS.undo(ctx, { trash }, ignore);
      if (job !== 'discard') expect(await pending(ctx)).toEqual([`killed-${job}`]);
    },
  );
});

describe('after a commit that was killed half way', () => {
  it('a discard drops the rest for good, and the log says what the commit had applied', async () => {
    const { ctx } = await session('for i in 1 2 3 4 5 6 7 8; do echo $i > part$i; done');
    const list = await scan(ctx);
    // From the end, where the units are: about half of them are done.
    const faulty = new FaultPort(0);
    let links = 0;
    const port = {
      ...faulty.port,
      link: (from: BytePath, to: BytePath) => {
        if (++links > 4) throw new Error('killed');
        faulty.port.link(from, to);
      },
    };
    await expect(
      withLock(ctx, (session) => commitAll(session, list, requestFor(list), { port })),
    ).rejects.toThrow('killed');
    faulty.dispose();
    const done = readdirSync(t.project).filter((name) => name.startsWith('part'));
    expect(done).toHaveLength(4);
    expect(unfinishedCommit(ctx)).not.toBeNull();
    expect((await discard(ctx)).entries).toBe(4);
    expect(unfinishedCommit(ctx)).toBeNull();
    // As at the start of a server.
    expect(await JOBS.recover(ctx, null, ignore)).toBeNull();
    expect(readdirSync(t.project).filter((name) => /part|\.trai/.test(name))).toEqual(done);
    const log = readFileSync(`${ctx.sessionDir}/calls.jsonl`, 'utf8');
    expect(log).toMatch(/"t":"commit".*"state":"finished-later","entries":4,.*4 entries were given up/);
  });
});
