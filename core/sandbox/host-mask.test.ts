import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CallResult, type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { isQuiet, liveProcesses } from './live.ts';
import { withLock } from './lock.ts';

const SECRET = 'hook-credential-of-the-test';

let session: TestSession;
const inBase = (name: string): string => join(session.base, name);
const host = (command: string, options?: Parameters<TestSession['call']>[1]): Promise<CallResult> =>
  session.call(`HOST=1; ${command}`, options);

beforeEach(async () => {
  session = await testSession();
  for (const dir of ['runtime/trai', 'config/trai']) mkdirSync(inBase(dir), { recursive: true });
  writeFileSync(join(session.state, 'secret'), SECRET);
  writeFileSync(inBase('runtime/trai/secret'), SECRET);
  writeFileSync(inBase('config/trai/config.json'), '{}\n');
  symlinkSync(session.state, join(session.project, 'link'));
  symlinkSync(join(session.state, 'secret'), join(session.project, 'file-link'));
});
afterEach(async () => {
  await session.close();
});

describe('nothing of the state directory is read by a call on the host', () => {
  it.for<[string, string]>([
    ['a path', 'cat S/secret'],
    ['its runtime directory', 'cat B/runtime/trai/secret'],
    ['a search from above', 'grep -r . B'],
    ['a directory first', 'cd B; cat state/secret'],
    ['a glob', 'cat B/st*/se*; cat B/*/*'],
    ['a link to the directory', 'cat link/secret; ls -LR link'],
    ['a link to the file', 'cat file-link'],
    ['a redirection', 'cat < S/secret'],
    ['git, two files', 'git diff --no-index /dev/null S/secret'],
    ['git, a directory', 'git -C S hash-object secret; git -C S grep --no-index .'],
    [
      'git, an object made of it',
      'git init -q g && cd g && git cat-file -p "$(git hash-object -w ../../state/secret)"',
    ],
    ['an archive', 'tar cf - B'],
    ['a copy', 'cp -r B/state copy; cat copy/secret'],
    ['a mount taken away', 'umount S; cat S/secret'],
    [
      'a mount taken away in one more namespace',
      'unshare --user --map-root-user --mount sh -c "umount S; cat S/secret"',
    ],
    [
      'a mount from below',
      'unshare --user --map-root-user --mount sh -c "mount --bind B B/runtime && cat B/runtime/state/secret"',
    ],
  ])('%s', async ([, command], ctx) => {
    if (session.ctx.root && command.includes('umount'))
      return ctx.skip('as root a call may unmount what it likes (docs/limits.md)');
    const text = command.replaceAll('S', session.state).replaceAll(/\bB\b/g, session.base);
    const { stdout, stderr } = await host(`{ ${text}; } 2>&1`);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(session.log().at(-1)).toMatchObject({ t: 'call.ended' });
  });

  it('a working directory that lies there', async () => {
    const seen = await host('cat secret; ls', { cwd: session.state });
    expect(seen).toMatchObject({ stdout: '', rc: 0 });
    const below = await host('cat meta.json; echo ran', { cwd: session.sessionDir });
    expect(below).toMatchObject({ stdout: '', rc: 125 });
    expect(below.stderr).toContain(
      `the working directory ${session.sessionDir} is gone, or is one of trai's own`,
    );
  });

  it('a process that sees it', async (ctx) => {
    if (session.ctx.root)
      return ctx.skip('root may look into every process of its user namespace, also without the mask');
    const { stdout } = await host(
      `for w in root/${session.state}/secret cwd/state/secret environ maps fd/0; do cat "/proc/${process.pid}/$w" "/proc/$PPID/$w"; done 2>/dev/null; nsenter --user --mount -t ${process.pid} cat ${session.state}/secret; true`,
    );
    expect(stdout).toBe('');
  });

  it('the file system under another name', async (ctx) => {
    if (!session.ctx.root) return ctx.skip('only root mounts where others see it');
    mkdirSync(inBase('again'));
    expect(spawnSync('mount', ['--bind', session.base, inBase('again')]).status).toBe(0);
    try {
      const { stdout } = await host(`cat ${inBase('again')}/state/secret 2>&1; ls ${inBase('again')}`);
      expect(stdout).not.toContain(SECRET);
      expect(stdout).toContain('project');
    } finally {
      spawnSync('umount', [inBase('again')]);
    }
  });
});

describe('a call on the host', () => {
  it('can’t write to the directories of trai, and reads the config', async () => {
    const { stdout } = await host(
      `cat ${inBase('config/trai/config.json')}; for d in ${session.state} ${inBase('runtime/trai')} ${inBase('config/trai')}; do (echo x > $d/x) 2>/dev/null && echo wrote; done; true`,
    );
    expect(stdout).toBe('{}\n');
    expect(existsSync(inBase('config/trai/x'))).toBe(false);
  });

  it('is as it is outside of any namespace: ids, limits, environment, descriptors, signals', async () => {
    const probe = [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a shell text
      'id -u; id -g; umask; pwd; echo "$OLDPWD $SHLVL ${LC_ALL-unset} $0 $- $#"; ulimit -a; trap -p',
      "grep -E '^(Sig(Blk|Ign)|NoNewPrivs|Seccomp)' /proc/self/status",
      'ls /proc/self/fd; env | grep -v -e \'^_=\' -e ^TRAI_IN= -e ^PPID | sort; read -r x; echo "$x"; exit 7',
    ].join('; ');
    const env = { ...process.env, OLDPWD: '/usr', LC_ALL: 'C.UTF-8', SHLVL: '3', ODD: 'a\nb' };
    const options = { env, input: 'from stdin\n' };
    const hidden = await session.call(`HOST=1; ${probe}`, options);
    const open = await session.call(`OPEN=1; ${probe}`, options);
    expect(hidden).toEqual(open);
    expect(hidden.rc).toBe(7);
  });

  it.each([
    ['exit 42', 42],
    ['kill -9 $$', 137],
    ['kill $$', 143],
    ['no-such-program-at-all', 127],
    ['sh -c "exit 32"', 32],
    ['exit 125', 125],
  ])('keeps the exit status of `%s`', async (command, rc) => {
    expect((await host(command)).rc).toBe(rc);
    expect(session.log().at(-1)).toMatchObject({ t: 'call.ended', rc });
  });

  it('leaves no session live, whatever it leaves running', async () => {
    await host('sleep 60 >/dev/null 2>&1 & echo $! > pid');
    expect(await withLock(session, () => isQuiet(session.ctx))).toBe(true);
    expect(await liveProcesses(session.ctx.source)).toEqual([]);
    process.kill(Number(readFileSync(join(session.project, 'pid'), 'utf8')));
    expect((await session.call('echo in')).stdout).toBe('in\n');
  });

  it('works in a session that has had no plan', async () => {
    rmSync(join(session.sessionDir, 'plan'), { recursive: true });
    rmSync(join(session.sessionDir, 'run'), { recursive: true });
    expect(await host('echo ran')).toEqual({ rc: 0, stdout: 'ran\n', stderr: '' });
  });
});

describe('a call on the host runs nothing and exits 125 when', () => {
  const rules = (): string => join(session.state, 'host');
  it.each<[string, () => void]>([
    ['what hides is gone', () => rmSync(join(session.state, 'bin/0/masked'))],
    ['what hides hides nothing', () => writeFileSync(join(session.state, 'bin/0/masked'), '\n')],
    ['no namespace is to be had', () => fakeUnshare()],
  ])('%s', async (_, breakIt) => {
    await host('true');
    expect(existsSync(rules())).toBe(true);
    breakIt();
    const { rc, stdout, stderr } = await host('echo ran; touch ran');
    expect({ rc, stdout }).toEqual({ rc: 125, stdout: '' });
    expect(stderr).toContain('Nothing of the command was run');
    expect(existsSync(join(session.project, 'ran'))).toBe(false);
  });

  it('a directory that was to be hidden is not', async () => {
    await host('true');
    const [dir = ''] = spawnSync('ls', [rules()], { encoding: 'utf8' }).stdout.split('\n');
    for (const [file, from, to] of [
      ['fstab', /^trai-hidden .*\n/gm, ''],
      ['fstab', /^trai-hidden/gm, 'trai-hidden'],
    ] as const) {
      const path = join(rules(), dir, file);
      const before = readFileSync(path, 'utf8');
      writePlanFile(join(rules(), dir), file, before.replace(from, to));
      const { rc, stdout } = await host('echo ran');
      expect({ rc, stdout }).toEqual(to === '' ? { rc: 125, stdout: '' } : { rc: 0, stdout: 'ran\n' });
      writePlanFile(join(rules(), dir), file, before);
    }
  });
});

/** Writes a file of the plan with its digest, so that the plan passes as whole. */
function writePlanFile(dir: string, name: string, text: string): void {
  const plan = JSON.parse(readFileSync(join(dir, 'plan.json'), 'utf8'));
  plan.sums[name] = createHash('sha256').update(text).digest('hex').slice(0, 16);
  writeFileSync(join(dir, 'plan.json'), JSON.stringify(plan));
  writeFileSync(join(dir, name), text);
}

/** The launcher names its programs by absolute paths, so this session's copy of it is edited. */
function fakeUnshare(): void {
  const file = join(session.state, 'bin/0/host');
  const text = readFileSync(file, 'utf8').replace('"$t_bin/unshare"', '/bin/false');
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
