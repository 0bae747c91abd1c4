import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLog } from '../../../core/session/log/read.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';
import { answerHook } from '../events/dispatch.ts';
import { readHookHeaders, SILENT } from '../world/answer.ts';
import { HookWorld, type Resident } from '../world/world.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

const files = async (id: string) =>
  (await readLog(path.join(t.state, 'sessions', id))).events.filter((event) => event.t === 'file');

it.each([
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['Write', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
])('%s goes on record with its path', async (tool_name, field) => {
  const client = new TestClient(t, `wrote-${tool_name}`);
  await client.start();
  const call = { tool_name, tool_use_id: 'toolu_1', agent_id: 'a1', tool_input: { [field]: '~/x ü' } };
  expect(await client.send('PostToolUse', call)).toMatchObject({ exit: '0', text: '' });
  await client.send('PostToolUseFailure', { ...call, tool_use_id: 'toolu_2', error: 'no' });
  const home = process.env['HOME'];
  expect(await files(client.id)).toMatchObject([
    { request: 'toolu_1', agent: 'a1', tool: tool_name, path: `${home}/x ü`, outcome: 'written' },
    { request: 'toolu_2', outcome: 'failed' },
  ]);
});

it('the world is told which host file it was, with links followed', async () => {
  await new TestClient(t, 'told').start();
  const told: (readonly string[])[] = [];
  const server: Partial<Resident> = {
    hostChanged: async (_, paths) => void told.push(paths),
    questions: {
      ask: async () => SILENT,
      saw: () => undefined,
      judged: () => undefined,
      began: () => undefined,
    },
  };
  const parts = { stateDir: t.state, env: { HOME: t.home }, programs: [], server: server as Resident };
  const world = new HookWorld(parts);
  mkdirSync(path.join(t.project, 'real'));
  writeFileSync(path.join(t.project, 'real/é'), '');
  symlinkSync('real', path.join(t.project, 'link'));
  const body = {
    session_id: 'told',
    cwd: t.project,
    tool_name: 'Write',
    tool_input: { file_path: 'link/é' },
  };
  const report = (thrown: unknown) => expect.fail(String(thrown));
  const headers = readHookHeaders(
    () => undefined,
    () => ({ kind: 'client', found: 'the test' }),
  );
  for (const event of ['PostToolUse', 'PostToolUseFailure'] as const)
    await answerHook(world, event, Buffer.from(JSON.stringify(body)), headers, report);
  expect(told).toEqual([[`${Buffer.from(path.join(t.project, 'real/é')).toString('latin1')}`]]);
});
