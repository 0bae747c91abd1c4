/** A refresh of the credentials at the very moment of a copy: it must not be taken for the copy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { followCredentials } from '../../core/jobs/client-files.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import type * as Lock from '../../core/sandbox/lock.ts';
import { eachInAPlace, type Place } from '../../testing/cli.ts';

/** What a client does right after a copy has been written into the session. */
const moment = vi.hoisted(() => ({ after: async (): Promise<void> => undefined }));
vi.mock('../../core/sandbox/lock.ts', async (original) => {
  const real = await original<typeof Lock>();
  const withLock: typeof real.withLock = async (ctx, work, ...more) => {
    const result = await real.withLock(ctx, work, ...more);
    await moment.after();
    return result;
  };
  return { ...real, withLock };
});

let place: Place;
eachInAPlace((made) => {
  place = made;
});
let stop: (() => Promise<void>) | null = null;
afterEach(async () => {
  moment.after = async () => undefined;
  await stop?.();
});

it('reaches the host', async () => {
  // Below the project, which is covered wherever the tests' directory is.
  const home = join(place.project, 'home');
  const file = join(home, '.claude/.credentials.json');
  mkdirSync(join(home, '.claude'), { recursive: true });
  const replace = (n: number): void => {
    writeFileSync(`${file}.new`, `{"n":${n}}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  replace(1);
  const loop = 'echo up; while read -r line; do eval "$line"; echo "#"; done';
  const child = spawn('bash', [place.program, 'exec', '--session', 's', '--', 'bash', '-c', loop], {
    cwd: place.project,
    env: { ...place.env, HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await expect.poll(() => out).toContain('up\n');
  const env = { HOME: home };
  stop = followCredentials(await sessionContext(place.state, 's', env), env);
  let refreshed = false;
  moment.after = async () => {
    if (refreshed) return;
    refreshed = true;
    out = '';
    child.stdin.write(`cd ~/.claude; echo '{"n":3}' > c; mv c .credentials.json\n`);
    await expect.poll(() => out).toContain('#\n');
  };
  // Not before the first look, which only notes what is there.
  const isRefreshed = (): boolean => {
    if (!refreshed) replace(2);
    return refreshed;
  };
  await expect.poll(isRefreshed).toBe(true);
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('{"n":3}\n');
  child.stdin.end();
  await gone;
});
