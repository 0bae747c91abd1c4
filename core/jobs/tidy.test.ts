import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testSession } from '../../testing/changes/changes.ts';
import { testSession as sandboxSession, type TestSession } from '../../testing/sandbox/session.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { watchLstat } from '../kernel/fs/entry.ts';
import { takeFileLock } from '../kernel/proc/file-lock.ts';
import { readBaseFile } from '../overlay/base-file.ts';
import { endProcesses } from '../sandbox/live.ts';
import { tidy } from './tidy.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

/** Marks of `volatile` in the work directories, which only the root of a namespace can enter. */
function marks(client: TestClient): string[] {
  // It is a link, which `find` does not follow without the slash.
  const overlay = path.join(t.state, 'sessions', client.id, 'overlay/');
  const find = ['find', overlay, '-path', '*/w/work/incompat', '-prune', '-print'];
  const enter = process.getuid?.() === 0 ? [] : ['unshare', '--user', '--map-root-user'];
  const [program = '', ...args] = [...enter, ...find];
  return execFileSync(program, args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

it('leaves no mark for the next call to remove, also after calls that wrote nothing', async () => {
  const client = new TestClient(t, 'marks');
  await client.start();
  // `true` would run on the host.
  for (const command of ['echo x > f', 'bash -c :', 'bash -c :', 'bash -c :']) {
    expect(await client.bash(command), command).toMatchObject({ rc: 0 });
    await expect.poll(() => marks(client), { message: command }).toEqual([]);
  }
});

it('looks at none of many entries of directories in which nothing has changed', async () => {
  const s = testSession();
  const seen: string[] = [];
  try {
    s.inSandbox(
      'mkdir -p new/below; for i in {1..1100}; do echo $i >new/$i; echo $i >new/below/$i; done; sleep 0.05',
    );
    await tidy(s.ctx, null);
    s.inSandbox('echo 1 >one');
    const before = watchLstat((path) => seen.push(path));
    try {
      await tidy(s.ctx, null);
    } finally {
      watchLstat(before);
    }
  } finally {
    s.remove();
  }
  expect(seen).toContain(`${s.upper}/one`);
  expect(seen).toContain(`${s.upper}/new/below`);
  expect(seen.filter((path) => /\/new\/(below\/)?\d+$/.test(path))).toEqual([]);
});

it('takes no lock in a live session until something is written, and then records it', async () => {
  const s = await sandboxSession();
  try {
    const go = path.join(s.base, 'go');
    execFileSync('mkfifo', [go]);
    await s.call('echo 1 >made');
    await s.call(`(read -r go <'${go}'; echo 2 >later; exec sleep 300) </dev/null >/dev/null 2>&1 &`);
    // Later than the tick of the clock in which the file was made.
    await pause(100);
    const { left } = await tidy(s.ctx, null);
    expect(left).toHaveLength(1);
    const release = await takeFileLock(`${s.sessionDir}/lock`);
    try {
      expect(await tidy(s.ctx, null)).toEqual({ left });
    } finally {
      await release();
    }
    expect(recorded(s)).toEqual(['made']);
    writeFileSync(go, 'go\n');
    await expect.poll(() => existsSync(path.join(upperOf(s), 'later'))).toBe(true);
    await tidy(s.ctx, null);
    expect(recorded(s)).toEqual(['later', 'made']);
    // What a live session leaves is done when it is quiet: an untouched copy-up goes.
    await endProcesses(s.ctx.source);
    expect(await tidy(s.ctx, null)).toEqual({ left: [] });
  } finally {
    await s.close();
  }
});

const upperOf = ({ ctx, project }: TestSession): string =>
  ctx.coveredDirs.find((covered) => covered.path === project)?.upper ?? '';

/** Names in the project that have a base record. */
function recorded({ ctx, project }: TestSession): string[] {
  const paths = [...readBaseFile(ctx).records.keys()];
  return paths.flatMap((one) => (path.dirname(one) === project ? [path.basename(one)] : [])).sort();
}
