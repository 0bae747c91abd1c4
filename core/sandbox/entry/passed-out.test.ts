/** A process outside has a directory of the overlay open: no namespace shows the mount, yet it is in use. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { isQuiet, liveProcesses } from '../live.ts';

let s: TestSession | undefined;
let holder: ChildProcess | undefined;
afterEach(async () => {
  holder?.kill('SIGKILL');
  await s?.close();
});

const hasPython = spawnSync('python3', ['-c', '']).status === 0;

const HOLD = `
import socket, sys
server = socket.socket(socket.AF_UNIX); server.bind(sys.argv[1]); server.listen(); print('waits', flush=True)
fds = socket.recv_fds(server.accept()[0], 9, 1)[1]; print('has', len(fds), flush=True); sys.stdin.read()`;
const GIVE = `
import os, socket, sys
out = socket.socket(socket.AF_UNIX); out.connect(sys.argv[1]); socket.send_fds(out, [b'fd'], [os.open('.', os.O_RDONLY)])`;

it('an overlay of which a process outside holds a directory open is not quiet, though nobody has it mounted', async (ctx) => {
  if (!hasPython) return ctx.skip('needs python3');
  s = await testSession();
  const socket = `${s.base}/socket`;
  holder = spawn('python3', ['-c', HOLD, socket], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  holder.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => existsSync(socket)).toBe(true);
  const { rc, stderr } = await s.call(`cd '${s.project}' && python3 -c "${GIVE}" '${socket}'`);
  expect([rc, stderr]).toEqual([0, '']);
  await expect.poll(() => said).toContain('has 1');
  await expect.poll(async () => await liveProcesses(s?.ctx.source ?? '')).toEqual([]);
  expect(await isQuiet(s.ctx)).toBe(false);
  // Real root probes several uppers per mount, and one mount does not take all of these.
  if (s.ctx.root)
    for (let n = 1000; n < 1500; n++)
      for (const name of ['l', 'u', 'w'])
        mkdirSync(`${s.sessionDir}/overlay/${n}/${name}`, { recursive: true });
  expect(await isQuiet(s.ctx)).toBe(false);
  holder.stdin?.end();
  await once(holder, 'exit');
  expect(await isQuiet(s.ctx)).toBe(true);
});
