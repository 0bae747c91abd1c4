import { spawn } from 'node:child_process';
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { finished, run } from '../../../testing/log/test-child.ts';
import { testState } from '../../../testing/state-dir.ts';
import { lockHeld } from '../messages/errors.ts';
import { withFileLock } from './file-lock.ts';

const states = testState('file-lock');
afterAll(states.remove);
const path = join(states.top, 'lock');
const tryLock = async (): Promise<number | null> => (await run('flock', ['-n', path, 'true'])).code;

describe('withFileLock', () => {
  it('holds the lock while the work lasts, against other processes, and lets go after an error too', async () => {
    expect(await withFileLock(path, async () => [await tryLock(), 'done'])).toEqual([1, 'done']);
    expect(await tryLock()).toBe(0);
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await tryLock()).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('runs one piece of work at a time', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
    };
    await Promise.all(Array.from({ length: 6 }, () => withFileLock(path, work)));
    expect(most).toBe(1);
  });

  it('gets the lock of a holder that was killed', async () => {
    const holder = spawn('flock', ['--no-fork', path, 'sh', '-c', 'echo held; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = finished(holder);
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    const waiting = withFileLock(path, async () => 'mine');
    holder.kill('SIGKILL');
    await gone;
    expect(await waiting).toBe('mine');
  });

  it('that is held for too long says by whom, and not by one that waits as well', async () => {
    const held = join(states.top, 'held');
    const holder = spawn('flock', ['--no-fork', held, 'sh', '-c', 'echo held; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = finished(holder);
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    const waits = spawn('flock', [held, 'true'], { stdio: 'ignore' });
    await expect(withFileLock(held, async () => 1, 0)).rejects.toMatchObject({
      code: 'busy',
      message: lockHeld(held, 0, { pid: holder.pid ?? 0, command: 'sleep 600' }).message,
    });
    waits.kill('SIGKILL');
    holder.kill('SIGKILL');
    await gone;
  });

  it('does not follow a symlink', async () => {
    symlinkSync('/etc/passwd', join(states.top, 'link'));
    await expect(withFileLock(join(states.top, 'link'), async () => 1)).rejects.toMatchObject({
      code: 'io',
      cause: { code: 'ELOOP' },
    });
  });
});
