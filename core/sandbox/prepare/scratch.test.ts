import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testSession } from '../../../testing/sandbox/session.ts';

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

// The client writes a call's last directory to /tmp/claude-XXXX-cwd: without it every call fails.
it('scratch directories stay the host’s and writable, also where they are no file systems of their own', async () => {
  const session = await testSession();
  const dirs = ['/tmp', '/var/tmp', '/dev/shm', '/run'].filter(isWritable);
  const files = dirs.map((dir) => `${dir}/trai-scratch-test-${process.pid}`);
  try {
    expect(dirs).toContain('/tmp');
    for (const file of files)
      expect(await session.call(`echo here > ${file}`)).toEqual({ rc: 0, stdout: '', stderr: '' });
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe('here\n');
    expect((await session.call(`echo pending > made; rm ${files.join(' ')}`)).rc).toBe(0);
    expect(files.filter((file) => existsSync(file))).toEqual([]);
    expect(existsSync(`${session.project}/made`)).toBe(false);
  } finally {
    for (const file of files) rmSync(file, { force: true });
    await session.close();
  }
});
