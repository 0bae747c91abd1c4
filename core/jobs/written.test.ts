/** The writers of changes as the dashboard gets them, through commits, undos and adoptions; and what became of what they wrote. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallList } from '../../shared/api/types.ts';
import type { CommitReport, UndoPreview } from '../../shared/model/commit.ts';
import type { WhyPath } from '../../shared/model/why.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';
import { sessionContext } from '../sandbox/context.ts';
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

it('what became of what calls wrote: pending, committed, undone, discarded in part and as a whole', async () => {
  const client = await startedClient('fates');
  const fates = async () => {
    const ctx = await sessionContext(t.state, client.id, t.env);
    const [found, { calls }] = [await JOBS.fates(ctx, null), await ask<CallList>(client, 'calls?after=0')];
    return Object.fromEntries(
      calls.flatMap(({ request, command }) => {
        const fate = found[request];
        return fate === undefined ? [] : [[command.split(';')[0], Object.values(fate).join(' ')]];
      }),
    );
  };
  const discard = async (paths: string[] | null) => {
    const { revision } = await listOf(t, client);
    const scope = paths === null ? { kind: 'all' } : { kind: 'paths', paths };
    await ask(client, 'discard', { scope, revision, endProcesses: false });
  };
  await call(client, 'true one; echo 1 > f1; echo 2 > f2');
  expect(await fates()).toEqual({ 'true one': '2 0 0 0' });
  await commitAll(client);
  await call(client, 'true two; echo 3 > f3');
  expect(await fates()).toEqual({ 'true one': '2 2 0 0', 'true two': '1 0 0 0' });
  await undo(client, await commitAll(client));
  expect(await fates()).toEqual({ 'true one': '2 2 0 0', 'true two': '1 1 0 1' });
  await call(client, 'true four; echo 4 > f4; echo 5 > f5');
  await discard([path.join(t.project, 'f4')]);
  expect(await fates()).toMatchObject({ 'true two': '1 1 0 1', 'true four': '2 0 1 0' });
  await discard(null);
  expect(await fates()).toMatchObject({ 'true two': '1 1 1 1', 'true four': '2 0 2 0' });
});
