/** What a running process has in use stays as it was at a refresh: only what is surely the host's counts as seen. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isWithin } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { type LiveCall, liveCall } from '../../testing/sandbox/live-call.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { scan } from '../scan/scan.ts';
import { logTo } from '../session/log/append.ts';
import { look } from './look.ts';
import { tidy } from './tidy.ts';

let s: TestSession;
let call: LiveCall;

beforeEach(async () => {
  s = await testSession();
  await onHost(
    'mkdir -p a/b other/b; for f in a/f a/b/f other/f other/b/f; do echo 1 > $f; done; echo 1 > f',
  );
  call = await liveCall(s);
  await call.inside('cat f a/f a/b/f; echo 1 > new');
  await tidy(s.ctx, null);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await s.close();
});

/** Its times differ from those before and after. */
async function onHost(lines: string): Promise<void> {
  await pause(2 * CLOCK_TICK_MS);
  execFileSync('bash', ['-ec', lines], { cwd: s.project, stdio: 'pipe' });
  await pause(2 * CLOCK_TICK_MS);
}

/** A call of a client in the session, which neither mounts nor refreshes anything. */
function callInside(): void {
  logTo(s.sessionDir, { t: 'call.started', call: 'in', pid: 1, mode: 'sandbox', overlay: 'inside' });
}

/** What is written next is younger. */
async function looked(): Promise<void> {
  await look(s.ctx);
  await pause(CLOCK_TICK_MS);
}

async function pending(): Promise<string[]> {
  await tidy(s.ctx, null);
  return (await scan(s.ctx)).changes.flatMap(({ kind, path, conflict }) =>
    isWithin(path, s.ctx.projectRoot) && !path.endsWith('/new')
      ? [`${kind} ${path.slice(s.ctx.projectRoot.length + 1)} ${conflict}`]
      : [],
  );
}

/** Each says when it works in a/b, and writes there when it hears of it. */
const BOX = (lines: string): string =>
  `unshare --user --map-root-user --mount bash -c '${lines} && echo && read -r && echo 2 >> f'`;
const WRITE = 'print(flush=True); input(); os.write(os.open("f", os.O_WRONLY | os.O_APPEND), b"2\\n")';
const THREAD = `import ctypes, os, threading
def work(): ctypes.CDLL(None).unshare(0x200); os.chdir("a/b"); ${WRITE}
threading.Thread(target=work).start()
`;
const CHROOTED = `import os; os.chroot("a"); os.chdir("/b"); ${WRITE}`;
const REPLACED = 'mv a ../gone; mv other a';
/** Names that are made later in two directories, one in the other, look like a directory that was replaced. */
const NESTED = 'echo 1 > one; echo 1 > a/two; echo 1 > a/b/three';

describe('what the host has changed since the mount', () => {
  it('was not seen by a call that joined, though it was to mount', async () => {
    await call.inside('cd a/b');
    await onHost(REPLACED);
    expect((await s.call(': it finds it mounted')).rc).toBe(0);
    await call.inside('echo 2 >> f');
    expect(await pending()).toEqual(['modified a/b/f unknown-base']);
  });

  it.each([REPLACED, NESTED, 'echo 2 > f.new; mv f.new f; rm -r a; mv other a'])(
    'was not seen without a look, whatever a client in the session has started: %s',
    async (lines) => {
      await onHost(lines);
      callInside();
      await pause(2 * CLOCK_TICK_MS);
      await call.inside('echo 2 >> f; echo 2 >> a/b/f');
      expect(await pending()).toContain('modified a/b/f unknown-base');
    },
  );

  it.each([REPLACED, NESTED, 'echo 2 > f.new; mv f.new f'])('was seen after a look: %s', async (lines) => {
    await onHost(lines);
    await looked();
    await call.inside('echo 2 >> f; echo 2 >> a/f; echo 2 >> a/b/f');
    expect(await pending()).toEqual(['modified a/b/f null', 'modified a/f null', 'modified f null']);
  });

  it('was not seen if it came after the look', async () => {
    await looked();
    await onHost(REPLACED);
    await call.inside('echo 2 >> a/f');
    expect(await pending()).toEqual(['modified a/f unknown-base']);
  });
});

describe('a look while something is in use', () => {
  it.each([
    ['a directory to work in', 'cd a/b', 'echo 2 >> f', 'a/b/f', 'cd ../..'],
    ['a directory that is open', 'exec 7<a', 'echo 2 >> a/b/f', 'a/b/f', 'exec 7<&-'],
    ['a file that is open', 'exec 7<a/b/f', 'echo 2 >> a/b/f', 'a/b/f', 'exec 7<&-'],
  ])('shows nothing that the host has replaced: %s', async (_, use, write, path, end) => {
    await call.inside(use);
    await onHost(REPLACED);
    await looked();
    await call.inside(write);
    expect(await pending()).toEqual([`modified ${path} unknown-base`]);
    await call.inside(end);
    await looked();
    await call.inside('echo 2 >> a/f');
    expect(await pending()).toEqual([`modified ${path} unknown-base`, 'modified a/f null']);
  });

  it.each([
    ['in a thread with a directory of its own', `python3 ../thread.py`],
    ['below a part that shows elsewhere', BOX('mount --bind . /mnt && cd /mnt/a/b')],
    ['with a root of its own', `unshare --user --map-root-user python3 ../chrooted.py`],
  ])('shows nothing that the host has replaced to a process %s', async (_, program) => {
    writeFileSync(`${s.base}/thread.py`, THREAD);
    writeFileSync(`${s.base}/chrooted.py`, CHROOTED);
    await call.inside(`coproc ${program}; read -r -u \${COPROC[0]}`);
    await onHost(REPLACED);
    await looked();
    await call.inside(`pid=$COPROC_PID; echo >&\${COPROC[1]}; wait $pid`);
    expect(await pending()).toEqual(['modified a/b/f unknown-base']);
  });

  it('does not count where only a part of an overlay is left, shown elsewhere', async () => {
    const box = BOX('mount --bind a /mnt && cd /mnt/b && mount -t tmpfs none "$OLDPWD"');
    await call.inside(`mkfifo ../ready ../go; setsid ${box} > ../ready 2>&1 <> ../go & read -r < ../ready`);
    await call.end();
    await onHost(REPLACED);
    await looked();
    const { pid = 0 } = (await liveProcesses(s.ctx.source))[0] ?? {};
    appendFileSync(`/proc/${pid}/cwd/f`, '2\n');
    expect(await pending()).toEqual(['modified a/b/f unknown-base']);
  });

  it('shows nothing old that was in use at a refresh, and not when looked at', async () => {
    const refresh = nodePort.run;
    vi.spyOn(nodePort, 'run').mockImplementationOnce(async (...args) => {
      await call.inside('exec 7<a');
      const done = await refresh(...args);
      await call.inside('exec 7<&-');
      return done;
    });
    await onHost(`echo 2 > other/f; ${REPLACED}`);
    await looked();
    expect(await call.inside('cat a/f; echo 3 >> a/f')).toBe('2\n');
    expect(await pending()).toEqual(['modified a/f null']);
  });

  it('shows nothing of a directory into which the host has moved what is in use', async () => {
    await call.inside('echo 2 > a/new; cd a/b');
    await tidy(s.ctx, null);
    await onHost('mkdir c; mv a/b c; echo 1 > c/f; mv a ../gone; mv c a');
    await looked();
    await call.inside('echo 2 >> ../f');
    expect(await pending()).toContain('modified a/f unknown-base');
  });

  it('does not count where the host has replaced the covered directory itself', async () => {
    await onHost('cp -a . ../other; mv $PWD ../gone; mv ../other $PWD');
    await looked();
    await call.inside('echo 2 >> f');
    expect(await pending()).toEqual(['modified f unknown-base']);
  });

  it.each(['rm -r a; mkdir a; cd a', 'mkdir made; cd made'])(
    'counts where nothing of the host shows in the directory in use: %s',
    async (lines) => {
      await call.inside(lines);
      await tidy(s.ctx, null);
      await onHost(
        'mkdir -p made; echo 1 > one; echo 1 > made/two; echo 1 > a/two; echo 2 > f.new; mv f.new f',
      );
      await looked();
      await call.inside('echo 3 >> ../f');
      expect(await pending()).toContain('modified f null');
    },
  );

  it('shows nothing of a file that the host has replaced, which a process has open', async () => {
    await call.inside('exec 7<f');
    await onHost('echo 2 > f.new; mv f.new f');
    await looked();
    await call.inside('echo 3 >> f');
    expect(await pending()).toEqual(['modified f unknown-base']);
  });

  it('counts where the host has only made names in the directories that are in use', async () => {
    await call.inside('cd a/b; echo 2 > ../made; exec 7<f');
    await onHost(NESTED);
    await looked();
    await call.inside('echo 2 >> f');
    expect(await pending()).toEqual(['modified a/b/f null', 'added a/made null']);
  });

  it('counts where the session has all names of a directory in use, and below it', async () => {
    await call.inside('cd a; echo 2 >> f; echo 2 >> b/f');
    await tidy(s.ctx, null);
    await onHost('touch one a/b/two; rm a/b/two; touch a/two; rm a/two');
    await looked();
    await call.inside('echo 2 >> ../other/b/f');
    expect(await pending()).toContain('modified other/b/f null');
  });

  it('does not count where the session has all names of a directory that the host has replaced', async () => {
    await call.inside('cd a; echo 2 >> f; echo 2 >> b/f');
    await tidy(s.ctx, null);
    await onHost(`echo 1 > a/b/old; ${REPLACED}; echo 2 > f.new; mv f.new f`);
    await looked();
    await call.inside('echo 3 >> ../f');
    expect(await pending()).toContain('modified f unknown-base');
  });
});
