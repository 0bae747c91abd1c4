/**
 * Jobs of a live session that die at each call that changes something: the calls of `nodePort` fail from the n-th on, as after
 * kill -9. The next run completes them, beside the process that still runs or when the session is quiet by then. One session
 * serves all points of a scene: after each all must be as at first.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { needsRepair } from '../../core/commit/recover/repair.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { nodePort } from '../../core/kernel/fs/port.ts';
import { isQuiet } from '../../core/sandbox/live.ts';
import { replayDirs } from '../../core/sandbox/replay-dirs.ts';
import { scan } from '../../core/scan/scan.ts';
import { isWithin } from '../../shared/bytes.ts';
import { REPLAY_KEPT_MS } from '../../shared/limits.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import type { DiscardReport } from '../../shared/model/commit.ts';
import { Died, FaultPort } from '../commit/fault-port.ts';
import { someFaultPoints } from '../runs.ts';
import { type LiveCall, liveCall } from './live-call.ts';
import { type TestSession, testSession } from './session.ts';

export interface Setting {
  host: string;
  inside: string;
  /** What the host changes after that. */
  later?: string;
  /** Of its fault points one in so many is tried in each run. */
  stride: number;
}

/** Every point in every run: files that the host has too, one in conflict, a deletion, a new file and a new directory. */
export const SMALL: Setting = {
  host: 'echo 1 > f; echo g > gone; echo 1 > both',
  inside: 'echo 2 > f; rm gone; echo n > n; mkdir new; echo m > new/m; echo 2 > both',
  later: 'echo h > both',
  stride: 1,
};
/** Also what changes its type or is made again, and nested directories. */
export const LARGE: Setting = {
  host: 'echo 1 > f; mkdir d typed; echo x > d/x; echo z > typed/z; echo g > gone; echo t > t',
  inside:
    'echo 2 > f; rm -r d typed; echo file > typed; rm gone; mkdir -p new/deep used; echo n > new/n; echo m > new/deep/m; rm t; mkdir t; echo in > t/in; echo u > used/u',
  stride: 3,
};
/** A process has something open of directories that it has deleted: where the rest goes, whiteouts have to stay. */
export const HELD: Setting = {
  host: 'mkdir d typed; echo x > d/x; echo z > typed/z',
  inside: 'exec 7<d/x 8<typed/z; rm -r d typed; mkdir d; echo n > d/n; echo file > typed',
  stride: 2,
};

const VIEW = `find . -name .git -prune -o -printf '%p %y %m %l\\n' -type f -exec sha256sum {} + | LC_ALL=C sort`;

export class LiveScene {
  readonly s: TestSession;
  /** Of the host, and of the session, as they are at first. */
  readonly host: string;
  readonly changed: string;
  readonly list: readonly string[];
  #call: LiveCall | null;

  private constructor(s: TestSession, call: LiveCall, first: Pick<LiveScene, 'host' | 'changed' | 'list'>) {
    this.s = s;
    this.#call = call;
    this.host = first.host;
    this.changed = first.changed;
    this.list = first.list;
  }

  static async of({ host, inside, later = ':' }: Setting): Promise<LiveScene> {
    const s = await testSession();
    s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
    writeFileSync(`${s.sessionDir}/calls.jsonl`, '');
    mkdirSync(`${s.project}/.git`);
    execFileSync('bash', ['-ec', host], { cwd: s.project });
    // What the host changed in the same tick of the clock would count as changed meanwhile.
    await sleep(3 * CLOCK_TICK_MS);
    const call = await liveCall(s, `cd '${s.project}'`);
    // What is deleted later was certainly seen.
    await JOBS.tidy(s.ctx, { earliestCall: null });
    await call.inside(inside);
    await JOBS.tidy(s.ctx, { earliestCall: null });
    execFileSync('bash', ['-ec', later], { cwd: s.project });
    await sleep(3 * CLOCK_TICK_MS);
    return new LiveScene(s, call, {
      host: viewOnHost(s),
      changed: await call.inside(VIEW),
      list: await listOf(s),
    });
  }

  hostView(): string {
    return viewOnHost(this.s);
  }

  /** Names, modes and contents of the project as a call of the session sees them: the one that runs, or a new one. */
  async view(): Promise<string> {
    if (this.#call !== null) return await this.#call.inside(VIEW);
    const { rc, stdout, stderr } = await this.s.call(`cd '${this.s.project}'; ${VIEW}`);
    expect([rc, stderr]).toEqual([0, '']);
    return stdout;
  }

  /** The same before the next run: without what a dead undo of a commit has left on the host. */
  async viewBesideLeft(): Promise<string> {
    return (await this.view()).replace(/^.*\/\.trai-(commit|old)\..*\n/gm, '');
  }

  async pending(): Promise<string[]> {
    return await listOf(this.s);
  }

  /** In a live session in which nothing is kept, with `lines` run in its process. */
  async goOn(lines = ':'): Promise<void> {
    this.#call ??= await liveCall(this.s, `cd '${this.s.project}'; ${VIEW} > /dev/null`);
    await this.#call.inside(lines);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * REPLAY_KEPT_MS);
    // A task of the process may still run, as if it had a file just opened.
    const kept = async () => (await JOBS.replay(this.s.ctx, { paths: [], everything: false })).kept;
    await expect.poll(kept, { timeout: 60_000 }).toBe(0);
    clock.mockRestore();
  }

  /** As at first by `HELD` once more: a new call can't open what was deleted. Returns the trash of what was there. */
  async holdAgain(): Promise<string> {
    await this.goOn('exec 7<&- 8<&-');
    const { trash } = await this.discard();
    await this.goOn(HELD.inside);
    await JOBS.tidy(this.s.ctx, { earliestCall: null });
    return trash;
  }

  async end(): Promise<void> {
    await this.#call?.end();
    this.#call = null;
    await expect.poll(async () => await isQuiet(this.s.ctx), { timeout: 60_000, interval: 10 }).toBe(true);
  }

  async recover(): Promise<void> {
    const { ctx } = this.s;
    await JOBS.recover(ctx, null);
    await JOBS.tidy(ctx, { earliestCall: null });
    expect(needsRepair(ctx)).toBe(false);
  }

  async discard(): Promise<DiscardReport> {
    const { ctx } = this.s;
    const scope = { kind: 'paths' as const, paths: [ctx.projectRoot] };
    return await JOBS.discard(ctx, { scope, revision: null, endProcesses: false });
  }

  async expectAsAtFirst(what: string): Promise<void> {
    expect(this.hostView(), what).toBe(this.host);
    expect(await this.pending(), what).toEqual(this.list);
    expect(await this.view(), what).toBe(this.changed);
  }
}

const viewOnHost = ({ project }: TestSession): string =>
  execFileSync('bash', ['-ec', VIEW], { cwd: project, stdio: 'pipe', encoding: 'utf8' });

async function listOf({ ctx }: TestSession): Promise<string[]> {
  return (await scan(ctx)).changes.flatMap(({ kind, path, conflict }) =>
    isWithin(path, ctx.projectRoot) ? [`${kind} ${path} ${conflict}`] : [],
  );
}

/**
 * Every call of the port fails from the n-th change on. Returns the method that it hit; null when there were fewer. The clock
 * stands still: nothing that is kept becomes old enough to be removed, which would be calls more on a slow machine.
 */
async function dying(n: number, work: () => Promise<unknown>): Promise<string | null> {
  // What was written in the same tick of the clock goes another way.
  await sleep(2 * CLOCK_TICK_MS);
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
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
    clock.mockRestore();
    Object.assign(nodePort, own);
    faulty.dispose();
  }
  return faulty.hit;
}

/** What a test does at one fault point, after the scene is as at first. */
interface Point {
  scene: LiveScene;
  /** For messages of expectations. */
  what: () => string;
  /** Runs the job until it dies. */
  die: (job: () => Promise<unknown>) => Promise<void>;
  /** Ends the process of the session at every other point: the next run finds it quiet. */
  endInTurn: () => Promise<void>;
}

export async function diesAtEach(
  what: string,
  setting: Setting,
  at: (point: Point) => Promise<void>,
): Promise<void> {
  const scene = await LiveScene.of(setting);
  try {
    let count = 0;
    await someFaultPoints(
      what,
      async (n) => {
        const isLive = ++count % 2 === 1;
        let hit: string | null = null;
        await at({
          scene,
          what: () => `${hit} at ${n}, then ${isLive ? 'live' : 'quiet'}`,
          die: async (job) => {
            hit = await dying(n, job);
          },
          endInTurn: async () => (isLive ? undefined : await scene.end()),
        });
        return hit;
      },
      setting.stride,
    );
  } finally {
    await scene.s.close();
  }
}
