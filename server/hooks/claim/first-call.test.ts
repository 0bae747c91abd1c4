import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processStat } from '../../../core/kernel/proc/proc.ts';
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

async function started(id: string): Promise<TestClient> {
  const client = new TestClient(t, id);
  const start = processStat(process.pid)?.start ?? '';
  const who = { 'x-trai-claude-pid': String(process.pid), 'x-trai-claude-start': start };
  await client.send('SessionStart', { source: 'startup' }, { 'x-trai-session': id, ...who });
  return client;
}

const planDir = ({ id }: TestClient): string => path.join(t.state, 'sessions', id, 'plan');
const plans = (client: TestClient): string[] =>
  existsSync(planDir(client))
    ? readdirSync(planDir(client)).filter((name) => /^[0-9a-f]{16}$/.test(name))
    : [];
const current = (client: TestClient): string => readlinkSync(path.join(planDir(client), 'current'));
const expectPlanned = async (client: TestClient): Promise<void> => {
  await expect.poll(() => existsSync(path.join(planDir(client), 'current'))).toBe(true);
};

it('a prompt has the plan made that the first call then gets', async () => {
  const client = await started('planned');
  expect(plans(client)).toEqual([]);
  await client.send('UserPromptSubmit', { prompt: 'do it' });
  await expectPlanned(client);
  const [made] = plans(client);
  expect(await client.bash('echo x > new; cat new')).toMatchObject({ rc: 0, stdout: 'x\n' });
  expect(plans(client)).toEqual([made]);
  expect(existsSync(path.join(t.project, 'new'))).toBe(false);
});

it('a first call with another environment than the client had gets a plan of its own', async () => {
  const client = await started('other');
  await client.send('UserPromptSubmit', { prompt: 'do it' });
  await expectPlanned(client);
  const before = current(client);
  const agent = path.join(t.project, 'agent');
  const server = createServer((connection) => connection.end('the host answers'));
  await new Promise<void>((done) => server.listen(agent, done));
  const ask = `require('net').connect(process.env.SSH_AUTH_SOCK).on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))`;
  const ran = await client.shell(`'${process.execPath}' -e "${ask}"`, { SSH_AUTH_SOCK: agent });
  server.close();
  expect(ran).toMatchObject({ rc: 0, stdout: 'the host answers\n' });
  expect(current(client)).not.toBe(before);
});

it('no plan is made for a client that is not known, or in a session that is off', async () => {
  const unknown = new TestClient(t, 'unknown');
  await unknown.start();
  const off = await started('off');
  writeFileSync(path.join(t.state, 'sessions/off/off'), 'by the test\n');
  const known = await started('known');
  for (const client of [unknown, off, known]) await client.send('UserPromptSubmit', { prompt: 'do it' });
  await expectPlanned(known);
  expect([unknown, off].flatMap(plans)).toEqual([]);
  expect(await unknown.bash('echo x > made; cat made')).toMatchObject({ rc: 0, stdout: 'x\n' });
});
