/** The steps of a replay one by one, beside processes at a given point: nothing depends on a race. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import type { Bases } from '../../shared/model/base-record.ts';
import { hasPython, NO_PYTHON } from '../../testing/commit/python.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { replay } from '../jobs/replay.ts';
import { openInside } from '../sandbox/inside.ts';
import { endProcesses, isQuiet, liveProcesses } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { replayDirs } from '../sandbox/replay-dirs.ts';
import { coveringDir } from '../session/session-context.ts';
import { decide, isOld } from './decide-entry.ts';
import { clearQuiet } from './kept-entries.ts';
import { Room } from './live-view.ts';
import { putOver, settle, takeOut } from './swap.ts';
import { allPassed, momentOf } from './writers.ts';

describe('in a live session', () => {
  let s: TestSession;
  afterEach(async () => await s.close());

  const place = () => {
    const found = coveringDir(s.ctx.coveredDirs, s.ctx.projectRoot);
    if (found === null) throw new Error('expected the project to be covered');
    return found;
  };
  const pids = async () => (await liveProcesses(s.ctx.source)).map(({ pid }) => pid);

  async function outcome(): Promise<string> {
    await endProcesses(s.ctx.source);
    await withLock(s, async () => {
      await expect.poll(async () => await isQuiet(s.ctx), { timeout: 60_000 }).toBe(true);
      clearQuiet(s.ctx);
    });
    return (await s.call('cat *')).stdout;
  }

  it('who has opened what was put in place loses nothing when the old entry gets its name back', async () => {
    s = await testSession();
    s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
    writeFileSync(path.join(s.project, 'f'), 'old\n');
    const inside = await live(s, 'exec 3>>f');
    const view = await openInside(s.ctx.source, place());
    if (view === null) throw new Error('expected a live session');
    const room = Room.open(s.ctx, place(), view);
    const spot = room?.spot(fromText(path.join(s.project, 'f')));
    if (room === null || spot === null || spot === undefined) throw new Error('expected a room');
    const from = room.named(fromText('placed'));
    writeFileSync(from.at, 'host\n');
    const aside = await putOver(room, spot, from, () => Promise.resolve(true));
    if (aside === null) throw new Error('expected it to be put in place');
    await inside('exec 4>>f; cat f');
    expect(settle(room, await pids(), [aside])).toMatchObject({ done: [], back: [{ path: spot.path }] });
    expect(await inside('echo first >&3; echo second >&4; exec 3>&- 4>&-; cat f')).toBe('old\nfirst\n');
    room.close();
    view.close();
    const all = await outcome();
    expect(all).toContain('first\n');
    expect(all).toContain('host\nsecond\n');
  });

  it.each([
    ['changed', 'echo host > f'],
    ['removed', 'rm f'],
  ])(
    'what a process writes while it is decided is not taken for the host’s, which %s it',
    async (_, onHost) => {
      s = await testSession();
      s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
      writeFileSync(path.join(s.project, 'f'), 'old\n');
      await live(s, 'cat f >/dev/null');
      const view = await openInside(s.ctx.source, place());
      if (view === null) throw new Error('expected a live session');
      const room = Room.open(s.ctx, place(), view);
      const spot = room?.spot(fromText(path.join(s.project, 'f')));
      if (room === null || spot === null || spot === undefined) throw new Error('expected a room');
      spawnSync('bash', ['-c', onHost], { cwd: s.project });
      // Between two checks: through the view, like a process inside.
      const bases: Bases = {
        lookup() {
          writeFileSync(Buffer.from(spot.at), 'mine\n');
          return { state: 'none' };
        },
      };
      const step = await decide(s.ctx, room, bases, spot.path);
      if (step.do === 'put') {
        const from = room.named(fromText('placed'));
        writeFileSync(from.at, 'host\n');
        expect(await putOver(room, spot, from, (kept) => isOld(kept, step, step.host))).toBeNull();
      } else if (step.do === 'take')
        expect(await takeOut(room, spot, (kept) => isOld(kept, step, null))).toBeNull();
      else expect(step.do).toBe('leave');
      room.close();
      view.close();
      expect(await outcome()).toContain('mine\n');
    },
  );

  it('a file that is open for writing keeps its name however often the host changes it', async () => {
    s = await testSession();
    s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
    const file = path.join(s.project, 'f');
    writeFileSync(file, 'old\n');
    const inside = await live(s, 'exec 3>>f');
    for (const text of ['one\n', 'two\n', 'three\n']) {
      writeFileSync(file, text);
      const report = await replay(s.ctx, { paths: [fromText(file)], everything: false });
      expect(report).toMatchObject({ left: [fromText(file)], replayed: [] });
    }
    await inside('echo mine >&3; exec 3>&-');
    expect(await outcome()).toBe('old\nmine\n');
  });

  it.runIf(hasPython)(`a shared mapping whose descriptor is closed keeps its file${NO_PYTHON}`, async () => {
    s = await testSession();
    s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
    const file = path.join(s.project, 'f');
    writeFileSync(file, 'old one\n');
    const child = s.start(`exec python3 -c '${MAPPED}'`);
    const says = reader(child);
    await says.until('ready\n');
    writeFileSync(file, 'host two\n');
    const report = await replay(s.ctx, { paths: [fromText(file)], everything: false });
    expect(report.left).toEqual([fromText(file)]);
    child.stdin?.write('\n');
    await says.until('written\n');
    expect(await outcome()).toBe('MINEone\n');
    expect(readFileSync(file, 'utf8')).toBe('host two\n');
  });
});

const MAPPED = `
import ctypes, os, sys
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
fd = os.open("f", os.O_RDWR)
at = libc.mmap(None, 8, 3, 1, fd, 0)
os.close(fd)
print("ready", flush=True)
sys.stdin.readline()
ctypes.memmove(at, b"MINE", 4)
print("written", flush=True)
sys.stdin.readline()
`;

/** Waits in the kernel without sleeping: its child opens a FIFO first. */
const STUCK = `
import os, sys
os.mkfifo(sys.argv[1])
os.posix_spawn("/bin/true", ["true"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)])
sys.stdin.readline()
`;

describe('who is in the middle of opening a file', () => {
  it.runIf(hasPython)(`has not come back as long as it waits in the kernel${NO_PYTHON}`, async () => {
    const fifo = `${process.env['TMPDIR'] ?? '/tmp'}/trai-fifo-${process.pid}`;
    const child = spawn('python3', ['-c', STUCK, fifo], { stdio: ['pipe', 'ignore', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
      spawnSync('rm', ['-f', fifo]);
    });
    const pid = child.pid ?? 0;
    await expect.poll(() => stateOf(pid), { timeout: 60_000 }).toBe('D');
    const since = momentOf([pid]);
    expect(allPassed([pid], since)).toBe(false);
    // Opened for both, which does not block.
    const end = spawn('bash', ['-c', 'exec 3<>"$0"; read -r _', fifo], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    onTestFinished(() => void end.kill('SIGKILL'));
    await expect.poll(() => allPassed([pid], since), { timeout: 60_000 }).toBe(true);
  });

  it('has come back when it computes', async () => {
    const child = spawn('bash', ['-c', 'echo ready; while :; do :; done'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await reader(child).until('ready\n');
    const pids = [child.pid ?? 0];
    await expect.poll(() => momentOf(pids).size, { timeout: 60_000 }).toBe(1);
    const since = momentOf(pids);
    await expect.poll(() => allPassed(pids, since), { timeout: 60_000 }).toBe(true);
  });

  it('is nobody who sleeps', async () => {
    const child = spawn('bash', ['-c', 'read -r _'], { stdio: ['pipe', 'ignore', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => momentOf([child.pid ?? 0]).size, { timeout: 60_000 }).toBe(0);
  });
});

function stateOf(pid: number): string | undefined {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2)[0];
}

async function live(s: TestSession, first: string): Promise<(lines: string) => Promise<string>> {
  const child = s.start(`${first}; echo ready; while read -r line; do eval "$line"; echo done; done`);
  const says = reader(child);
  await says.until('ready\n');
  return async (lines) => {
    child.stdin?.write(`${lines}\n`);
    return await says.until('done\n');
  };
}

function reader(child: ChildProcess): { until(mark: string): Promise<string> } {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    async until(mark) {
      await expect.poll(() => text, { timeout: 60_000 }).toContain(mark);
      const end = text.indexOf(mark);
      const before = text.slice(0, end);
      text = text.slice(end + mark.length);
      return before;
    },
  };
}
