import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON, PersonMachine, type PersonStep } from '../../../testing/sandbox/ordinary-user.ts';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';

const isRoot = process.getuid?.() === 0;

describe('a socket in a covered directory', () => {
  const before = { ...process.env };
  const closers: (() => Promise<void> | void)[] = [];
  let session: TestSession;
  let home: string;
  /** In the project, which is covered wherever HOME is. */
  let dir: string;

  beforeEach(async () => {
    home = mkdtempSync(join(homedir(), 'trai-binds-'));
    session = await testSession(home);
    dir = join(session.project, 's');
    mkdirSync(dir);
  });
  afterEach(async () => {
    process.env = { ...before };
    await session.close();
    for (const close of closers.splice(0)) await close();
    rmSync(home, { recursive: true, force: true });
  });

  async function listen(path: string): Promise<void> {
    const server = createServer((connection) => connection.end(`this is the host\n`));
    await new Promise<void>((done) => server.listen(path, done));
    closers.push(() => new Promise((done) => server.close(() => done())));
  }
  const answer = async (path: string): Promise<string> => {
    const program = `require('net').connect(process.argv[1]).on('data', (d) => process.stdout.write(d)).on('error', (e) => console.log(e.code))`;
    const { stdout, stderr } = await session.call(`"${process.execPath}" -e "${program}" "$P"`, {
      env: { ...process.env, P: path },
    });
    return stdout + stderr;
  };

  it.each<[string, string, (path: string) => Record<string, string>]>([
    ['the ssh agent’s', 'agent 1,:é.sock', (path) => ({ SSH_AUTH_SOCK: path })],
    ['docker’s', 'docker.sock', (path) => ({ DOCKER_HOST: `unix://${path}` })],
    ['the session bus’s', 'bus', (path) => ({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${path},guid=1` })],
    ['wayland’s', 'wayland-1', (path) => ({ WAYLAND_DISPLAY: path })],
    [
      'wayland’s by its name',
      'wayland-1',
      (path) => ({ WAYLAND_DISPLAY: 'wayland-1', XDG_RUNTIME_DIR: join(path, '..') }),
    ],
    ['gpg’s', 'S.gpg-agent', (path) => ({ GNUPGHOME: join(path, '..') })],
  ])('%s answers inside as on the host, and can be neither removed nor replaced', async (_, name, env) => {
    const path = join(dir, name);
    await listen(path);
    await session.replan();
    expect(await answer(path)).toBe('ECONNREFUSED\n');
    process.env = { ...before, ...env(path) };
    await session.replan();
    expect(await answer(path)).toBe('this is the host\n');
    const spoil = await session.call(
      'cd "$D"; rm -f *; chmod 000 * 2>&1 | grep -c Read-only; echo x > beside',
      {
        env: { ...process.env, D: dir },
      },
    );
    expect(spoil.stdout).toBe('1\n');
    expect(await answer(path)).toBe('this is the host\n');
    expect(spawnSync('ls', [dir], { encoding: 'utf8' }).stdout).toBe(`${name}\n`);
  });

  it('that nobody listens on stays as it is, so that a program inside can put its own in its place', async () => {
    const path = join(dir, 'S.gpg-agent');
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script, path]);
    process.env['GNUPGHOME'] = dir;
    await session.replan();
    expect(
      await session.call('rm "$GNUPGHOME/S.gpg-agent" && echo gone', { env: process.env }),
    ).toMatchObject({
      rc: 0,
      stdout: 'gone\n',
    });
  });

  it('that goes away after the plan was made keeps no call out', async () => {
    const path = join(dir, 'agent.sock');
    await listen(path);
    process.env['SSH_AUTH_SOCK'] = path;
    await session.replan();
    for (const close of closers.splice(0)) await close();
    rmSync(path, { force: true });
    expect(await session.call('echo on')).toEqual({ rc: 0, stdout: 'on\n', stderr: '' });
  });
});

describe('ssh', () => {
  const SETUP = `
umask 022
mkdir /srv/ssh
ssh-keygen -q -t ed25519 -N '' -f /srv/ssh/host
ssh-keygen -q -t ed25519 -N '' -f /srv/ssh/id
printf '%s\\n' 'Port 2222' 'ListenAddress 127.0.0.1' 'HostKey /srv/ssh/host' 'StrictModes no' 'PidFile none' \\
  'AuthorizedKeysFile /srv/ssh/id.pub' 'UsePAM no' > /srv/ssh/sshd
chown -R ${PERSON.uid} /srv/ssh
setpriv --reuid ${PERSON.uid} --regid ${PERSON.uid} --clear-groups /usr/sbin/sshd -f /srv/ssh/sshd
mkdir -p /etc/ssh/more
echo 'Include /etc/ssh/ssh_config.d/*.conf more/second.conf' > /etc/ssh/ssh_config
printf 'Host there\\n  Port 2222\\n  Include more/deep.conf\\n' > /srv/ssh/elsewhere.conf
chown root /srv/ssh/elsewhere.conf
ln -s /srv/ssh/elsewhere.conf /etc/ssh/ssh_config.d/10-there.conf
echo '  HostName 127.0.0.1' > /etc/ssh/more/deep.conf
printf 'Host there\\n  IdentityFile /srv/ssh/id\\n  StrictHostKeyChecking accept-new\\n' > /etc/ssh/more/second.conf
`;
  const why = !isRoot ? 'only root can arrange its configuration' : hasSshd() ? '' : 'there is no sshd here';

  it.skipIf(why !== '')(
    `and git over ssh work where the system’s configuration is in several files${why === '' ? ' (needs root)' : ` (skipped, needs root: ${why})`}`,
    async () => {
      const machine = await PersonMachine.make();
      const steps: PersonStep[] = [
        ['HOST', 'ssh there echo on the host'],
        ['HOST', 'git init -q --bare repo && git -C repo symbolic-ref HEAD refs/heads/main'],
        ['CALL', 'ssh there echo inside 2>&1'],
        ['CALL', 'HOST=1; ssh there echo hidden 2>&1; git ls-remote there:repo'],
        [
          'CALL',
          'git -c init.defaultBranch=main init -q w && cd w && git -c user.name=k -c user.email=k@x commit -q --allow-empty -m one && git push -q there:repo main && git ls-remote --refs there:repo | cut -f2',
        ],
      ];
      try {
        const out = await machine.run(SETUP, steps);
        expect(out[0]).toBe('on the host\n');
        expect(out[2]).toEqual({ rc: 0, stdout: 'inside\n', stderr: '' });
        expect(out[3]).toEqual({ rc: 0, stdout: 'hidden\n', stderr: '' });
        expect(out[4]).toEqual({ rc: 0, stdout: 'refs/heads/main\n', stderr: '' });
      } finally {
        machine.remove();
      }
    },
  );
});

function hasSshd(): boolean {
  return spawnSync('/usr/sbin/sshd', ['-V']).error === undefined;
}
