/** What the command line believes of a server that it starts. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestServer, testServer } from '../testing.ts';
import { needServer } from './server-process.ts';
import { type Cli, makeCli } from './world.ts';

let t: TestServer;
beforeEach(async () => {
  t = await testServer();
});
afterEach(async () => await t.close());

/** A plugin whose start script is this one; the server's own file waits as `ready`. */
function plugin(script: string): Cli {
  renameSync(path.join(t.state, 'server.json'), path.join(t.state, 'ready'));
  const root = path.join(t.base, 'plugin');
  mkdirSync(path.join(root, 'hooks'), { recursive: true });
  writeFileSync(path.join(root, 'hooks/start-server.sh'), `cd ${t.state} || exit\n${script}\n`);
  return { ...makeCli({ json: false, session: null }), root, state: t.state, env: { HOME: t.home } };
}

const NOTE = '2026-03-02T10:15:00.000Z Error: a session that nobody can read';

it('a server that tells of something else first, and takes long, has started all the same', async () => {
  const cli = plugin(`echo '${NOTE}' >>server.log\n(sleep 1; mv ready server.json) >/dev/null 2>&1 &`);
  expect((await needServer(cli)).port).toBe(t.server.port);
  expect(readFileSync(path.join(t.state, 'server.log'), 'utf8')).toBe(`${NOTE}\n`);
});

it('one that says that it ended is not waited for, and its own words are told', async () => {
  const cli = plugin(
    `printf '%s\\n' '${NOTE}' '2026-03-02T10:15:01.000Z ended: Error: no place to listen' '    at x' >>server.log`,
  );
  await expect(needServer(cli)).rejects.toThrow(/^the server did not start: no place to listen$/);
});
