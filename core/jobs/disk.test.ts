/** Sizes, the low-space warning and garbage collection, as the dashboard asks for them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DiskUse, GcPreview, GcReport } from '../../shared/api/types.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';

const MB = 1024 ** 2;
let t: TestServer;
const used: TestClient[] = [];
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  for (const client of used) await client.clean();
  await t.close();
});

async function startedClient(id: string): Promise<TestClient> {
  const client = new TestClient(t, id);
  used.push(client);
  await client.start();
  return client;
}

async function ask<T>(route: string, body?: unknown): Promise<T> {
  const answer = await t.api(`/api/${route}`, body);
  expect(answer.status, route).toBe(200);
  return JSON.parse(await answer.text());
}

async function discard(client: TestClient): Promise<void> {
  const { revision } = await listOf(t, client);
  await ask(`sessions/${client.id}/discard`, { scope: { kind: 'all' }, revision, endProcesses: false });
}

function config(text: object): void {
  const dir = path.join(t.home, '.config/trai');
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'config.json'), JSON.stringify(text));
}

it('each session is shown with what it takes, and what is there now is counted', async () => {
  const client = await startedClient('d1');
  const sizes = async () =>
    (await ask<DiskUse>('disk')).sessions.find(({ session }) => session === client.id);
  await client.bash('head -c 3145728 /dev/urandom > big');
  expect((await sizes())?.upper).toBeGreaterThan(3 * MB - 1);
  expect((await sizes())?.trash).toBe(0);
  await discard(client);
  const after = await sizes();
  expect(after?.upper).toBeLessThan(MB);
  expect(after?.trash).toBeGreaterThan(3 * MB - 1);
  const { total, free, size, low, sessions } = await ask<DiskUse>('disk');
  expect(total).toBe(sessions.reduce((sum, one) => sum + one.total, 0));
  expect(size).toBeGreaterThan(free);
  expect(low).toBe(false);
});

it('says when little is left, by the limit of the config: to tabs, in status, and once at a prompt', async () => {
  const client = await startedClient('d3');
  const prompt = async () => (await client.send('UserPromptSubmit', { prompt: 'go on' })).text;
  const status = async () => {
    const fields = { command_name: 'trai:status', command_args: '', expansion_type: 'slash_command' };
    return (await client.send('UserPromptExpansion', fields)).text;
  };
  expect([await prompt(), await status()].join()).not.toContain('are free');
  config({ disk: { warnFreeBytes: Number.MAX_SAFE_INTEGER } });
  expect(await ask<DiskUse>('disk')).toMatchObject({ low: true, warnFreeBytes: Number.MAX_SAFE_INTEGER });
  expect(JSON.parse(await prompt()).systemMessage).toMatch(/^trai: Only .* are free where trai keeps/);
  expect(await prompt()).toBe('');
  expect(await status()).toContain('trai gc');
  config({ disk: { warnFreeBytes: 0 } });
  expect(await ask<DiskUse>('disk')).toMatchObject({ low: false });
  expect(await status()).not.toContain('are free');
});

it('removes exactly what was shown and ordered, and says what stays', async () => {
  config({ undo: { keepBytes: 0 } });
  const client = await startedClient('d2');
  for (const name of ['one', 'two', 'three']) {
    await client.bash(`echo ${name} > ${name}`);
    await discard(client);
  }
  const mine = async () =>
    (await ask<GcPreview>('gc')).found.filter(({ session }) => session === client.id).map(({ name }) => name);
  const found = await mine();
  // The newest stays, whatever its size.
  expect(found).toHaveLength(2);
  const [first = ''] = found;
  const items = [first, `${client.id}.20200101T000000000Z`].map((name) => ({
    kind: 'discard' as const,
    session: client.id,
    name,
  }));
  const report = await ask<GcReport>('gc', { items });
  expect(report.removed.map(({ name }) => name)).toEqual([first]);
  expect(report.kept.map(({ name }) => name)).toEqual([items[1]?.name]);
  expect(report.freed).toBeGreaterThan(0);
  expect(await mine()).toEqual(found.slice(1));
  expect((await t.api('/api/gc', { items: [] })).status).toBe(400);
  expect((await t.api('/api/gc', {})).status).toBe(400);
});
