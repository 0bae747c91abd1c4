import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endThese } from '../../../core/attribution/processes.ts';
import { mountSource } from '../../../core/sandbox/context.ts';
import { liveProcesses } from '../../../core/sandbox/live.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import { foldLog } from '../../../shared/log/fold.ts';
import type { SessionProcess } from '../../../shared/model/process.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';
import { LeftProcesses } from './left-processes.ts';

let t: TestServer;
const used: TestClient[] = [];
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  for (const client of used) await client.clean();
  await t.close();
});

async function started(): Promise<TestClient> {
  const client = new TestClient(t, `b${used.length + 1}`);
  used.push(client);
  await client.start();
  return client;
}

const eventsOf = (client: TestClient): Record<string, unknown>[] =>
  readFileSync(path.join(t.state, `sessions/${client.id}/calls.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const ofType = (client: TestClient, type: string) => eventsOf(client).filter((event) => event['t'] === type);
/** For a busy machine. */
const SOON = { timeout: 30_000 };
/** Not a program that only reads: those run on the host while nothing is pending. Goes on when the process has its name. */
const leaving = (command: string) =>
  `touch x; ${command} < /dev/null > /dev/null 2>&1 & until grep -q ^sleep /proc/$!/cmdline; do sleep 0.01; done`;

async function end(client: TestClient, pattern: RegExp): Promise<void> {
  const source = mountSource(t.state, client.id);
  const found = (await liveProcesses(source)).filter(({ command }) => pattern.test(command));
  expect(found).not.toEqual([]);
  await endThese(source, found);
}

describe('the log', () => {
  it('names each process with the call that left it, when it has ended, and when nothing runs any more', async () => {
    const client = await started();
    await client.bash(leaving('sleep 301'));
    await client.bash(`${leaving('setsid sleep 302')}; true`);
    await expect.poll(() => ofType(client, 'call.left').length, SOON).toBe(2);
    const calls = ofType(client, 'call.ended').map((event) => event['call']);
    const lefts = ofType(client, 'call.left');
    expect(lefts.map((event) => event['call'])).toEqual(calls);
    await end(client, /^sleep 301/);
    await expect.poll(() => ofType(client, 'processes').length, SOON).toBe(1);
    expect(ofType(client, 'processes')).toMatchObject([
      { state: 'ended', pids: lefts[0]?.['pids'], commands: ['sleep 301'], quiet: false },
    ]);
    const [first, second] = await client.log();
    expect([first?.['gone'], second?.['gone']]).toEqual([lefts[0]?.['pids'], []]);
    await end(client, /^sleep 302/);
    await expect.poll(() => ofType(client, 'processes').length, SOON).toBe(2);
    expect(ofType(client, 'processes').at(-1)).toMatchObject({ commands: ['sleep 302'], quiet: true });
  });

  it('does not count the processes of a call that still runs as left over', async () => {
    const client = await started();
    const gate = path.join(t.base, 'go');
    const running = client.shell(`touch y; until [ -e '${gate}' ]; do sleep 0.05; done`);
    await expect.poll(() => ofType(client, 'call.started').length, SOON).toBe(1);
    await client.bash(leaving('sleep 301'));
    await expect.poll(() => ofType(client, 'call.left').length, SOON).toBe(1);
    expect(ofType(client, 'call.left')[0]?.['pids']).toHaveLength(1);
    await end(client, /^sleep 301/);
    await expect.poll(() => ofType(client, 'processes').length, SOON).toBe(1);
    expect(ofType(client, 'processes')[0]).toMatchObject({ quiet: false });
    writeFileSync(gate, '');
    await running;
  });
});

describe('/trai:ps', () => {
  it('is answered without a turn of the model; with --end the user’s permit is left for bin/trai', async () => {
    const client = await started();
    const typed = async (command_args: string) =>
      await client.send('UserPromptExpansion', {
        command_name: 'trai:ps',
        expansion_type: 'slash_command',
        command_args,
      });
    await client.bash(leaving('sleep 301'));
    await expect.poll(() => ofType(client, 'call.left').length, SOON).toBe(1);
    const answer: { reason: string } = JSON.parse((await typed('')).text);
    expect(answer.reason).toContain('1 process of session');
    expect(answer.reason).toMatch(/\d+ .*sleep 301/);
    const log: { reason: string } = JSON.parse(
      (
        await client.send('UserPromptExpansion', {
          command_name: 'trai:log',
          expansion_type: 'slash_command',
          command_args: '',
        })
      ).text,
    );
    expect(log.reason).toContain('1 process of it still running: trai ps');
    expect((await typed('--end 12')).text.trim()).toBe('');
    expect(ofType(client, 'grant')).toMatchObject([{ kind: 'permit', what: 'ps --end 12', state: 'open' }]);
    await end(client, /^sleep 301/);
  });
});

describe('after a restart of the server', () => {
  const at = new Date().toISOString();
  const process = (pid: number, start: string): SessionProcess => ({
    pid,
    start,
    command: `p${pid}`,
    seconds: 1,
    call: 'a',
    ports: [],
  });
  const history: LogEvent[] = [
    { v: 1, at, t: 'call.started', call: 'a', pid: 1, mode: 'sandbox', overlay: 'mounted' },
    { v: 1, at, t: 'call.ended', call: 'a', rc: 0, ms: 1 },
    { v: 1, at, t: 'call.left', call: 'a', pids: [11, 12] },
  ];

  it('those that only the log names are looked for, and are said to have ended when they have', async () => {
    const left = new LeftProcesses();
    for (const event of history) left.take(event);
    const { running } = foldLog(history);
    const events = await left.ended(async () => [process(12, '7')], running);
    expect(events).toEqual([{ t: 'processes', state: 'ended', pids: [11], commands: [''], quiet: false }]);
    expect(await left.ended(async () => [], running)).toEqual([
      { t: 'processes', state: 'ended', pids: [12], commands: ['p12'], quiet: true },
    ]);
    const none = () => Promise.reject(new Error('nothing is left to look for'));
    expect(await left.ended(none, running)).toEqual([]);
  });
});
