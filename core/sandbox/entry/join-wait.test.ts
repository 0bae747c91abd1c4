/** A call that joins waits for the lock for a limited time, with nothing of the session open. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { takeFileLock } from '../../kernel/proc/file-lock.ts';
import { processStat } from '../../kernel/proc/proc.ts';
import { endProcesses, isQuiet } from '../live.ts';

let session: TestSession;
let release: () => Promise<void>;
beforeEach(async () => {
  session = await testSession();
});
afterEach(async () => {
  await session.close();
});

it('a call that waits for the lock in order to join does not keep the session from being quiet', async () => {
  const { done } = await waitsToJoin('echo ran');
  await endProcesses(session.ctx.source);
  await expect.poll(() => isQuiet(session.ctx)).toBe(true);
  await release();
  expect(await done).toBe('0 ran\n');
});

it('a call that others keep from joining gives up in the end, and says who has the lock', async () => {
  const file = join(session.state, 'bin/0/launch');
  const text = readFileSync(file, 'utf8');
  expect(text.split(' / 1000000 + 30))')).toHaveLength(2);
  writeFileSync(file, text.replace(' / 1000000 + 30))', ' / 1000000 + 2))'));
  const { done } = await waitsToJoin('touch ran; echo ran');
  const said = await done;
  await release();
  expect(said).toMatch(
    new RegExp(`^125 trai: the session is locked by .*found that process ${process.pid} \\(.*\\) has it\\.`),
  );
  expect(said).toMatch(/Nothing of the command was run/);
});

it('calls that come at the same time all get in, each by the namespace of the first', async () => {
  const all = Array.from({ length: 12 }, (_, i) => session.call(`echo ${i} >f${i}; sleep 0.1; cat f${i}`));
  expect(await Promise.all(all)).toEqual(all.map((_, i) => ({ rc: 0, stdout: `${i}\n`, stderr: '' })));
});

it('a call that is told to join tries no mount, and mounts where no process is left', async () => {
  const namespace = 'readlink /proc/self/ns/mnt';
  expect(await session.call('JOIN=1; echo w >written; cat written')).toMatchObject({ rc: 0, stdout: 'w\n' });
  const first = await session.call(`(exec sleep 300) </dev/null >/dev/null 2>&1 & ${namespace}`);
  const plan = join(
    session.sessionDir,
    'plan',
    readlinkSync(join(session.sessionDir, 'plan/current')),
    'fstab',
  );
  const fstab = readFileSync(plan, 'utf8');
  writeFileSync(plan, 'none /nowhere no-such-type - 0 0\n');
  expect(await session.call(`JOIN=1; ${namespace}; cat written`)).toEqual({
    rc: 0,
    stdout: `${first.stdout}w\n`,
    stderr: '',
  });
  writeFileSync(plan, fstab);
  await endProcesses(session.ctx.source);
  expect(await session.call('JOIN=1; cat written')).toMatchObject({ rc: 0, stdout: 'w\n' });
});

/** A call that waits to join; the lock is held here (`release`). */
async function waitsToJoin(command: string): Promise<{ done: Promise<string> }> {
  const lock = join(session.sessionDir, 'lock');
  await session.call('sleep 300 >/dev/null 2>&1 & disown');
  for (;;) {
    release = await takeFileLock(lock);
    const child = session.start(command);
    const pid = child.pid ?? 0;
    let ended = false;
    const done = saidBy(child).finally(() => (ended = true));
    const waits = async (): Promise<void> =>
      await expect.poll(() => ended || flockOf((stat) => stat.sid === pid) !== '').toBe(true);
    await waits();
    const first = flockOf((stat) => stat.sid === pid);
    // It enters once and then asks for the lock in another process.
    while (!ended && ['', first].includes(flockOf((stat) => stat.sid === pid))) {
      const next = takeFileLock(lock, 30);
      await expect
        .poll(() => flockOf((stat) => stat.parent === process.pid && stat.state === 'S'))
        .not.toBe('');
      await release();
      release = await next;
      await waits();
    }
    if (!ended) return { done };
    await release();
  }
}

async function saidBy(child: ChildProcess): Promise<string> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
  const [code] = await once(child, 'close');
  return `${code} ${said}`;
}

/** The first such flock(1); a launcher has a kernel session of its own here. */
function flockOf(is: (stat: NonNullable<ReturnType<typeof processStat>>) => boolean): string {
  for (const name of readdirSync('/proc').filter((one) => /^[0-9]+$/.test(one))) {
    try {
      const stat = processStat(Number(name));
      if (stat === null || !is(stat)) continue;
      if (/^(\/usr\/bin\/)?flock\0/.test(readFileSync(`/proc/${name}/cmdline`, 'latin1'))) return name;
    } catch {
      // Gone meanwhile.
    }
  }
  return '';
}
