/** The writers of changes as the dashboard gets them, through commits, undos and adoptions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallList } from '../../shared/api/types.ts';
import type { CommitReport, UndoPreview } from '../../shared/model/commit.ts';
import type { WhyPath } from '../../shared/model/why.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';
import { adoptOverlay } from './adopt.ts';

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

async function ask<T>({ id }: TestClient, route: string, body?: unknown): Promise<T> {
  const answer = await t.api(`/api/sessions/${id}/${route}`, body);
  expect(answer.status, route).toBe(200);
  return JSON.parse(await answer.text());
}

/** Runs a call, and waits for longer than a clock tick, so that neighbours do not overlap. */
async function call(client: TestClient, command: string): Promise<void> {
  expect(await client.bash(command)).toMatchObject({ rc: 0 });
  await sleep(60);
}

/** Commands by the name of what they wrote; `?` when the writer is unknown. */
async function writers(client: TestClient, from = client): Promise<Record<string, string[]>> {
  const { changes } = await listOf(t, client);
  const { calls } = await ask<CallList>(from, 'calls?after=0');
  const commands = new Map(calls.map(({ id, command }) => [id, command]));
  return Object.fromEntries(
    changes.map(({ path: name, by }) => [
      path.relative(t.project, name),
      (by ?? ['?']).map((id) => commands.get(id) ?? id),
    ]),
  );
}

async function commitAll(client: TestClient): Promise<CommitReport> {
  const { revision } = await listOf(t, client);
  const order = { scope: { kind: 'all' }, revision, includeIgnored: false, conflicts: 'refuse', choices: {} };
  return await ask(client, 'commit', { ...order, yes: true, typedCount: null, noUndo: false });
}

async function undo(client: TestClient, { n }: CommitReport): Promise<void> {
  const { revision } = await ask<UndoPreview>(client, 'undo-preview', { n });
  const order = { n, revision, conflicts: 'refuse', yes: true, typedCount: null, endProcesses: false };
  expect(await ask(client, 'undo-commit', order)).toMatchObject({ state: 'applied', failed: [] });
}

const CALLS = ['mkdir new; echo 1 > new/x', 'rm old/a', 'echo 2 > new/y; chmod 600 old/c', 'rm old/b'];
const EXPECTED = {
  'new': [CALLS[0]],
  'new/x': [CALLS[0]],
  'new/y': [CALLS[2]],
  'old/a': [CALLS[1]],
  'old/b': [CALLS[3]],
  'old/c': [CALLS[2]],
};

it('each change names its call, each call its number, also after a commit was taken back', async () => {
  mkdirSync(path.join(t.project, 'old'));
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(t.project, 'old', name), 'x\n');
  const client = await startedClient('w1');
  for (const command of CALLS) await call(client, command);
  expect(await writers(client)).toEqual(EXPECTED);
  const { calls, wrote } = await ask<CallList>(client, 'calls?after=0');
  expect(calls.map(({ id }) => wrote?.[id] ?? 0)).toEqual([2, 1, 2, 1]);
  const { changes } = await listOf(t, client);
  for (const { id, by } of changes) {
    const { writes } = await ask<WhyPath>(client, `why?entry=${id}`);
    expect(writes[0]?.writers.map((writer) => writer.call)).toEqual(by);
  }
  const report = await commitAll(client);
  await sleep(60);
  await call(client, 'echo more > more');
  await undo(client, report);
  expect(await writers(client)).toEqual({ ...EXPECTED, more: ['echo more > more'] });
  await call(client, 'echo 3 >> new/x');
  expect(await writers(client)).toMatchObject({ ...EXPECTED, 'new/x': ['echo 3 >> new/x'] });
  await undo(client, await commitAll(client));
  expect(await writers(client)).toMatchObject({ ...EXPECTED, 'new/x': ['echo 3 >> new/x'] });
});

it('a change that was adopted names the call of the session that made it', async () => {
  const [from, to] = [await startedClient('w2'), await startedClient('w3')];
  await call(from, 'echo theirs > theirs');
  await adoptOverlay({ stateDir: t.state, from: from.id, to: to.id, env: { HOME: t.home } });
  await sleep(60);
  await call(to, 'echo own > own');
  expect((await writers(to, from))['theirs']).toEqual(['echo theirs > theirs']);
  expect((await writers(to))['own']).toEqual(['echo own > own']);
});
