import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';

let session: TestSession;
beforeEach(async () => {
  session = await testSession();
});
afterEach(async () => {
  await session.close();
});

/** The daemons that would work on the host for a command inside, each with the switch that prevents it. */
const DAEMON_SWITCHES = {
  GIT_OPTIONAL_LOCKS: '0',
  NX_DAEMON: 'false',
  TURBO_DAEMON: 'false',
  MSBUILDDISABLENODEREUSE: '1',
  DOTNET_CLI_USE_MSBUILD_SERVER: '0',
  UseSharedCompilation: 'false',
  PANTS_PANTSD: 'false',
  NO_BUCKD: '1',
  DISABLE_SPRING: '1',
  GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
  GRADLE_OPTS: '-Dorg.gradle.daemon=false -Dorg.gradle.project.kotlin.compiler.execution.strategy=in-process',
};

it('a call keeps uid, gid, umask, limits, stdin and both outputs, and gets only its id and the switches of daemons', async () => {
  const command =
    'id -u; id -g; umask; ulimit -n; cat; echo err >&2; env | grep -v -e ^_= -e ^TRAI_IN= -e ^TRAI_CALL= -e ^SHLVL= | sort';
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    state: 'mine',
    t: 'mine',
    mode: 'mine',
    root: 'mine',
    OLDPWD: '/usr',
  };
  const [inside, host] = [
    await session.call(command, { env, input: 'typed\n' }),
    await session.call(`HOST=1; ${command}`, { env, input: 'typed\n' }),
  ];
  expect(inside.rc).toBe(0);
  const added = new Set(Object.entries(DAEMON_SWITCHES).map(([name, value]) => `${name}=${value}`));
  const rest = inside.stdout.split('\n').filter((line) => !added.delete(line));
  expect({ ...inside, stdout: rest.join('\n') }).toEqual(host);
  expect([...added]).toEqual([]);
  expect(inside.stdout).toContain('typed\n');
  expect(inside.stdout).toContain('root=mine\n');
  const names = rest.flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
  expect(names).toEqual([...Object.keys(env), 'PWD'].sort());
});

it.each(['', 'HOST=1; ', 'OPEN=1; '])(
  '%sPOSIXLY_CORRECT is for the command, not for the launcher',
  async (kind) => {
    const env = { ...process.env, POSIXLY_CORRECT: 'yes' };
    const said = await session.call(`${kind}echo $POSIXLY_CORRECT; set -o | grep ^posix`, { env });
    expect(said).toMatchObject({ rc: 0, stdout: expect.stringMatching(/^yes\nposix\s+on\n$/) });
    const file = join(session.state, 'server.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"port":\d+/, '"port":1'));
    const { rc, stderr } = await session.call(`${kind}true`, { env });
    expect([rc, stderr]).toEqual([125, expect.stringContaining('no decision could be had')]);
  },
);

it('the switches of daemons stay as the user has set them', async () => {
  const env: Record<string, string> = { PATH: process.env['PATH'] ?? '' };
  for (const name of Object.keys(DAEMON_SWITCHES)) env[name] = '';
  const names = Object.keys(DAEMON_SWITCHES).filter((name) => name !== 'GRADLE_OPTS');
  const gradle = '-Xmx1g -Dorg.gradle.daemon=true';
  const { stdout } = await session.call(
    `env | grep -E '^(${names.join('|')})=' | LC_ALL=C sort; echo "$GRADLE_OPTS"`,
    { env: { ...env, GRADLE_OPTS: gradle } },
  );
  expect(stdout.split('\n')).toEqual([
    ...names.map((name) => `${name}=`).sort(),
    `${gradle} -Dorg.gradle.project.kotlin.compiler.execution.strategy=in-process`,
    '',
  ]);
});

it('`git status` does not make the index pending', async () => {
  const git = (words: string) => `git -C '${session.project}' -c user.name=k -c user.email=k@x ${words}`;
  const file = join(session.project, 'f');
  execSync([git('init -q'), git('commit -q --allow-empty -m one')].join(' && '));
  writeFileSync(file, 'x');
  // With another mtime than the index has, git would refresh the index.
  execSync(`${git('add f')} && touch -d '1 hour ago' '${file}'`);
  const covered = session.ctx.coveredDirs.find((one) => one.path === session.project);
  const isPending = () => existsSync(join(covered?.upper ?? '', '.git/index'));
  expect((await session.call('git status --short')).stdout).toBe('A  f\n');
  expect(isPending()).toBe(false);
  await session.call('git status --short', { env: { ...process.env, GIT_OPTIONAL_LOCKS: '1' } });
  expect(isPending()).toBe(true);
});
