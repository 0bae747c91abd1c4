/** Post events between the launcher's claim and its first log line. */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

let count = 0;
/** A claimed request, with its call id. */
async function asked(fields: object): Promise<{ client: TestClient; request: string; call: string }> {
  const client = new TestClient(t, `early-${++count}`);
  await client.start();
  const request = client.newRequest();
  await client.pre(request, 'make', fields);
  const string = `: # trai:${client.id}\n: && eval make < /dev/null && pwd -P >| /dev/null`;
  const answer = await fetch(`${t.origin}/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${t.server.hook}` },
    body: [client.id, String(process.pid), t.project, 'claude', string, ''].join('\0'),
  });
  const [, call = ''] = /^sandbox (\S+)/m.exec(await answer.text()) ?? [];
  expect(call).not.toBe('');
  return { client, request, call };
}

function outcome(client: TestClient): unknown {
  const text = readFileSync(path.join(t.state, 'sessions', client.id, 'calls.jsonl'), 'utf8');
  const line = text.split('\n').findLast((one) => one.includes('"t":"call.outcome"'));
  return line === undefined ? null : JSON.parse(line);
}

describe('a Post event between the question of a launcher and its first line', () => {
  it('of a background call waits for that line', async () => {
    const background = { run_in_background: true };
    const { client, request, call } = await asked(background);
    await client.post(request, 'make', { rc: 0, stdout: '', stderr: '' }, background);
    const line = {
      v: 1,
      t: 'call.started',
      at: new Date().toISOString(),
      call,
      pid: process.pid,
      mode: 'sandbox',
    };
    appendFileSync(path.join(t.state, 'sessions', client.id, 'calls.jsonl'), `${JSON.stringify(line)}\n`);
    await expect.poll(() => outcome(client)).toMatchObject({ ok: true, unsandboxed: false });
  });

  it('of a call that the user stopped there is no call outside the sandbox', async () => {
    const { client, request } = await asked({});
    const call = { tool_name: 'Bash', tool_use_id: request, tool_input: { command: 'make' }, duration_ms: 1 };
    await client.send('PostToolUseFailure', { ...call, error: '', is_interrupt: true });
    expect(outcome(client)).toMatchObject({ interrupted: true, unsandboxed: false });
    expect((await client.log())[0]).toMatchObject({ state: 'not-run' });
    expect(await client.pre(client.newRequest(), 'make')).toMatchObject({ exit: '0' });
  });

  it('of any other call is one: it ran, and the launcher knows nothing of it', async () => {
    const { client, request } = await asked({});
    await client.post(request, 'make', { rc: 0, stdout: 'built', stderr: '' });
    expect((await client.log())[0]).toMatchObject({ state: 'unsandboxed' });
  });
});
