import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { whyCall } from '../../../core/jobs/calls.ts';
import { concludeWhy } from '../../../shared/model/why.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
let client: TestClient;
beforeAll(async () => {
  t = await testServer();
  client = new TestClient(t, 'g1');
  await client.start();
});
afterAll(async () => {
  await client.clean();
  await t.close();
});

const newest = async () =>
  await whyCall({ id: client.id, dir: path.join(t.state, 'sessions', client.id) }, '1', { HOME: t.home });

it('a reading command: on the host while nothing is pending, in the sandbox when something is', async () => {
  writeFileSync(path.join(t.project, 'f'), 'x\n');
  await client.bash('cat f');
  expect(await newest()).toMatchObject({
    command: 'cat f',
    mode: 'host',
    reason: 'read-only',
    pending: 'no',
    config: '',
    configChanged: false,
    plain: true,
    parts: [
      { program: 'cat', kind: 'reader', why: 'is on the list "readOnly", and this use of it only reads' },
    ],
  });
  await client.bash('npm-like --write > out');
  const sandboxed = await newest();
  expect(sandboxed).toMatchObject({ mode: 'sandbox', reason: 'default', pending: 'unasked' });
  expect(concludeWhy(sandboxed)).toContain('`npm-like` is on no list');
  await client.bash('cat f');
  const after = await newest();
  expect(after).toMatchObject({ mode: 'sandbox', reason: 'default', pending: 'yes' });
  expect(concludeWhy(after)).toContain('It only reads, but something was pending');
});

it('a host program, and a compound that is refused', async () => {
  await client.bash('git --version; git status');
  expect(await newest()).toMatchObject({ mode: 'host', reason: 'passthrough', pending: 'yes' });
  await client.bash('git commit -m x && npm-like');
  const refused = await newest();
  expect(refused).toMatchObject({ mode: 'refuse', reason: 'mixed', pending: null });
  expect(refused.parts.map(({ program, kind }) => `${program} ${kind}`)).toEqual([
    'git passthrough',
    'npm-like sandboxed',
  ]);
});
