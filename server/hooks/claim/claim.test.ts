import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processStat } from '../../../core/kernel/proc/proc.ts';
import { copyPlugin } from '../../../testing/built.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';
import { RequestFiles } from '../world/requests.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
  await copyPlugin(path.join(t.base, 'plugin'));
}, 120_000);
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

const COMMAND = 'make all';
const TWINS = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];

/** Equal open requests, as concurrent hooks write them that do not see each other's. */
async function sessionWithTwins(id: string): Promise<RequestFiles> {
  await new TestClient(t, id).start();
  const requests = new RequestFiles(`${t.state}/sessions/${id}`);
  const open = {
    claude: id,
    tool: 'Bash',
    command: COMMAND,
    cwd: t.project,
    call: '',
    mode: '',
    asked: false,
    sandboxed: false,
  };
  for (const request of TWINS) requests.open.save({ ...open, request, at: new Date().toISOString() });
  return requests;
}

async function nodePath(args: readonly string[], input: string, env: object = {}): Promise<string> {
  const child = spawn(process.execPath, [path.join(t.base, 'plugin/lib/fallback.mjs'), ...args], {
    env: { HOME: t.home, PATH: process.env['PATH'], TRAI_STATE_HOME: t.state, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin.end(input);
  await once(child, 'close');
  return said;
}

async function claims(id: string, count: number): Promise<string[]> {
  const string = `: # trai:${id}\n: && eval '${COMMAND}' < /dev/null && pwd -P >| /tmp/x`;
  const fields = [id, String(process.pid), t.project, 'claude', string, ''].join('\0');
  const one = async (): Promise<string> => {
    const said = await nodePath(['claim'], fields);
    const [, call] = /^node\nsandbox (\S+) \//.exec(said) ?? [];
    if (call === undefined) throw new Error(`expected the sandbox, got ${said}`);
    return call;
  };
  return await Promise.all(Array.from({ length: count }, one));
}

it('equal commands that are asked for at the same time each get a spelling of their own', async () => {
  await new TestClient(t, 'asked').start();
  const call = { session_id: 'asked', cwd: t.project, tool_name: 'Bash', tool_input: { command: COMMAND } };
  await Promise.all(
    TWINS.map((request) =>
      nodePath(['hook', 'PreToolUse'], JSON.stringify({ ...call, tool_use_id: request }), {
        TRAI_SESSION: 'asked',
        TRAI_ENV: 'ok',
      }),
    ),
  );
  const spellings = new RequestFiles(`${t.state}/sessions/asked`).list().map((open) => open.command);
  expect(spellings.map((one) => one.trim())).toEqual(TWINS.map(() => COMMAND));
  expect(new Set(spellings).size).toBe(TWINS.length);
});

describe('equal commands that are claimed at the same time', () => {
  it('are each claimed once', async () => {
    const requests = await sessionWithTwins('twins');
    const calls = await claims('twins', TWINS.length);
    expect(
      requests
        .list()
        .map((open) => open.call)
        .sort(),
    ).toEqual(calls.sort());
  });

  it('leave one without a request when there are more of them than requests', async () => {
    const requests = await sessionWithTwins('more');
    const calls = await claims('more', TWINS.length + 1);
    const taken = new Set(requests.list().map((open) => open.call));
    expect(taken.size).toBe(TWINS.length);
    expect(calls.filter((call) => !taken.has(call))).toHaveLength(1);
  });
});

it('a request is taken by one call, until it is closed', async () => {
  const requests = await sessionWithTwins('one');
  const [open] = requests.list();
  if (open === undefined) throw new Error('expected six requests');
  expect(requests.take({ ...open, call: 'first' })).toBe(true);
  expect(requests.take({ ...open, call: 'second' })).toBe(false);
  expect(requests.open.find(open.request)?.call).toBe('first');
  requests.close(open.request);
  requests.open.save(open);
  expect(requests.take({ ...open, call: 'third' })).toBe(true);
});

it('a claim is told to join where a process of an earlier call stays, with a server and without one', async () => {
  const client = new TestClient(t, 'stays');
  await client.start();
  const string = `: # trai:stays\n: && eval '${COMMAND}' < /dev/null && pwd -P >| /tmp/x`;
  const fields = ['stays', String(process.pid), t.project, 'claude', string, ''].join('\0');
  const asked = async (): Promise<string> => {
    const headers = {
      'authorization': `Bearer ${t.server.hook}`,
      'content-type': 'application/octet-stream',
    };
    return await (await fetch(`${t.origin}/claim`, { method: 'POST', headers, body: fields })).text();
  };
  const words = async () =>
    [await asked(), await nodePath(['claim'], fields)].map((said) => said.split(/[\n ]/)[1]);
  await client.bash('true');
  expect(await words()).toEqual(['sandbox', 'sandbox']);
  await client.bash('echo x >x; (sleep 300 </dev/null >/dev/null 2>&1 &)');
  expect(await words()).toEqual(['join', 'join']);
  await client.clean();
  await expect.poll(words).toEqual(['sandbox', 'sandbox']);
});

it('a conversation of a session in which another client itself runs calls nothing: it would join that one', async () => {
  const client = new TestClient(t, 'taken');
  await client.start();
  const record = path.join(t.state, 'sessions/taken/client.json');
  const { start } = processStat(process.pid) ?? { start: '' };
  writeFileSync(record, JSON.stringify({ v: 1, pid: process.pid, start, state: null }));
  const ran = await client.bash('echo x > made');
  expect(ran).toMatchObject({ rc: 125, stderr: expect.stringContaining('go on there, or end it first') });
  rmSync(record);
  expect(await client.bash('cat made 2>&1')).toMatchObject({ rc: 1 });
});

it('a claim that is made again gets the plan alone: nothing is decided, logged or taken', async () => {
  const requests = await sessionWithTwins('again');
  const log = `${t.state}/sessions/again/calls.jsonl`;
  const before = readFileSync(log, 'utf8');
  const string = `: # trai:again\n: && eval '${COMMAND}' < /dev/null && pwd -P >| /tmp/x`;
  for (const origin of ['again:claude', 'again:exec', 'again:client']) {
    const fields = ['again', String(process.pid), t.project, origin, string, ''].join('\0');
    expect(await nodePath(['claim'], fields)).toMatch(
      /^node\nsandbox \S+ \/.*\/sessions\/again\/plan\/[0-9a-f]{16}\n$/,
    );
  }
  expect(requests.list().filter((open) => open.call !== '')).toEqual([]);
  expect(readFileSync(log, 'utf8')).toBe(before);
});
