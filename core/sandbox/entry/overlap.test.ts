import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../testing/runs.ts';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { processText } from '../../kernel/proc/proc.ts';
import { endProcesses, isQuiet } from '../live.ts';
import { withLock } from '../lock.ts';

/** One call: its duration, whether it leaves a process, and when (if ever) which process is killed. */
const step = fc.record({
  pause: fc.integer({ min: 0, max: 40 }),
  stays: fc.integer({ min: 0, max: 120 }),
  leaves: fc.boolean(),
  kill: fc.constantFrom('nobody', 'nobody', 'nobody', 'launcher', 'tree'),
  killAfter: fc.integer({ min: 0, max: 60 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Each call increments a file under a lock of its own and leaves a mark at its end. */
function commandOf(n: number, { stays, leaves }: Step): string {
  const count =
    "flock count.lock sh -c 'read -r n 2>/dev/null < count; echo $((n + 1)) > count.new && mv count.new count'";
  const background = leaves ? `(sleep 0.${String(stays + 100)}; touch late-${n}) >/dev/null 2>&1 &` : '';
  return `${background} ${count}; sleep 0.${String(stays).padStart(3, '0')}; touch through-${n}`;
}

/** The device of each mount point of the session, as a process has it. */
function viewOf(pid: string, source: string): Map<string, string> {
  const lines = (processText(Number(pid), 'mountinfo') ?? '').split('\n');
  const own = lines.filter((line) => line.includes(` - overlay ${source} `)).map((line) => line.split(' '));
  return new Map(own.map(([, , device = '', , point = '']) => [point, device]));
}

/** No point is mounted twice at a time: of two devices, one is gone by the second look. */
function expectOneView(source: string): void {
  const views = new Map<string, Map<string, string>>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    for (const [point, device] of viewOf(pid, source))
      views.set(point, (views.get(point) ?? new Map<string, string>()).set(device, pid));
  for (const [point, devices] of views) {
    if (devices.size === 1) continue;
    const still = [...devices].filter(([device, pid]) => viewOf(pid, source).get(point) === device);
    expect(still.length, `overlays at ${point}`).toBeLessThan(2);
  }
}

async function play(session: TestSession, steps: readonly Step[]): Promise<Set<number>> {
  const finished = new Set<number>();
  const running: Promise<void>[] = [];
  for (const [n, one] of steps.entries()) {
    await sleep(one.pause);
    const child = session.start(commandOf(n, one));
    child.stdin?.end();
    running.push(outcome(child, one).then((rc) => void (rc === 0 && finished.add(n))));
  }
  let over = false;
  const all = Promise.all(running).finally(() => {
    over = true;
  });
  for (; !over; await sleep(20)) expectOneView(session.ctx.source);
  await all;
  return finished;
}

async function outcome(child: ChildProcess, { kill, killAfter }: Step): Promise<number | null> {
  const closed = once(child, 'exit');
  if (kill !== 'nobody' && child.pid !== undefined) {
    await sleep(killAfter);
    try {
      process.kill(kill === 'tree' ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // It had ended.
    }
  }
  const [code] = await closed;
  return code;
}

describe('calls that start, overlap and are killed at random', () => {
  it('have one view, lose no write, and never touch the host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const session = await testSession();
        try {
          mkdirSync(join(session.project, 'untouched'));
          const finished = await play(session, steps);
          const { rc, stdout } = await session.call('cat count 2>/dev/null || echo 0; ls');
          expect(rc).toBe(0);
          const [count, ...names] = stdout.trim().split('\n');
          for (const n of finished) expect(names).toContain(`through-${n}`);
          expect(Number(count)).toBeGreaterThanOrEqual(finished.size);
          expect(Number(count)).toBeLessThanOrEqual(steps.length);
          // The host is unchanged, and each call with status 0 has its end in the log.
          expect(readdirSync(session.project)).toEqual(['untouched']);
          const ends = session.log().filter((event) => event['t'] === 'call.ended' && event['rc'] === 0);
          expect(ends.length).toBeGreaterThanOrEqual(finished.size);
          await endProcesses(session.ctx.source);
          expect(await withLock(session, () => isQuiet(session.ctx))).toBe(true);
          expect(existsSync(join(session.project, 'count'))).toBe(false);
        } finally {
          await session.close();
        }
      }),
      { numRuns: runsOf(12) },
    );
  }, 120_000);
});
