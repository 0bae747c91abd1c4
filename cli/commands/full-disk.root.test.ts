/** `trai claude` and `trai box` while a disk is full: that of trai's state, or that of the project. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processStat } from '../../core/kernel/proc/proc.ts';
import { mountSource } from '../../core/sandbox/context.ts';
import { endProcesses, liveProcesses } from '../../core/sandbox/live.ts';
import { eachInAPlace, type Place, type Result } from '../../testing/cli.ts';

const isRoot = process.getuid?.() === 0;
const needsRoot = isRoot ? '' : ' (skipped: needs root, who can mount a small disk)';

let place: Place;
let home: string;
const mounted: string[] = [];
eachInAPlace(
  (made) => {
    place = made;
  },
  // Covered, unlike temporary directories.
  userInfo().homedir,
);
beforeEach(() => {
  home = join(place.base, 'home');
  mkdirSync(join(home, '.config/trai'), { recursive: true });
  mkdirSync(join(home, '.claude/plugins'), { recursive: true });
  mkdirSync(join(place.base, 'bin'));
  writeFileSync(join(home, '.config/trai/config.json'), '{"server":{"autostart":false}}');
  writeFileSync(join(home, '.claude.json'), '{"numStartups":1}');
});
afterEach(async () => {
  for (const session of sessions()) await endProcesses(mountSource(place.state, session));
  for (const dir of mounted.splice(0)) spawnSync('umount', ['-l', dir]);
});

const sessions = (): string[] => {
  const dir = join(place.state, 'sessions');
  return existsSync(dir) ? readdirSync(dir) : [];
};
const env = () => ({ HOME: home, PATH: `${join(place.base, 'bin')}:${place.env['PATH']}` });
const trai = (...words: string[]): Result => place.trai(words, env());

/** A tmpfs there. */
function smallDisk(dir: string, size: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', dir]);
  expect(made.status).toBe(0);
  mounted.push(dir);
}

/** A file that takes all the room that there is. */
function fill(dir: string): { free: () => void } {
  const file = join(dir, 'filler');
  spawnSync('sh', ['-c', 'cat /dev/zero > "$0"', file], { stdio: 'ignore' });
  return { free: () => rmSync(file) };
}

/** With these lines in place of the client. */
function client(level: string, lines: string): Result {
  writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
  return trai(level, '--session', 's', ...(level === 'box' ? ['-y'] : []));
}

const pending = (): string[] =>
  trai('diff', '--list', '--session', 's')
    .out.split('\n')
    .filter(Boolean)
    .map((line) => line.trim());

async function expectQuiet(): Promise<void> {
  expect(await liveProcesses(mountSource(place.state, 's'))).toEqual([]);
}

/** Each call that began has ended; a line that found no room is shown as it is. */
function expectClosed(): void {
  const lines = readFileSync(join(place.state, 'sessions/s/calls.jsonl'), 'utf8').split('\n');
  const events = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
  const count = (t: string): number => events.filter((event) => event.t === t).length;
  expect(count('call.ended') + count('call.failed') + count('call.closed')).toBe(count('call.started'));
  expect(trai('log', '--session', 's').rc).toBe(0);
}

describe.skipIf(!isRoot).each(['claude', 'box'])(`trai %s${needsRoot}`, (level) => {
  it('is refused where trai’s own disk is full, with the reason, and starts when there is room', async () => {
    smallDisk(place.state, '8m');
    const filler = fill(place.state);
    const refused = client(level, 'echo ran; echo one > f');
    expect(refused).toMatchObject({ rc: 125, out: '' });
    expect(refused.err).toMatch(/[Nn]o space left/);
    expect(refused.err).toContain(place.state);
    await expectQuiet();
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toEqual({ numStartups: 1 });
    filler.free();
    expect(client(level, 'echo one > f; cat f')).toMatchObject({ rc: 0, out: 'one\n' });
    expect(pending()).toEqual(['A f']);
    expectClosed();
  });

  it('is refused so where a server answers, too, which leaves nothing of its own; and its client may fill the disk', async () => {
    smallDisk(place.state, '8m');
    expect(trai('ui', '--print').rc).toBe(0);
    const server = JSON.parse(readFileSync(join(place.state, 'server.json'), 'utf8')).pid;
    try {
      const start = (lines: string): Result => {
        writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
        return trai(level, ...(level === 'box' ? ['-y'] : []));
      };
      const filler = fill(place.state);
      const refused = start('echo ran');
      expect(refused).toMatchObject({ rc: 125, out: '' });
      expect(refused.err).toMatch(/[Nn]o space left/);
      filler.free();
      expect(sessions()).toEqual([]);
      const overlays = join(place.state, 'overlays');
      expect(existsSync(overlays) ? readdirSync(overlays) : []).toEqual([]);
      const full = 'head -c 20m /dev/zero > big 2> /dev/null || echo full; exit 7';
      expect(start(`echo one > f; ${full}`)).toMatchObject({ rc: 7, out: 'full\n' });
      const [session = ''] = sessions();
      expect(await liveProcesses(mountSource(place.state, session))).toEqual([]);
    } finally {
      process.kill(server);
      await expect.poll(() => processStat(server)?.state ?? 'Z').toBe('Z');
    }
  });

  it('whose client fills trai’s own disk gives its status, is quiet afterwards, and loses nothing', async () => {
    smallDisk(place.state, '8m');
    const other = join(place.state, 'other');
    writeFileSync(other, Buffer.alloc(2 << 20));
    const ran = client(
      level,
      `echo one > f; echo '{"numStartups":2}' > ~/.claude.json; head -c 20m /dev/zero > big 2> /dev/null || echo full; echo x >> big; exit 7`,
    );
    expect(ran).toMatchObject({ rc: 7, out: 'full\n' });
    await expectQuiet();
    // The small file, and as much of the large one as found room.
    expect(pending()).toEqual(['A big', 'A f']);
    const again = client(level, 'echo ran');
    expect(again).toMatchObject({ rc: 125, out: '', err: expect.stringMatching(/[Nn]o space left/) });
    await expectQuiet();
    rmSync(other);
    expect(trai('discard', '--session', 's', '--yes', 'big').rc).toBe(0);
    expect(client(level, 'cat f')).toMatchObject({ rc: 0, out: 'one\n' });
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toEqual({ numStartups: 2 });
    expect(trai('commit', '--session', 's').rc).toBe(0);
    expect(readFileSync(join(place.project, 'f'), 'utf8')).toBe('one\n');
    expectClosed();
  });

  it('goes on where the project’s disk is full: it is pending, and committed when there is room', async () => {
    smallDisk(place.project, '1m');
    const filler = fill(place.project);
    expect(client(level, 'head -c 200k /dev/zero > f; wc -c < f')).toMatchObject({ rc: 0, out: '204800\n' });
    await expectQuiet();
    expect(pending()).toEqual(['A f']);
    expect(trai('commit', '--session', 's')).toMatchObject({ rc: 1, err: expect.stringMatching(/space/) });
    expect([existsSync(join(place.project, 'f')), pending()]).toEqual([false, ['A f']]);
    filler.free();
    expect(trai('commit', '--session', 's').rc).toBe(0);
    expect(readFileSync(join(place.project, 'f'))).toHaveLength(204_800);
    expectClosed();
  });
});
