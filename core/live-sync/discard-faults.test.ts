/**
 * A discard of a live session, its undo, and the undo of a commit that die at each call that changes something: here
 * the calls of `nodePort` fail from the n-th on, as after kill -9. The next run completes it, beside the process that
 * still runs or when the session is quiet by then; nothing is lost, and the host is never touched but by the undo.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, describe, it as each, expect } from 'vitest';
import { isWithin } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { Died, FaultPort } from '../../testing/commit/fault-port.ts';
import { someFaultPoints } from '../../testing/runs.ts';
import { type LiveCall, liveCall } from '../../testing/sandbox/live-call.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { readHistory } from '../commit/history/history.ts';
import { needsRepair } from '../commit/recover/repair.ts';
import { JOBS } from '../jobs/jobs.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { isQuiet } from '../sandbox/live.ts';
import { replayDirs } from '../sandbox/replay-dirs.ts';
import { scan } from '../scan/scan.ts';

interface Size {
  host: string;
  inside: string;
  stride: number;
  /** Goes on in the session of the point before, where all must be as at first by then. */
  again?: true;
}

/** Every point in every run. */
const SMALL: Size = {
  host: 'echo 1 > f; echo g > gone',
  inside: 'echo 2 > f; rm gone; echo n > n',
  stride: 1,
  again: true,
};
/** Of some 150 calls, beside a real process: a tenth of them in each run. */
const LARGE: Size = {
  host: 'echo 1 > f; mkdir d typed; echo x > d/x; echo z > typed/z; echo g > gone; echo t > t',
  inside:
    'echo 2 > f; rm -r d typed; echo file > typed; rm gone; mkdir -p new/deep; echo n > new/n; echo m > new/deep/m; rm t; mkdir t; echo in > t/in',
  stride: 11,
};
/**
 * Not the staging directory of an interrupted undo, nor what a dead run was just taking out: its bytes are in the trash
 * as well, but nothing proves that it is no write of a process, so it becomes visible.
 */
const IS_OURS = /\/(\.trai-commit\.|trai-kept-)/;
const VIEW = `find . \\( -name .git -o -name '.trai-commit.*' -o -name 'trai-kept-*' \\) -prune -o -printf '%p %y %m %l\\n' -type f -exec sha256sum {} \\; | LC_ALL=C sort`;

let s: TestSession;
afterEach(async () => await s.close());

interface Scene {
  call: LiveCall;
  host: string;
  changed: string;
  list: string[];
}

const hostView = (): string =>
  execFileSync('bash', ['-ec', VIEW], { cwd: s.project, stdio: 'pipe', encoding: 'utf8' });

async function listed(): Promise<string[]> {
  const { changes } = await scan(s.ctx);
  return changes.flatMap(({ kind, path, conflict }) =>
    isWithin(path, s.ctx.projectRoot) && !IS_OURS.test(path) ? [`${kind} ${path} ${conflict}`] : [],
  );
}

async function scene({ host, inside }: Size): Promise<Scene> {
  s = await testSession();
  s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
  writeFileSync(`${s.sessionDir}/calls.jsonl`, '');
  mkdirSync(`${s.project}/.git`);
  execFileSync('bash', ['-ec', host], { cwd: s.project });
  // What the host changed in the same tick of the clock would count as changed meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 3 * CLOCK_TICK_MS));
  const call = await liveCall(s, `cd '${s.project}'; ${inside}`);
  await JOBS.tidy(s.ctx, { earliestCall: null });
  return { call, host: hostView(), changed: await call.inside(VIEW), list: await listed() };
}

/** Every call of the port fails from the n-th change on. Returns the method that it hit; null when there were fewer. */
async function dying(n: number, work: () => Promise<unknown>): Promise<string | null> {
  const own = { ...nodePort };
  // Those that FaultPort calls are nodePort's: it must not call itself.
  const faulty = FaultPort.at(n, 'die');
  const methods = Object.keys(own).map((name) => {
    const method = Reflect.get(faulty.port, name) as (...args: unknown[]) => unknown;
    return [
      name,
      (...args: unknown[]) => {
        Object.assign(nodePort, own);
        try {
          return method(...args);
        } finally {
          Object.assign(nodePort, Object.fromEntries(methods));
        }
      },
    ] as const;
  });
  Object.assign(nodePort, Object.fromEntries(methods));
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Died) && faulty.hit === null) throw error;
  } finally {
    Object.assign(nodePort, own);
    faulty.dispose();
  }
  return faulty.hit;
}

const discard = () =>
  JOBS.discard(s.ctx, {
    scope: { kind: 'paths', paths: [s.ctx.projectRoot] },
    revision: null,
    endProcesses: false,
  });

async function sceneAt(n: number, size: Size, before: Scene | null): Promise<Scene> {
  if (before !== null && size.again === true) {
    if (await isQuiet(s.ctx)) before.call = await liveCall(s, `cd '${s.project}'`);
    await before.call.inside('rm -f trai-kept-*');
    return before;
  }
  if (n > 1) await s.close();
  return await scene(size);
}

async function end(call: LiveCall): Promise<void> {
  await call.end();
  await expect.poll(async () => await isQuiet(s.ctx), { timeout: 60_000 }).toBe(true);
}

const recover = async (): Promise<void> => {
  await JOBS.recover(s.ctx, null);
  await JOBS.tidy(s.ctx, { earliestCall: null });
  expect(needsRepair(s.ctx)).toBe(false);
};

/** The discard has happened, and can be undone; or nothing has changed. */
async function expectEither(
  { host, changed, list }: Scene,
  view: () => Promise<string>,
  what: string,
): Promise<void> {
  expect(hostView(), what).toBe(host);
  const now = await listed();
  const [entry] = readHistory(s.ctx);
  if (now.length > 0) {
    expect(now, what).toEqual(list);
    expect(await view(), what).toBe(changed);
    if (entry?.state === 'applied') throw new Error(`${what}: pending and in the trash`);
    return;
  }
  expect(await view(), what).toBe(host);
  expect(entry, what).toMatchObject({ kind: 'discard', state: 'applied', can: 'undo' });
  await JOBS.undo(s.ctx, { trash: entry?.trash ?? '' });
  expect(await listed(), what).toEqual(list);
  expect(await view(), what).toBe(changed);
}

const later = async (): Promise<string> => {
  const { rc, stdout, stderr } = await s.call(`cd '${s.project}'; ${VIEW}`);
  expect([rc, stderr]).toEqual([0, '']);
  return stdout;
};

describe.each<[string, string, Size, (n: number) => boolean]>([
  ['of a few entries', 'the process still runs, or not, in turn', SMALL, (n) => n % 2 === 1],
  ['of many', 'the process still runs', LARGE, () => true],
  ['of many', 'the session is quiet', LARGE, () => false],
])('%s, after a death, when the next run comes and %s', (_, __, size, isLive) => {
  each('a discard has happened or not', { timeout: 3_600_000 }, async () => {
    let before: Scene | null = null;
    await someFaultPoints(
      'live discard',
      async (n) => {
        const one = await sceneAt(n, size, before);
        before = one;
        const live = isLive(n);
        const hit = await dying(n, discard);
        if (!live) await end(one.call);
        await recover();
        await expectEither(one, live ? async () => await one.call.inside(VIEW) : later, `${hit} at ${n}`);
        return hit;
      },
      size.stride,
    );
  });

  each(
    'an undo of it has happened, or what it has not brought back is in the trash',
    { timeout: 3_600_000 },
    async () => {
      let before: Scene | null = null;
      await someFaultPoints(
        'undo of a live discard',
        async (n) => {
          const one = await sceneAt(n, size, before);
          before = one;
          const live = isLive(n);
          const { trash } = await discard();
          const hit = await dying(n, async () => await JOBS.undo(s.ctx, { trash }));
          if (!live) await end(one.call);
          await recover();
          const [entry] = readHistory(s.ctx);
          if (entry?.state === 'applied') await JOBS.undo(s.ctx, { trash });
          const what = `${hit} at ${n}`;
          expect(await listed(), what).toEqual(one.list);
          expect(hostView(), what).toBe(one.host);
          expect(live ? await one.call.inside(VIEW) : await later(), what).toBe(one.changed);
          return hit;
        },
        size.stride,
      );
    },
  );

  each(
    'an undo of a commit has happened or not, and the view is the same',
    { timeout: 3_600_000 },
    async () => {
      let before: Scene | null = null;
      await someFaultPoints(
        'undo of a commit in a live session',
        async (n) => {
          const one = await sceneAt(n, size, before);
          before = one;
          const live = isLive(n);
          await end(one.call);
          const scope = { kind: 'paths' as const, paths: [s.ctx.projectRoot] };
          const request = { scope, revision: null, includeIgnored: true, conflicts: 'take-sandbox' as const };
          const { n: commit } = await JOBS.commit(s.ctx, {
            ...request,
            choices: {},
            yes: true,
            typedCount: null,
          });
          expect(hostView()).toBe(one.changed);
          const call = await liveCall(s, `cd '${s.project}'; ${VIEW} >/dev/null`);
          one.call = call;
          const ask = {
            revision: null,
            conflicts: 'refuse' as const,
            choices: {},
            yes: true,
            typedCount: null,
          };
          const undo = async () => await JOBS.undoCommit(s.ctx, { n: commit, ...ask, endProcesses: false });
          const hit = await dying(n, undo);
          const what = `${hit} at ${n}`;
          expect(await call.inside(VIEW), what).toBe(one.changed);
          if (!live) await end(call);
          await recover();
          expect(live ? await call.inside(VIEW) : await later(), what).toBe(one.changed);
          if (hostView() === one.changed) {
            expect(await listed(), what).toEqual([]);
            await undo();
          }
          expect(hostView(), what).toBe(one.host);
          expect(await listed(), what).toEqual(one.list);
          return hit;
        },
        size.stride,
      );
    },
  );
});
