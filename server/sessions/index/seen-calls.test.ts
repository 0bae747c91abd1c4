import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { CLOCK_TICK_MS } from '../../../shared/log/call-times.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer | undefined;
let client: TestClient | undefined;
afterEach(async () => {
  await client?.clean();
  await t?.close();
  [client, t] = [undefined, undefined];
});

async function session(under?: string): Promise<{ t: TestServer; client: TestClient }> {
  t = await testServer(under === undefined ? {} : { under });
  client = new TestClient(t, 'c1');
  await client.start();
  return { t, client };
}

const conflicts = async (server: TestServer, of: TestClient) =>
  (await listOf(server, of)).changes.map((change) => [
    path.relative(server.project, change.path),
    change.conflict,
  ]);

describe('a file that the host changed before the call that changes it is in no conflict', () => {
  it.each([
    ['after a call that wrote nothing', 'cat first; ls > /dev/null; true'],
    ['after a call on the host', 'git status --short'],
  ])('%s', async (_, between) => {
    const { t: server, client: own } = await session();
    const file = path.join(server.project, 'edited');
    writeFileSync(file, '0\n');
    await own.bash('echo 1 > first');
    await server.server.manager.settled(own.id);
    await own.bash(between);
    await server.server.manager.settled(own.id);
    writeFileSync(`${file}.new`, 'host\n');
    renameSync(`${file}.new`, file);
    // A change within a clock tick of the call may be later than its mount.
    await sleep(2 * CLOCK_TICK_MS);
    await own.bash('echo sandbox >> edited');
    await server.server.manager.settled(own.id);
    expect(await conflicts(server, own)).toEqual([
      ['edited', null],
      ['first', null],
    ]);
  });

  it('git’s data of a worktree with a submodule, of which git on the host has refreshed the index', async (ctx) => {
    const { t: server, client: own } = await session(homedir());
    const git = (dir: string, ...words: string[]) =>
      execFileSync('git', ['-C', path.join(server.base, dir), '-c', 'protocol.file.allow=always', ...words], {
        env: { PATH: process.env['PATH'], HOME: server.home },
        stdio: 'pipe',
      });
    try {
      execFileSync('git', ['--version']);
    } catch {
      return ctx.skip('git is not installed');
    }
    writeFileSync(path.join(server.home, '.gitconfig'), '[user]\nname = t\nemail = t@t\n');
    for (const dir of ['lib', 'main']) {
      mkdirSync(path.join(server.base, dir));
      git(dir, 'init', '-q');
      writeFileSync(path.join(server.base, dir, 'x'), `${dir}\n`);
      git(dir, 'add', 'x');
      git(dir, 'commit', '-qm', 'first');
    }
    git('main', 'submodule', '--quiet', 'add', path.join(server.base, 'lib'), 'sub');
    git('main', 'commit', '-qm', 'second');
    git('main', 'worktree', 'add', '-q', server.project);
    git('project', 'submodule', '--quiet', 'update', '--init');
    await own.bash('echo q > sub/x; echo new > new');
    await server.server.manager.settled(own.id);
    // Its cached times are stale: git writes a new index and renames it.
    for (const name of ['x', 'sub/x']) utimesSync(path.join(server.project, name), 1e9, 1e9);
    expect(await own.bash('git status --short; git -C sub status --short')).toMatchObject({ rc: 0 });
    await server.server.manager.settled(own.id);
    expect(await own.bash('sh -c "git add new; git commit -qm third"')).toMatchObject({ rc: 0 });
    await server.server.manager.settled(own.id);
    const found = await conflicts(server, own);
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(([, conflict]) => conflict !== null)).toEqual([]);
  });
});
