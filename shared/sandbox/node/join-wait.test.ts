/** Who joins a live session waits for its lock with that session's namespace open, which so outlives its last process. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeFileLock } from '../../session/node/file-lock.ts';
import { processStat } from '../../session/node/proc.ts';
import { endProcesses, isQuiet } from './live.ts';
import { testSession } from './testing.ts';

it('a call that waits for the lock in order to join does not keep the session from being quiet', async () => {
  const session = await testSession();
  const lock = join(session.sessionDir, 'lock');
  try {
    await session.call('sleep 300 >/dev/null 2>&1 & disown');
    let release = await takeFileLock(lock);
    const child = session.start('echo ran');
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
    const done = once(child, 'close').then(([code]) => `${code} ${said}`);
    await expect.poll(() => waiting(child.pid ?? 0)).toBe('to enter');
    // It is let in once, finds the session live, and goes to join it: then the lock is ours again.
    for (;;) {
      const next = takeFileLock(lock, 30);
      await release();
      release = await next;
      await expect.poll(() => waiting(child.pid ?? 0)).not.toBe('');
      if (waiting(child.pid ?? 0) === 'to join') break;
    }
    await endProcesses(session.ctx.source);
    await expect.poll(() => isQuiet(session.ctx)).toBe(true);
    await release();
    expect(await done).toBe('0 ran\n');
  } finally {
    await session.close();
  }
});

it('a call that others keep from joining gives up in the end, and says who has the lock', async () => {
  const session = await testSession();
  const lock = join(session.sessionDir, 'lock');
  const file = join(session.state, 'bin/0/launch');
  const text = readFileSync(file, 'utf8');
  // The product's 20 s are too long for a test.
  expect(text.split(' / 1000000 + 20))')).toHaveLength(2);
  writeFileSync(file, text.replace(' / 1000000 + 20))', ' / 1000000 + 2))'));
  try {
    await session.call('sleep 300 >/dev/null 2>&1 & disown');
    let release = await takeFileLock(lock);
    const child = session.start('touch ran; echo ran');
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
    let ended: string | null = null;
    const done = once(child, 'close').then(([code]) => (ended = `${code} ${said}`));
    await expect.poll(() => waiting(child.pid ?? 0)).toBe('to enter');
    while (ended === null) {
      // Let in for a moment, it finds the session live; who entered behind it has the lock for as long as it tries to join.
      const next = takeFileLock(lock, 30);
      await release();
      release = await next;
      await expect.poll(() => ended !== null || waiting(child.pid ?? 0) === 'to enter').toBe(true);
    }
    await release();
    await done;
    expect(ended).toMatch(
      new RegExp(
        `^125 trai: the session is locked by .*found that process ${process.pid} \\(.*\\) has it\\.`,
      ),
    );
    expect(ended).toMatch(/Nothing of the command was run/);
  } finally {
    await session.close();
  }
});

/** What a launcher (it has a session of the kernel's own here) waits for the lock for. */
function waiting(launcher: number): '' | 'to enter' | 'to join' {
  for (const name of readdirSync('/proc').filter((one) => /^[0-9]+$/.test(one))) {
    try {
      if (processStat(Number(name))?.sid !== launcher) continue;
      if (!readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith('/usr/bin/flock\0')) continue;
      return holdsNamespace(name) ? 'to join' : 'to enter';
    } catch {
      // Gone meanwhile.
    }
  }
  return '';
}

function holdsNamespace(pid: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((fd) =>
    readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('mnt:['),
  );
}
