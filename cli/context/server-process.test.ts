import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../testing/root.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { TERMINAL } from './output.ts';
import { hello, needServer, post } from './server-process.ts';
import { type Cli, makeCli } from './world.ts';

let t: TestServer;
beforeEach(async () => {
  t = await testServer();
});
afterEach(async () => await t.close());

/** `ready` becomes server.json. */
function plugin(script: string): Cli {
  renameSync(path.join(t.state, 'server.json'), path.join(t.state, 'ready'));
  const root = path.join(t.base, 'plugin');
  mkdirSync(path.join(root, 'hooks'), { recursive: true });
  writeFileSync(path.join(root, 'hooks/start-server.sh'), `cd ${t.state} || exit\n${script}\n`);
  return {
    ...makeCli({ json: false, session: null, fromPrompt: false, startFd: null }, TERMINAL),
    root,
    state: t.state,
    env: { HOME: t.home },
  };
}

const NOTE = '2026-03-02T10:15:00.000Z Error: a session that nobody can read';

it('one that runs is asked once: the question shows that it is there', async () => {
  const cli = plugin('exit 1');
  renameSync(path.join(t.state, 'ready'), path.join(t.state, 'server.json'));
  const asked: (string | undefined)[] = [];
  t.server.http.on('request', ({ url }) => asked.push(url));
  const code = await needServer(cli, async (server) => await post(server, 'ui-code', '{}'));
  expect(JSON.parse(code)).toMatchObject({ proof: t.server.proof });
  expect(asked).toEqual(['/hook/ui-code']);
});

it('a server that tells of something else first, and takes long, has started all the same', async () => {
  const cli = plugin(`echo '${NOTE}' >>server.log\n(sleep 1; mv ready server.json) >/dev/null 2>&1 &`);
  expect((await needServer(cli, hello)).port).toBe(t.server.port);
  expect(readFileSync(path.join(t.state, 'server.log'), 'utf8')).toBe(`${NOTE}\n`);
});

it('one that says that it ended is not waited for, and its own words are told', async () => {
  const cli = plugin(
    `printf '%s\\n' '${NOTE}' '2026-03-02T10:15:01.000Z ended: Error: no place to listen' '    at x' >>server.log`,
  );
  await expect(needServer(cli, hello)).rejects.toThrow(/^the server did not start: no place to listen$/);
});

function pluginWithServer(server: string): Cli {
  const cli = plugin('');
  const hooks = path.join(ROOT, 'hooks');
  cpSync(path.join(hooks, 'start-server.sh'), path.join(cli.root, 'hooks/start-server.sh'));
  for (const dir of ['lib', 'launcher'])
    cpSync(path.join(hooks, dir), path.join(cli.root, 'hooks', dir), { recursive: true });
  mkdirSync(path.join(cli.root, 'lib'));
  writeFileSync(path.join(cli.root, 'lib/server.mjs'), server);
  writeFileSync(path.join(cli.root, 'lib/fallback.mjs'), '');
  return cli;
}

it('one that dies before it can say anything is not waited for, and Node’s own reason is told', async () => {
  const cli = pluginWithServer("import './gone.mjs';");
  // A full wait would find this server: the error must come before.
  const late = spawn('sh', ['-c', `sleep 7; mv ${t.state}/ready ${t.state}/server.json`], {
    stdio: 'ignore',
  });
  try {
    await expect(needServer(cli, hello)).rejects.toThrow(
      /^the server did not start: .*Cannot find module .*gone\.mjs/,
    );
  } finally {
    late.kill();
  }
});
