import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  // Below /tmp, so that the project is covered itself.
  t = await testServer({ under: '/tmp' });
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

async function heardOf(client: TestClient, command: string): Promise<{ rc: number; heard: string }> {
  const { rc, stdout, stderr } = await client.shell(command);
  const tool = { tool_name: 'Bash', tool_use_id: client.newRequest(), tool_input: { command } };
  const { text } = await client.send('PostToolBatch', {
    tool_calls: [{ ...tool, tool_response: stdout + stderr }],
  });
  return { rc, heard: text };
}

it('a clone that links from scratch into the overlay is explained, and works the way that is said', async () => {
  const client = new TestClient(t, 'clone');
  await client.start();
  const source = path.join(t.base, 'source');
  mkdirSync(source);
  execFileSync('git', ['init', '-q', source]);
  const as = ['-c', 'user.name=k', '-c', 'user.email=k@x'];
  execFileSync('git', ['-C', source, ...as, 'commit', '-q', '--allow-empty', '-m', 'one']);
  const { rc, heard } = await heardOf(client, `sh -c 'git clone --local ${source} a'`);
  expect(rc).not.toBe(0);
  expect(heard).toContain('--no-hardlinks');
  expect(await heardOf(client, `sh -c 'git clone -q --no-hardlinks ${source} b'`)).toEqual({
    rc: 0,
    heard: '',
  });
});

it('a rename of a host directory is explained', async () => {
  const client = new TestClient(t, 'rename');
  await client.start();
  mkdirSync(path.join(t.project, 'dir'));
  writeFileSync(path.join(t.project, 'dir/file'), '');
  const { heard } = await heardOf(client, `sh -c 'node -e "fs.renameSync(\\"dir\\", \\"other\\")"'`);
  expect(heard).toContain('`mv` and `cp -a` copy instead');
});
