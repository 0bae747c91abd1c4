import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BytePath, bytePath } from '../../shared/bytes.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { refreshMounts } from '../sandbox/inside.ts';
import { isQuiet, liveProcesses } from '../sandbox/live.ts';
import { readFold } from '../session/log/read.ts';
import { endThese, sessionProcesses } from './processes.ts';

let session: TestSession;
beforeEach(async () => {
  session = await testSession();
});
afterEach(async () => {
  await session.close();
});

async function list(): Promise<SessionProcess[]> {
  const calls = async () => (await readFold(session.sessionDir)).spans();
  return await sessionProcesses(session.ctx.source, calls);
}
async function running(pattern: RegExp): Promise<SessionProcess[]> {
  await expect
    .poll(async () => (await list()).filter(({ command }) => pattern.test(command)).length, {
      timeout: 30_000,
    })
    .toBeGreaterThan(0);
  return (await list()).filter(({ command }) => pattern.test(command));
}
const upper = (name: string): string => {
  const covered = session.ctx.coveredDirs.find((one) => one.path === session.project);
  return join(covered?.upper ?? '', name);
};
const has = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

/** Returns at once and leaves `command` running as an orphan. */
const left = (command: string) => `(${command} < /dev/null > /dev/null 2>&1 &)`;

describe('a process that outlived its call is named with that call', () => {
  it.each([
    ['in the background of its shell', 'sleep 301'],
    ['with its environment cleared', 'env -i sleep 301'],
    ['in a kernel session of its own', 'setsid sleep 301'],
    ['in a user namespace of its own', 'unshare --user --map-root-user sleep 301'],
    ['in a mount namespace below', 'unshare --user --map-root-user --mount sleep 301'],
    ['in a pid namespace of its own', 'unshare --user --map-root-user --pid --fork sleep 301'],
  ])('%s', async (_what, command) => {
    await session.call('true');
    await session.call(left(command));
    await session.call('true');
    const found = await running(/^sleep 301$/);
    expect(found.map(({ call }) => call)).toEqual(['c2']);
    expect(found[0]?.seconds).toBeLessThan(3_600);
  });

  it('below bubblewrap', async (ctx) => {
    if (!has('bwrap')) ctx.skip('bwrap is not installed');
    await session.call(left('bwrap --dev-bind / / --unshare-pid sleep 301'));
    expect((await running(/^sleep 301$/)).map(({ call }) => call)).toEqual(['c1']);
  });

  it('although it does not let itself be looked at (ssh-agent)', async (ctx) => {
    if (!has('ssh-agent')) ctx.skip('ssh-agent is not installed');
    await session.call(`cd /tmp && ssh-agent -a ${session.base}/agent > /dev/null`);
    const [agent] = await running(/^ssh-agent/);
    expect(agent).toBeDefined();
    expect(await isQuiet(session.ctx)).toBe(false);
    expect(await endThese(session.ctx.source, agent === undefined ? [] : [agent])).toEqual([agent?.pid]);
    expect(await isQuiet(session.ctx)).toBe(true);
  });

  it('of two that run at the same time, each with its own', async () => {
    await session.call(left('sleep 301'));
    await session.call(`${left('sleep 302')}; ${left('setsid sleep 303')}`);
    for (const command of [/^sleep 301$/, /^sleep 302$/, /^sleep 303$/]) await running(command);
    expect((await list()).map(({ command, call }) => `${call} ${command}`).sort()).toEqual([
      'c1 sleep 301',
      'c2 sleep 302',
      'c2 sleep 303',
    ]);
  });

  it('and not known is said where nothing is left to know it by', async () => {
    await session.call(`(env -i setsid sh -c 'sleep 301 & echo up > up' < /dev/null > /dev/null 2>&1 &)`);
    await expect.poll(() => existsSync(upper('up')), { timeout: 30_000 }).toBe(true);
    await expect
      .poll(async () => (await list()).map(({ command, call }) => [command, call]), { timeout: 30_000 })
      .toEqual([['sleep 301', null]]);
  });
});

it('a server is listed with its port', async () => {
  const code = `require('net').createServer().listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })`;
  await session.call(left(`${process.execPath} -e "${code}"`));
  await expect
    .poll(() => existsSync(upper('port')) && readFileSync(upper('port'), 'utf8'), { timeout: 30_000 })
    .toMatch(/\d/);
  const port = Number(readFileSync(upper('port'), 'utf8'));
  expect((await list()).map(({ ports }) => ports)).toEqual([[port]]);
});

it('a command line that would drive a terminal is shown and does not', async () => {
  await session.call(`${left(`bash -c $'exec -a "\\e]0;owned\\a\\u202e" sleep 301'`)}`);
  const [found] = await running(/301/);
  expect(found?.command).toBe('\\x1b]0;owned\\x07\\u{202e} 301');
});

describe('ending', () => {
  it('ends the named process and no other, also one that does not obey TERM', async () => {
    await session.call(`${left('sleep 301')}; ${left("bash -c 'trap : TERM; while :; do sleep 0.1; done'")}`);
    const [stubborn] = await running(/^bash -c trap/);
    const [other] = await running(/^sleep 301/);
    if (stubborn === undefined || other === undefined) throw new Error('both run');
    expect(await endThese(session.ctx.source, [stubborn])).toEqual([stubborn.pid]);
    const pids = (await list()).map(({ pid }) => pid);
    expect(pids).not.toContain(stubborn.pid);
    expect(pids).toContain(other.pid);
  });

  it('leaves alone a pid that is another process’s by now, and a process that is not of the session', async () => {
    await session.call(left('sleep 301'));
    const [one] = await running(/^sleep 301/);
    if (one === undefined) throw new Error('it runs');
    const outside = { pid: process.pid, start: '1' };
    expect(
      await endThese(session.ctx.source, [{ ...one, start: `${Number(one.start) - 1}` }, outside]),
    ).toEqual([]);
    expect((await list()).map(({ pid }) => pid)).toEqual([one.pid]);
  });
});

it('what trai itself runs there for a moment, to refresh the overlays, is none of the session’s processes', async () => {
  await session.call(left('sleep 301'));
  const [sleeper] = await running(/^sleep 301$/);
  const points = Array<BytePath>(400).fill(bytePath(Buffer.from(session.project).toString('latin1')));
  let [over, seen] = [false, 0];
  const refresh = refreshMounts(session.ctx, sleeper?.pid ?? 0, points).finally(() => {
    over = true;
  });
  while (!over) {
    seen = Math.max(seen, (await liveProcesses(session.ctx.source)).length);
    expect((await list()).map(({ command }) => command)).toEqual(['sleep 301']);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await refresh).toBeNull();
  expect(seen).toBeGreaterThan(1);
});
