/** Every call but a session's first enters while the decision is made: `ask_and_enter` in launch. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLogEvent } from '../../../shared/log/events.ts';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { takeFileLock } from '../../kernel/proc/file-lock.ts';
import { processStat } from '../../kernel/proc/proc.ts';

const isRoot = process.getuid?.() === 0;
const NOT_STARTED = 'the call was not started';
let session: TestSession;

beforeEach(async () => {
  session = await testSession();
  await session.call('true');
});
afterEach(async () => {
  await session.close();
});

const ended = (): Record<string, unknown> | undefined => session.log().at(-1);

describe('a call of a client in the session, for which the mask is mounted before the decision', () => {
  beforeEach(async () => {
    await session.call('HOST=1; true');
    const mask = join(session.state, 'host');
    for (const dir of readdirSync(mask)) cpSync(join(mask, dir), mask, { recursive: true });
  });

  it('sees nothing of trai’s own, and has the call and the standard input', async () => {
    const result = await session.call(`IN=1; echo "$TRAI_CALL"; ls ${session.state}; cat`, {
      input: 'given',
    });
    expect(result).toEqual({ rc: 0, stdout: `${ended()?.['call']}\ngiven`, stderr: '' });
  });

  it('runs nothing when it is refused, or when what hides hides nothing', async () => {
    expect((await session.call('REFUSE=1; touch ran')).rc).toBe(125);
    rmSync(join(session.state, 'host/fstab'));
    writeFileSync(join(session.state, 'host/fstab'), '');
    const { rc, stderr } = await session.call('IN=1; touch ran');
    expect(rc).toBe(125);
    expect(stderr.match(/Nothing of the command was run/g)).toHaveLength(1);
    expect(existsSync(join(session.project, 'ran'))).toBe(false);
  });

  it('ends with its launcher before the decision: nothing ran', async () => {
    const child = session.start('LATE=1; touch ran');
    const closed = once(child, 'close');
    const awaits = (line: string): boolean => line.includes('\0masked\0');
    await expect.poll(() => part(child.pid ?? 0, awaits)).not.toBe(0);
    const pid = part(child.pid ?? 0, awaits);
    process.kill(child.pid ?? expect.fail(NOT_STARTED), 'SIGKILL');
    await closed;
    await expect.poll(() => processStat(pid)).toBeNull();
    expect(existsSync(join(session.project, 'ran'))).toBe(false);
  });
});

it('a bash before 5.0, which has no clock, logs and waits as others do', async () => {
  const launch = join(session.state, 'bin/0/launch');
  const source = readFileSync(launch, 'utf8');
  writeFileSync(launch, source.replace('\n', '\nunset EPOCHREALTIME EPOCHSECONDS\n'));
  const [from, before] = [Date.now(), session.log().length];
  const release = await takeFileLock(join(session.sessionDir, 'lock'), 1);
  const child = session.start('JOIN=1; exit 3');
  const closed = once(child, 'close');
  const waits = (line: string): boolean => line.startsWith('/usr/bin/flock\0');
  await expect.poll(() => part(child.pid ?? 0, waits)).not.toBe(0);
  const flock = readFileSync(`/proc/${part(child.pid ?? 0, waits)}/cmdline`, 'utf8').split('\0');
  expect(Number(flock[2])).toBeGreaterThan(10);
  expect(Number(flock[2])).toBeLessThanOrEqual(30);
  await release();
  expect(await closed).toEqual([3, null]);
  const lines = session.log().slice(before);
  expect(lines.map(({ t }) => t)).toEqual(['call.started', 'call.ended']);
  for (const line of lines) {
    expect(isLogEvent(line)).toBe(true);
    expect(Date.parse(String(line['at']))).toBeGreaterThanOrEqual(from);
  }
});

describe('a call whose way in began before the decision', () => {
  it('is entered that way where root has nothing to map', async (ctx) => {
    if (isRoot) return ctx.skip('real root goes in after the decision');
    // The lock is then taken in the namespace.
    const release = await takeFileLock(join(session.sessionDir, 'lock'), 1);
    const child = session.start('echo x > made');
    const closed = once(child, 'close');
    await expect.poll(() => part(child.pid ?? 0, (line) => line.startsWith('/usr/bin/flock\0'))).not.toBe(0);
    const { parent } = processStat(part(child.pid ?? 0, (line) => line.startsWith('/usr/bin/flock\0'))) ?? {};
    expect(readFileSync(`/proc/${parent}/cmdline`, 'utf8')).toContain('/enter\0');
    await release();
    await closed;
    expect(existsSync(join(session.project, 'made'))).toBe(false);
  });

  it('has its standard input, no descriptor of ours and no child that it did not start', async () => {
    const show = 'cat; ls /proc/self/fd; set -- $(cat /proc/$$/task/$$/children); echo $#';
    // The test runner may have passed on descriptors of its own.
    const plain = spawnSync('/bin/bash', ['-c', show], { input: 'given\n', encoding: 'utf8' }).stdout;
    expect(await session.call(show, { input: 'given\n' })).toEqual({ rc: 0, stdout: plain, stderr: '' });
  });

  it.each(['INT', 'QUIT', 'TERM', 'HUP'])('hears SIG%s', async (name) => {
    const result = await session.call(`trap 'echo heard; exit 7' ${name}; kill -${name} $$; echo deaf`);
    expect(result).toMatchObject({ rc: 7, stdout: 'heard\n' });
    expect(ended()).toMatchObject({ t: 'call.ended', rc: 7 });
  });

  it('carries the call of the decision', async () => {
    const { stdout } = await session.call('echo "$TRAI_CALL"');
    expect(ended()).toMatchObject({ t: 'call.ended', call: stdout.trim() });
  });

  it.each([
    ['not set', undefined],
    ['empty', ''],
    ['C.UTF-8', 'C.UTF-8'],
    ['with a blank and a quote', "x 'y"],
  ])('has the locale of its caller: LC_ALL %s', async (_, value) => {
    const { LC_ALL: _own, ...rest } = process.env;
    const env = value === undefined ? rest : { ...rest, LC_ALL: value };
    const { stdout } = await session.call('env | grep ^LC_ALL= || echo not set', { env });
    expect(stdout).toBe(value === undefined ? 'not set\n' : `LC_ALL=${value}\n`);
  });

  it('runs on the host, once, when that is decided', async () => {
    const result = await session.call('HOST=1; echo ran | tee -a ran; cat', { input: 'given' });
    expect(result).toEqual({ rc: 0, stdout: 'ran\ngiven', stderr: '' });
    expect(readFileSync(join(session.project, 'ran'), 'utf8')).toBe('ran\n');
    expect(ended()).toMatchObject({ t: 'call.ended', rc: 0 });
  });

  it('runs nothing when it is refused', async () => {
    const result = await session.call('REFUSE=1; touch ran');
    expect(result).toMatchObject({ rc: 125, stdout: '' });
    expect(result.stderr).toMatch(/^trai: /);
    expect(existsSync(join(session.project, 'ran'))).toBe(false);
    expect(ended()).toMatchObject({ t: 'call.ended', rc: 0 });
  });

  it('goes in by the plan of the decision when that is another one', async () => {
    const vars = readdirSync(join(session.sessionDir, 'plan')).flatMap((id) =>
      /^[0-9a-f]{16}$/.test(id) ? [join(session.sessionDir, 'plan', id, 'vars')] : [],
    );
    for (const file of vars)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^id=.*$/m, 'id=0000000000000000'));
    const result = await session.call('echo x > made; cat made');
    expect(result).toEqual({ rc: 0, stdout: 'x\n', stderr: '' });
    expect(existsSync(join(session.project, 'made'))).toBe(false);
  });

  it('runs nothing, and says so once, when its start can not be written down', async () => {
    rmSync(join(session.sessionDir, 'run'), { recursive: true });
    const result = await session.call('touch ran');
    expect(result.rc).toBe(125);
    expect(result.stderr.match(/Nothing of the command was run/g)).toHaveLength(1);
  });

  it('says so when a signal ends it after the decision: nothing ran', async () => {
    const release = await takeFileLock(join(session.sessionDir, 'lock'), 1);
    const child = session.start('echo ran');
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
    const closed = once(child, 'close');
    const asks = (line: string): boolean => line.startsWith('/usr/bin/flock\0');
    await expect.poll(() => part(child.pid ?? 0, asks)).not.toBe(0);
    const waits = processStat(part(child.pid ?? 0, asks))?.parent;
    process.kill(waits ?? expect.fail('nobody asks any more'), 'SIGKILL');
    await release();
    expect(await closed).toEqual([125, null]);
    expect(said).toMatch(/^trai: ended by a signal .* Nothing of the command was run\./);
  });

  it('runs nothing, and says so, when a signal comes while it asks for a new plan', async () => {
    writeFileSync(join(session.sessionDir, 'plan/current/fstab'), '');
    const child = session.start('LATE=1; touch ran; echo ran');
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
    const closed = once(child, 'close');
    for (const asked of [1, 2]) {
      await expect.poll(() => session.late.length).toBe(asked);
      if (asked === 2) process.kill(-(child.pid ?? expect.fail(NOT_STARTED)), 'SIGTERM');
      session.late[asked - 1]?.();
    }
    expect(await closed).toEqual([125, null]);
    expect(said).toMatch(/^trai: ended by a signal .* Nothing of the command was run\./);
    expect(session.log().at(-1)).toMatchObject({ t: 'call.failed' });
  });

  it('waits for the lock only after the decision, and mounts nothing before it has it', async () => {
    const release = await takeFileLock(join(session.sessionDir, 'lock'), 1);
    const before = session.log().length;
    const waiting = session.call('echo done');
    await expect.poll(() => session.log().length).toBeGreaterThan(before);
    await sleep(200);
    const mounted = readdirSync('/proc').filter(
      (pid) => /^\d+$/.test(pid) && mounts(pid).includes(session.ctx.source),
    );
    expect(mounted).toEqual([]);
    await release();
    expect((await waiting).stdout).toBe('done\n');
  });
});

function mounts(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  } catch {
    return '';
  }
}

describe('while the decision is waited for', () => {
  /** A call that has sent its claim, with its output and its entering process, if any. */
  async function asked(
    command = 'touch ran; echo ran',
  ): Promise<{ pid: number; exited: Promise<unknown>; done: Promise<string> }> {
    const child = session.start(`LATE=1; ${command}`);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
    const done = once(child, 'close').then(([code, signal]) => `${code ?? signal} ${said}`);
    await expect.poll(() => session.late.length).toBe(1);
    const pid = child.pid ?? 0;
    if (!isRoot) await expect.poll(() => part(pid, (line) => line.includes('/enter\0'))).not.toBe(0);
    return { pid, exited: once(child, 'exit'), done };
  }

  it.each([
    ['INT', 130],
    ['TERM', 143],
    ['KILL', 137],
  ])('SIG%s to all of it ends all of it: nothing ran, and nobody waits for the answer', async (name, rc) => {
    const { pid, done } = await asked();
    process.kill(-pid, `SIG${name}`);
    // A launcher that gets no answer says so.
    expect(await done).toMatch(new RegExp(`^(${rc}|SIG${name}) $`));
    await expect.poll(() => part(pid, () => true)).toBe(0);
    expect(session.log().at(-1)).toMatchObject({ t: 'call.ended', call: 'c1' });
  });

  it('a signal that only the way in hears ends it: nothing ran, and that is said', async (ctx) => {
    if (isRoot) return ctx.skip('real root goes in after the decision');
    const { pid, done } = await asked();
    process.kill(
      part(pid, (line) => line.includes('/enter\0')),
      'SIGINT',
    );
    for (const answer of session.late) answer();
    expect(await done).toMatch(/^125 trai: ended by a signal .* Nothing of the command was run\./);
  });

  it.each([
    ['INT', 'SIGINT'],
    ['TERM', 'SIGTERM'],
    ['HUP', 'SIGHUP'],
    ['KILL', 'SIGKILL'],
  ])('SIG%s to the launcher alone ends it, and nothing begins in its name', async (name, status) => {
    const { pid, exited, done } = await asked();
    process.kill(pid, `SIG${name}`);
    await exited;
    for (const answer of session.late) answer();
    expect(await done).toBe(`${status} `);
    expect((await session.call('ls')).stdout).toBe('');
  });

  it('a plan that is made anew under the same name is one that later calls can join by', async () => {
    const { done } = await asked('while [ ! -e stop ]; do sleep 0.05; done');
    rmSync(join(session.sessionDir, 'plan'), { recursive: true });
    await session.replan();
    for (const answer of session.late) answer();
    await expect.poll(() => shapes()).toHaveLength(1);
    expect(await session.call('touch stop')).toEqual({ rc: 0, stdout: '', stderr: '' });
    expect(await done).toBe('0 ');
  });
});

describe('a plan that is made anew while the lock is waited for', () => {
  it('is one that later calls can join by', async () => {
    const release = await takeFileLock(join(session.sessionDir, 'lock'), 1);
    const first = session.start('while [ ! -e stop ]; do sleep 0.05; done');
    const closed = once(first, 'close');
    await expect.poll(() => part(first.pid ?? 0, (line) => line.startsWith('/usr/bin/flock\0'))).not.toBe(0);
    // As an adoption and the next claim do, the latter without the lock, which is held here.
    const plans = join(session.sessionDir, 'plan');
    cpSync(plans, `${plans}.new`, { recursive: true, verbatimSymlinks: true });
    rmSync(plans, { recursive: true });
    renameSync(`${plans}.new`, plans);
    for (const id of readdirSync(plans)) rmSync(join(plans, id, 'entered'), { force: true });
    await release();
    await expect.poll(() => shapes()).toHaveLength(1);
    expect(await session.call('touch stop')).toEqual({ rc: 0, stdout: '', stderr: '' });
    await closed;
  });
});

/** The lines in `entered`, one a plan, with which calls join. */
function shapes(): string[] {
  const plans = join(session.sessionDir, 'plan');
  return readdirSync(plans).flatMap((id) => {
    const file = join(plans, id, 'entered');
    if (id === 'current' || !existsSync(file)) return [];
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  });
}

describe('where no namespace can be made any more', () => {
  /** The launcher in a user namespace that forbids further ones. */
  async function without(command: string): Promise<{ rc: unknown; stdout: string; stderr: string }> {
    const none = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"';
    const launch = ['/bin/bash', '-p', join(session.state, 'bin/0/launch'), 's1', '/bin/bash', command, ''];
    const child = spawn(
      '/usr/bin/unshare',
      ['--user', '--map-root-user', '/bin/sh', '-c', none, 'sh', ...launch],
      {
        cwd: session.project,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => (stdout += String(text)));
    child.stderr.on('data', (text) => (stderr += String(text)));
    const [rc] = await once(child, 'close');
    return { rc, stdout, stderr };
  }

  it('a call on the host from which nothing is hidden says nothing of it', async (ctx) => {
    if (isRoot) return ctx.skip('real root makes no user namespace');
    expect(await without('OPEN=1; echo ran')).toEqual({ rc: 0, stdout: 'ran\n', stderr: '' });
  });

  it.for(['', 'HOST=1; '])('any other runs nothing, and says why: %jecho ran', async (where, ctx) => {
    if (isRoot) return ctx.skip('real root makes no user namespace');
    const { rc, stdout, stderr } = await without(`${where}echo ran`);
    expect({ rc, stdout }).toEqual({ rc: 125, stdout: '' });
    expect(stderr).toMatch(/unshare: .*\n/);
    expect(stderr).toMatch(/Nothing of the command was run/);
    expect(stderr.match(/unshare failed:/g)).toHaveLength(1);
  });
});

it.for([
  ['a descriptor to hear the decision by', 'ulimit -n 10', /expected a free descriptor/],
  ['a process to start', 'ulimit -u 1', /expected to start a process/],
] as const)(
  'a call without %s runs nothing, wherever it would have run, and says why',
  async ([, limit, why], ctx) => {
    if (isRoot) return ctx.skip('root asks by itself, and has no limit of processes');
    const few = ['-c', `${limit}; exec "$@"`, 'sh', '/bin/bash', '-p', join(session.state, 'bin/0/launch')];
    const child = spawn('/bin/bash', [...few, 's1', '/bin/bash', 'HOST=1; echo ran | tee ran', ''], {
      cwd: session.project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
    expect(await once(child, 'close')).toEqual([125, null]);
    expect(said).toMatch(why);
    expect(said).toMatch(/Nothing of the command was run/);
    expect(said).not.toMatch(/^ran$/m);
    expect(existsSync(join(session.project, 'ran'))).toBe(false);
  },
);

/** The pid of the first match in a kernel session (each launcher has its own here), or 0. */
function part(session: number, is: (line: string, pid: number) => boolean): number {
  for (const name of readdirSync('/proc')) {
    try {
      const stat = processStat(Number(name));
      if (stat?.sid !== session || stat.state === 'Z') continue;
      if (is(readFileSync(`/proc/${name}/cmdline`, 'utf8'), Number(name))) return Number(name);
    } catch {
      // Gone meanwhile.
    }
  }
  return 0;
}
