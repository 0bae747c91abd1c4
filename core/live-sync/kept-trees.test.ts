import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { dirsOfMounts } from './kept-trees.ts';

const CHROOTED = `import os, sys, time
pid = os.fork()
if pid == 0:
    os.chroot(sys.argv[1])
    print(os.getppid(), os.getpid(), flush=True)
time.sleep(60)
if pid != 0: os.wait()`;

it('finds mounts whichever of the processes has a root of its own', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-')));
  onTestFinished(() => rmSync(base, { recursive: true }));
  for (const name of ['root', 'mounted']) mkdirSync(join(base, name));
  const script = 'mount -t tmpfs none "$1/mounted" && exec python3 -c "$0" "$1/root"';
  const child = spawn(
    'unshare',
    ['--user', '--map-root-user', '--mount', 'sh', '-c', script, CHROOTED, base],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  const group = child.pid ?? expect.fail('unshare did not start');
  onTestFinished(() => void process.kill(-group, 'SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const pids = String((await lines.next()).value)
    .split(' ')
    .map(Number);
  for (const order of [pids, pids.toReversed()])
    expect(dirsOfMounts(order)).toContain(fromText(join(base, 'mounted')));
});
