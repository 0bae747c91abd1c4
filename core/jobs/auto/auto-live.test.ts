/** The commit of an effect rule while processes of the session run, and one that dies. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import * as changes from '../../../testing/changes/changes.ts';
import { requestFor } from '../../../testing/commit/commit.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { eachFaultPoint } from '../../../testing/runs.ts';
import { type LiveCall, liveCall } from '../../../testing/sandbox/live-call.ts';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { commitAll } from '../../commit/commit.ts';
import { readHistory } from '../../commit/history/history.ts';
import { processStat } from '../../kernel/proc/proc.ts';
import { clientRecordPath } from '../../sandbox/client-door.ts';
import { scan } from '../../scan/scan.ts';
import { readFold } from '../../session/log/read.ts';
import { JOBS } from '../jobs.ts';

let s: TestSession | null = null;
let call: LiveCall | null = null;
afterEach(async () => {
  await call?.end();
  call = null;
  await s?.close();
  s = null;
});

it('leaves a live session alone, and of a client’s own one what is open for writing', async () => {
  const t = await testSession();
  s = t;
  const configDir = join(t.base, 'config/trai');
  mkdirSync(configDir, { recursive: true });
  const effects = [{ paths: ['project:dist/'], do: 'auto' }];
  writeFileSync(join(configDir, 'rules.json'), JSON.stringify({ version: 2, effects }));
  const ctx = { ...t.ctx, configDir };
  const onHost = (name: string) => {
    const file = join(t.project, 'dist', name);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  call = await liveCall(t, 'mkdir dist; echo a > dist/closed; exec 7> dist/open; echo half >&7');
  expect(await JOBS.autoCommit(ctx, null)).toEqual({ report: null, left: [] });
  expect(onHost('closed')).toBe(null);
  const start = processStat(call.pid)?.start;
  writeFileSync(clientRecordPath(t.sessionDir), JSON.stringify({ v: 1, pid: call.pid, start, state: null }));
  expect((await JOBS.autoCommit(ctx, null)).report).toMatchObject({
    state: 'applied',
    applied: 2,
    copies: true,
  });
  expect([onHost('closed'), onHost('open')]).toEqual(['a\n', null]);
  await call.inside('echo rest >&7; exec 7>&-');
  expect((await JOBS.autoCommit(ctx, null)).report).toMatchObject({ applied: 1 });
  expect(onHost('open')).toBe('half\nrest\n');
  // Committed copies stay until the session is quiet; they are no changes.
  expect((await JOBS.autoCommit(ctx, null)).report).toBe(null);
});

it('leaves what was on the host before and is open for writing', async () => {
  const t = await testSession();
  s = t;
  const configDir = join(t.base, 'config/trai');
  mkdirSync(configDir, { recursive: true });
  mkdirSync(join(t.project, 'dist'));
  writeFileSync(join(t.project, 'dist/open'), 'old\n');
  const effects = [{ paths: ['project:dist/'], do: 'auto' }];
  writeFileSync(join(configDir, 'rules.json'), JSON.stringify({ version: 2, effects }));
  const ctx = { ...t.ctx, configDir };
  const onHost = () => readFileSync(join(t.project, 'dist/open'), 'utf8');
  call = await liveCall(t, 'exec 7>> dist/open; echo half >&7');
  const start = processStat(call.pid)?.start;
  writeFileSync(clientRecordPath(t.sessionDir), JSON.stringify({ v: 1, pid: call.pid, start, state: null }));
  expect((await JOBS.autoCommit(ctx, null)).report).toBe(null);
  expect(onHost()).toBe('old\n');
  await call.inside('echo rest >&7; exec 7>&-');
  expect((await JOBS.autoCommit(ctx, null)).report).toMatchObject({ applied: 1 });
  expect(onHost()).toBe('old\nhalf\nrest\n');
});

it('is cancelled before it has begun', async () => {
  const t = await testSession();
  s = t;
  const configDir = join(t.base, 'config/trai');
  mkdirSync(configDir, { recursive: true });
  const effects = [{ paths: ['project:x'], do: 'auto' }];
  writeFileSync(join(configDir, 'rules.json'), JSON.stringify({ version: 2, effects }));
  await t.call('echo a > x');
  const ctx = { ...t.ctx, configDir };
  expect((await JOBS.autoCommit(ctx, null, undefined, AbortSignal.abort())).report).toBe(null);
  expect(existsSync(join(t.project, 'x'))).toBe(false);
  expect((await JOBS.autoCommit(ctx, null)).report).toMatchObject({ applied: 1 });
});

/** Null = there is no call `n`. */
async function dyingAt(n: number): Promise<string | null> {
  const t = changes.testSession();
  const faulty = FaultPort.at(n, 'die');
  try {
    t.onHost('echo old > f');
    t.inSandbox('echo new > f; mkdir d; echo x > d/x; echo rest > rest');
    const list = await scan(t.ctx);
    const exactly = new Set(list.changes.map(({ path }) => path).filter((path) => !path.endsWith('rest')));
    const tools = { port: faulty.port, auto: 'effects[0] of f' };
    await commitAll(t.ctx, list, requestFor(list, { exactly }), tools).catch((error: unknown) =>
      expect(error).toBeInstanceOf(Died),
    );
    faulty.dispose();
    if (faulty.hit === null) return null;
    await JOBS.recover(t.ctx, null);
    const marks = (await readFold(t.ctx.sessionDir)).marks();
    const commits = marks.filter((mark) => mark.kind === 'commit' && mark.state !== 'refused');
    const auto = readHistory(t.ctx).map((entry) => [entry.state, entry.auto]);
    // Rolled forward with its rule, or rolled back.
    const done = existsSync(`${t.host}/d/x`);
    expect(auto).toEqual(done ? [['applied', tools.auto]] : []);
    for (const mark of commits) expect(mark).toMatchObject({ auto: tools.auto });
    expect([readFileSync(`${t.host}/f`, 'utf8'), existsSync(`${t.host}/rest`)]).toEqual([
      done ? 'new\n' : 'old\n',
      false,
    ]);
    return faulty.hit;
  } catch (error) {
    throw new Error(`death at call ${n} (${faulty.hit})`, { cause: error });
  } finally {
    faulty.dispose();
    t.remove();
  }
}

it('one that dies at any call is rolled forward with its rule, or back', async () => {
  await eachFaultPoint('auto commit, death', dyingAt);
}, 600_000);
