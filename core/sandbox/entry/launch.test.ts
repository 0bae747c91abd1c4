import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromText, toText } from '../../../shared/bytes.ts';
import { requestFor } from '../../../testing/commit/commit.ts';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { commitAll } from '../../commit/commit.ts';
import { takeFileLock } from '../../kernel/proc/file-lock.ts';
import { scan } from '../../scan/scan.ts';
import { type CoveredDir, coveringDir, upperPath } from '../../session/session-context.ts';
import { endProcesses, isQuiet, liveProcesses } from '../live.ts';
import { withLock } from '../lock.ts';
import { knownCoveredDirs, makeCoveredDirs } from '../prepare/covered-dirs.ts';

let session: TestSession;
const path = (name: string): string => join(session.project, name);
/** The covered directory that holds the project, wherever TMPDIR is. */
const placeFor = ({ ctx }: TestSession): CoveredDir => {
  const covered = coveringDir(ctx.coveredDirs, ctx.projectRoot);
  if (covered === null) throw new Error('the project is in no place');
  return covered;
};
const upper = (name: string, of = session): string =>
  join(toText(upperPath(placeFor(of), of.ctx.projectRoot)), name);
// Renamed, since only root may write to some directories in it.
const loseUpper = (): void => {
  const root = toText(placeFor(session).upper);
  renameSync(root, `${root}-lost`);
};
const until = async (test: () => boolean): Promise<void> => {
  await expect.poll(test).toBe(true);
};

beforeEach(async () => {
  session = await testSession();
});
afterEach(async () => {
  await session.close();
});

describe('a call in the sandbox', () => {
  it('runs for real, and what it writes does not reach the host', async () => {
    writeFileSync(path('kept'), 'old');
    writeFileSync(path('gone'), 'old');
    const result = await session.call('echo new > made; echo new > kept; rm gone; cat kept made; ls');
    expect(result).toEqual({ rc: 0, stdout: 'new\nnew\nkept\nmade\n', stderr: '' });
    expect(readFileSync(path('kept'), 'utf8')).toBe('old');
    expect(existsSync(path('gone'))).toBe(true);
    expect(existsSync(path('made'))).toBe(false);
    expect(readFileSync(upper('made'), 'utf8')).toBe('new\n');
  });

  it('sees what earlier calls wrote and what the host changed since', async () => {
    await session.call('echo one > a');
    writeFileSync(path('b'), 'two\n');
    expect((await session.call('cat a b')).stdout).toBe('one\ntwo\n');
  });

  it.each([
    ['exit 42', 42],
    ['false', 1],
    ['no-such-program-at-all', 127],
    ['kill -9 $$', 137],
    ['kill $$', 143],
    ['exec sh -c "exit 3"', 3],
  ])('keeps the exit status of `%s`', async (command, rc) => {
    expect((await session.call(command)).rc).toBe(rc);
    expect(session.log().at(-1)).toMatchObject({ t: 'call.ended', rc });
  });

  it('hands no descriptor of its own to the command', async () => {
    // The test runner may have passed on descriptors of its own.
    const plain = spawnSync('/bin/bash', ['-c', 'ls /proc/self/fd'], { encoding: 'utf8' }).stdout;
    expect((await session.call('ls /proc/self/fd')).stdout).toBe(plain);
  });

  it('is refused by the mounts themselves: not unmounted, state directory empty and read-only', async () => {
    const { stdout } = await session.call(
      `umount ${session.project} 2>/dev/null && [ $(id -u) != 0 ] && echo unmounted; ls ${session.state}; touch ${session.state}/x 2>&1 | grep -c 'Read-only'`,
    );
    expect(stdout).toBe(`inside\ninstance\nuserns\n1\n`);
  });

  it('cannot write where the host would refuse it, and not in directories that could not be covered', async (ctx) => {
    if (session.ctx.root) return ctx.skip('root may write there on the host too');
    const { stdout } = await session.call(
      'for d in /etc /usr /opt /srv; do touch $d/trai-x 2>/dev/null && echo $d; done; true',
    );
    expect(stdout).toBe('');
  });

  it('sees directories of others as they are, and can’t make them its own', async (ctx) => {
    if (session.ctx.root) return ctx.skip('root owns them');
    const dirs = ['/etc', '/usr', '/home'];
    const look = `stat -c '%A %u' ${dirs.join(' ')}`;
    const plain = spawnSync('/bin/sh', ['-c', look], { encoding: 'utf8' }).stdout;
    expect((await session.call(look)).stdout).toBe(plain.replaceAll(/ 0$/gm, ' 65534'));
    const changed = await session.call(
      `for d in ${dirs.join(' ')}; do chmod u+w $d && echo "mode of $d"; touch $d/trai-n && echo "file in $d"; done 2>/dev/null; true`,
    );
    expect(changed.stdout).toBe('');
  });

  it('runs in the nearest directory that is left when its own was removed, and says so', async () => {
    mkdirSync(path('sub'));
    await session.call('rm -r sub');
    const result = await session.call('pwd', { cwd: path('sub') });
    expect(result.stdout).toBe(`${session.project}\n`);
    expect(result.stderr).toContain('does not exist in the sandbox');
  });

  it('reads its decision behind interim answers', async () => {
    expect(await session.call('PIECES=1; echo x')).toEqual({ rc: 0, stdout: 'x\n', stderr: '' });
  });

  it('is refused, with nothing run, when the decision says so', async () => {
    const result = await session.call('REFUSE=1; touch x');
    expect(result).toMatchObject({ rc: 125, stdout: '' });
    expect(result.stderr).toBe('trai: refused by the test\n');
  });
});

describe('a call on the host', () => {
  it('writes directly and is logged with its end', async () => {
    expect((await session.call('HOST=1; 2>/dev/null; echo x > direct; exit 4')).rc).toBe(4);
    expect(readFileSync(path('direct'), 'utf8')).toBe('x\n');
    expect(session.log().map((event) => event['t'])).toEqual(['call.started', 'call.ended']);
  });
});

describe('overlapping calls', () => {
  it('join the live namespace and see each other’s writes at once', async () => {
    const first = session.start('echo first > a; while [ ! -e stop ]; do sleep 0.05; done; cat b > seen');
    await until(() => existsSync(upper('a')));
    expect((await session.call('cat a; echo second > b')).stdout).toBe('first\n');
    await session.call('touch stop');
    await until(() => existsSync(upper('seen')) && first.exitCode !== null);
    expect(readFileSync(upper('seen'), 'utf8')).toBe('second\n');
  });

  it('see what the host changed since the namespace was made', async () => {
    writeFileSync(path('f'), 'old\n');
    session.start('cat f missing 2>/dev/null; touch up; sleep 60');
    await until(() => existsSync(upper('up')));
    writeFileSync(path('f.new'), 'new\n');
    renameSync(path('f.new'), path('f'));
    writeFileSync(path('missing'), 'there\n');
    expect((await session.call('cat f missing')).stdout).toBe('new\nthere\n');
  });

  it('leave the session live while a background process runs, and quiet afterwards', async () => {
    const check = (): Promise<boolean> => withLock(session, () => isQuiet(session.ctx));
    expect(await check()).toBe(true);
    await session.call('sleep 300 >/dev/null 2>&1 & disown');
    expect(await check()).toBe(false);
    const commands = async () => (await liveProcesses(session.ctx.source)).map((one) => one.command);
    await expect.poll(commands).toEqual(['sleep 300']);
    expect(await endProcesses(session.ctx.source)).toHaveLength(1);
    expect(await check()).toBe(true);
    expect((await session.call('echo on')).stdout).toBe('on\n');
  });

  it('stay live when only a nested namespace is left', async (ctx) => {
    if (session.ctx.root)
      return ctx.skip('root enters no user namespace: no other one could be nested in it');
    await session.call(
      'setsid unshare --user --map-current-user --mount sleep 300 >/dev/null 2>&1 & sleep 0.3',
    );
    expect(await withLock(session, () => isQuiet(session.ctx))).toBe(false);
  });
});

describe('never silently unsandboxed', () => {
  it.each([
    ['an upper is gone', () => loseUpper()],
    ['the plan is gone', () => rmSync(join(session.sessionDir, 'plan'), { recursive: true })],
    [
      'the overlay directory is gone',
      () => renameSync(join(session.sessionDir, 'overlay'), join(session.sessionDir, 'elsewhere')),
    ],
    [
      'the log is a directory',
      () => {
        rmSync(join(session.sessionDir, 'calls.jsonl'), { force: true });
        mkdirSync(join(session.sessionDir, 'calls.jsonl'));
      },
    ],
    ['the run directory is gone', () => rmSync(join(session.sessionDir, 'run'), { recursive: true })],
    ['the server is gone and there is no Node', () => rmSync(join(session.state, 'server.json'))],
    ['the session is gone', () => renameSync(session.sessionDir, `${session.sessionDir}-gone`)],
    [
      'somebody else answers on the port',
      () => {
        const file = join(session.state, 'server.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"proof":"proof"', '"proof":"other"'));
      },
    ],
  ])('a call runs nothing and exits 125 when %s', async (_, breakIt) => {
    await session.call('true');
    breakIt();
    const result = await session.call('ONCE=1; touch ran; echo ran');
    expect(result.rc).toBe(125);
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(/Nothing of the command was run/);
    expect(existsSync(path('ran'))).toBe(false);
  });

  it('what could not be mounted is said in a few lines, also when it is everything', async () => {
    await session.call('true');
    for (const { n } of session.ctx.coveredDirs)
      rmSync(join(session.sessionDir, `overlay/${n}/u`), { recursive: true });
    const { rc, stdout, stderr } = await session.call('echo ran');
    expect({ rc, stdout }).toEqual({ rc: 125, stdout: '' });
    const [first = '', cause = '', ...rest] = stderr.trim().split('\n');
    expect(first).toBe('trai: the sandbox could not be entered. Nothing of the command was run.');
    expect(cause).toMatch(/^trai: mount: /);
    expect(rest.length).toBeLessThanOrEqual(2);
    expect(rest.at(-1)).toBe('trai: Run: trai doctor');
  });

  it.each(['HALF', 'KILLED'])('nor on an answer that did not come whole: %s', async (how) => {
    const result = await session.call(`${how}=1; touch ran; echo ran`);
    expect(result).toMatchObject({ rc: 125, stdout: '' });
    expect(result.stderr).toMatch(/^trai: no decision could be had/);
    expect(existsSync(join(session.project, 'ran'))).toBe(false);
  });

  it('a call waits for whoever holds the lock', async () => {
    const release = await takeFileLock(join(session.sessionDir, 'lock'), 1);
    const waiting = session.call('echo done');
    await sleep(300);
    expect(session.log().filter((event) => event['t'] === 'call.ended')).toHaveLength(0);
    await release();
    expect((await waiting).stdout).toBe('done\n');
  });

  it('goes on after the launcher itself was killed', async () => {
    const child = session.start('touch up; sleep 300');
    await until(() => existsSync(upper('up')));
    child.kill('SIGKILL');
    await until(() => child.signalCode !== null);
    expect((await session.call('ls up')).stdout).toBe('up\n');
    expect(statSync(upper('up')).isFile()).toBe(true);
  });
});

describe('a plan that is made anew', () => {
  it('keeps what is pending, and refuses when an upper is gone instead of making it empty', async () => {
    await session.call('echo x > pending');
    rmSync(join(session.sessionDir, 'plan'), { recursive: true });
    await session.replan();
    expect((await session.call('cat pending')).stdout).toBe('x\n');
    rmSync(join(session.sessionDir, 'plan'), { recursive: true });
    loseUpper();
    await expect(session.replan()).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('still lists a place that is not covered any more while something is pending in it', async () => {
    await session.call('echo x > pending');
    const own = placeFor(session).path;
    const others = session.ctx.coveredDirs.filter((covered) => covered.path !== own);
    const known = knownCoveredDirs(session.sessionDir, others);
    expect(known.map((covered) => covered.path)).toContain(own);
    expect(known).toHaveLength(others.length + 1);
  });

  it('a place that has left it, as with a mount, holds none of what calls write there since', async () => {
    mkdirSync(path('mnt'), { mode: 0o700 });
    const { sessionDir, ctx } = session;
    const [mnt, uid] = [fromText(path('mnt')), ctx.uid];
    const paths = [...ctx.coveredDirs.map((covered) => covered.path), mnt];
    makeCoveredDirs({ overlayDir: fromText(join(sessionDir, 'overlay')), paths, uid });
    // The directory that was under the mount.
    chmodSync(path('mnt'), 0o755);
    const known = () => knownCoveredDirs(sessionDir, ctx.coveredDirs);
    // A call may have changed its mode.
    expect(known().map((covered) => covered.path)).toContain(mnt);
    await session.call('echo x > mnt/x');
    const coveredDirs = known();
    expect(coveredDirs.map((covered) => covered.path)).not.toContain(mnt);
    const list = await scan({ ...ctx, coveredDirs });
    expect(await commitAll({ ...ctx, coveredDirs }, list, requestFor(list))).toMatchObject({ failed: [] });
    expect(readFileSync(path('mnt/x'), 'utf8')).toBe('x\n');
  });
});

describe('odd paths', () => {
  it.each([
    'with 2 blanks and \t7 tabs',
    'comma,colon:equals=',
    'quotes\'"`$(x)',
    'back\\slash\\040',
    '#hash',
    '-dash',
    'é and 日本',
    'x'.repeat(200),
  ])('a project and a state directory below %j work', async (name) => {
    const under = join(session.base, name);
    mkdirSync(under);
    const odd = await testSession(under);
    try {
      const result = await odd.call('echo x > made; pwd; ls');
      expect(result).toEqual({ rc: 0, stdout: `${odd.project}\nmade\n`, stderr: '' });
      expect(existsSync(join(odd.project, 'made'))).toBe(false);
      odd.start('touch up; sleep 60');
      await until(() => existsSync(upper('up', odd)));
      expect((await odd.call('ls')).stdout).toBe('made\nup\n');
    } finally {
      await odd.close();
    }
  });
});

describe('a project whose name holds a newline', () => {
  it('works like any other (such a state directory is refused by SessionStart)', async () => {
    const odd = await testSession(session.base, 'line\nbreak');
    try {
      expect(await odd.call('echo x > made; ls')).toEqual({ rc: 0, stdout: 'made\n', stderr: '' });
      expect(existsSync(join(odd.project, 'made'))).toBe(false);
    } finally {
      await odd.close();
    }
  });
});
