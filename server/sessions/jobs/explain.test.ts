import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionDetail } from '../../../shared/api/types.ts';
import type { WhyPath } from '../../../shared/model/why.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
let client: TestClient;
beforeAll(async () => {
  t = await testServer();
  client = new TestClient(t, 'e1');
  await client.start();
});
afterAll(async () => {
  await client.clean();
  await t.close();
});

async function ask<T>(what: string, body?: unknown): Promise<{ status: number; answer: T }> {
  const response = await t.api(`/api/sessions/${client.id}${what}`, body);
  const answer: T = JSON.parse(await response.text());
  return { status: response.status, answer };
}

describe('why', () => {
  it('of a path that is no entry: why not, also where only its time differs', async () => {
    const file = path.join(t.project, 'stamp');
    writeFileSync(file, 's');
    utimesSync(file, 1e9, 1e9);
    await client.bash('touch -d @1500000000 stamp; echo p > pending');
    const of = async (name: string) =>
      (await ask<WhyPath>(`/why-not?path=${encodeURIComponent(path.join(t.project, name))}`)).answer;
    expect(await of('stamp')).toMatchObject({ change: null, notPending: 'time' });
    expect(await of('none')).toMatchObject({ change: null, notPending: 'absent' });
    const entry = await of('pending');
    expect(entry).toMatchObject({ notPending: null, change: { kind: 'added' } });
    expect(entry.change).not.toHaveProperty('upperIdentity');
    expect((await ask('/why-not?path=stamp')).status).toBe(400);
  });

  it('of an entry: its change, its writers and what the host had; nothing that only a commit needs', async () => {
    writeFileSync(path.join(t.project, 'kept'), 'old\n');
    await client.bash('echo new > kept; mkdir dir; echo x > dir/x');
    const list = await listOf(t, client);
    const entry = (name: string) =>
      list.changes.find((change) => change.path === path.join(t.project, name))?.id;
    const { status, answer } = await ask<WhyPath>(`/why?entry=${entry('kept')}`);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      change: { kind: 'modified' },
      host: { size: 4 },
      upper: { size: 4 },
      below: 0,
    });
    expect(answer.writes[0]?.writers.map((writer) => writer.command)).toEqual([
      'echo new > kept; mkdir dir; echo x > dir/x',
    ]);
    expect(JSON.stringify(answer)).not.toContain('Identity');
    expect((await ask<WhyPath>(`/why?entry=${entry('dir')}`)).answer.below).toBe(1);
  });

  it.each([
    ['/why?entry=0123456789abcdef', 404],
    ['/why?entry=../../etc/passwd', 400],
    ['/why', 400],
    ['/why?entry=0123456789abcdef&more=1', 400],
    ['/why-call?call=nothing', 404],
    ['/why-call', 400],
  ])('of `%s` is refused with %i', async (what, status) => {
    expect((await ask(what)).status).toBe(status);
  });

  it('of a call: by its id', async () => {
    const [call] = await client.log();
    expect((await ask(`/why-call?call=${call?.['id']}`)).answer).toMatchObject({
      mode: 'sandbox',
      pending: 'unasked',
    });
  });
});

describe('the order to end processes', () => {
  it('ends those that were seen, and no other that has such a pid by now', async () => {
    await client.bash('touch y; (sleep 301 < /dev/null > /dev/null 2>&1 &)');
    const running = async () => (await ask<SessionDetail>('')).answer.processes;
    await expect
      .poll(async () => (await running()).map(({ command }) => command), { timeout: 30_000 })
      .toEqual(['sleep 301']);
    const [one] = await running();
    if (one === undefined) throw new Error('it runs');
    const { pid, start } = one;
    const other = {
      processes: [
        { pid, start: `${Number(start) - 1}` },
        { pid: process.pid, start: '1' },
      ],
    };
    expect((await ask('/end-processes', other)).answer).toEqual({ ended: [] });
    expect(await running()).toHaveLength(1);
    expect((await ask('/end-processes', { processes: [{ pid, start }] })).answer).toEqual({ ended: [pid] });
    expect(await running()).toEqual([]);
  });

  it.each([
    [{}],
    [{ processes: [] }],
    [{ processes: [{ pid: 12 }] }],
    [{ processes: [{ pid: -1, start: '1' }] }],
    [{ processes: 'all' }],
    [{ processes: [{ pid: 12, start: '1', signal: 9 }] }],
  ])('is refused as %j', async (body) => {
    expect((await ask('/end-processes', body)).status).toBe(400);
  });
});
