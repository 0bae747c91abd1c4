/** A refresh of the credentials at the very moment of a copy, and a copy that fails: no token may be lost. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Following, followCredentials } from '../../core/jobs/client-files.ts';
import type * as StateFile from '../../core/kernel/fs/state-file.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import type * as Lock from '../../core/sandbox/lock.ts';
import { TraiError } from '../../shared/errors.ts';
import { eachInAPlace, type Place } from '../../testing/cli.ts';

/** What happens around a copy: before one is written to the host, and before and after one is written into the session. */
const moment = vi.hoisted(() => ({
  out: (_: string): void => undefined,
  before: (): void => undefined,
  after: async (): Promise<void> => undefined,
}));
vi.mock('../../core/sandbox/lock.ts', async (original) => {
  const real = await original<typeof Lock>();
  const withLock: typeof real.withLock = async (ctx, work, ...more) => {
    moment.before();
    const result = await real.withLock(ctx, work, ...more);
    await moment.after();
    return result;
  };
  return { ...real, withLock };
});
vi.mock('../../core/kernel/fs/state-file.ts', async (original) => {
  const real = await original<typeof StateFile>();
  const writeWhole: typeof real.writeWhole = (path, content) => {
    moment.out(path);
    real.writeWhole(path, content);
  };
  return { ...real, writeWhole };
});

let place: Place;
eachInAPlace((made) => {
  place = made;
});

let file = '';
let child: ChildProcess;
let out = '';
let following: Following | undefined;

function replace(n: number): void {
  writeFileSync(`${file}.new`, `{"n":${n}}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
const refresh = (n: number) => `cd ~/.claude; echo '{"n":${n}}' > c; mv c .credentials.json`;
async function inside(line: string): Promise<void> {
  out = '';
  child.stdin?.write(`${line}\n`);
  await expect.poll(() => out).toContain('#\n');
}
const onHost = () => readFileSync(file, 'utf8');

beforeEach(async () => {
  // Below the project, which is covered wherever the tests' directory is.
  const home = join(place.project, 'home');
  file = join(home, '.claude/.credentials.json');
  mkdirSync(join(home, '.claude'), { recursive: true });
  replace(1);
  const loop = 'echo up; while read -r line; do eval "$line"; echo "#"; done';
  child = spawn('bash', [place.program, 'exec', '--session', 's', '--', 'bash', '-c', loop], {
    cwd: place.project,
    env: { ...place.env, HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  await expect.poll(() => out).toContain('up\n');
  const env = { HOME: home };
  following = followCredentials(await sessionContext(place.state, 's', env), env);
});
afterEach(async () => {
  moment.out = () => undefined;
  moment.before = () => undefined;
  moment.after = async () => undefined;
  await following?.stop(null);
  const gone = once(child, 'exit');
  child.stdin?.end();
  await gone;
});

it('a refresh in the session right after a copy into it reaches the host', async () => {
  let refreshed = false;
  moment.after = async () => {
    if (refreshed) return;
    refreshed = true;
    await inside(refresh(3));
  };
  // Not before the first look, which only notes what is there.
  const isRefreshed = (): boolean => {
    if (!refreshed) replace(2);
    return refreshed;
  };
  await expect.poll(isRefreshed).toBe(true);
  await expect.poll(onHost).toBe('{"n":3}\n');
});

it('a refresh in the session while an earlier one is copied to the host is not overwritten by that', async () => {
  let refreshed = false;
  moment.out = (path) => {
    if (refreshed || path !== file) return;
    refreshed = true;
    const args = [place.program, 'exec', '--session', 's', '--', 'bash', '-c', refresh(3)];
    execFileSync('bash', args, {
      cwd: place.project,
      env: { ...place.env, HOME: join(place.project, 'home') },
    });
  };
  await inside(refresh(2));
  await expect.poll(() => refreshed).toBe(true);
  await expect.poll(onHost).toBe('{"n":3}\n');
});

it('a copy that fails is made later', async () => {
  let refused = 0;
  moment.before = () => {
    if (refused++ === 0) throw new TraiError('busy', 'another action holds the lock');
  };
  const isRefused = (): boolean => {
    if (refused === 0) replace(2);
    return refused > 0;
  };
  await expect.poll(isRefused).toBe(true);
  const read = async () => {
    await inside('cat ~/.claude/.credentials.json');
    return out;
  };
  await expect.poll(read).toContain('{"n":2}');
  let failed = 0;
  moment.out = (path) => {
    if (path === file && failed++ === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  };
  await inside(refresh(3));
  await expect.poll(onHost).toBe('{"n":3}\n');
  expect(failed).toBe(2);
});
