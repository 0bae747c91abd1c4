import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';
import { HookWorld } from '../world/world.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'untidy').clean();
  await t.close();
});

it('without a server, work after a call that fails is told and does not keep the next call from running', async () => {
  const client = new TestClient(t, 'untidy');
  await client.start();
  expect(await client.bash('echo 1 > one')).toMatchObject({ rc: 0 });
  const dir = `${t.state}/sessions/untidy`;
  mkdirSync(`${dir}/commits/1`, { recursive: true });
  writeFileSync(`${dir}/commits/1/journal.jsonl`, '{"t":"end","report":null}\n');
  const world = new HookWorld({ stateDir: t.state, env: { HOME: t.home }, programs: [] });
  await (await world.session('untidy'))?.settled();
  expect(readFileSync(`${dir}/calls.jsonl`, 'utf8')).toMatch(/"code":"untidy".*journal of commit 1/);
  expect(await client.bash('cat one')).toMatchObject({ rc: 0, stdout: '1\n' });
});
