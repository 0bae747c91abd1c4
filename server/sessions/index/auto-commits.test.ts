import { expect, it } from 'vitest';
import type { AutoReport } from '../../../core/jobs/auto/auto-commit.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { LogEvent, NewEvent } from '../../../shared/log/events.ts';
import { decided, ended, started } from '../../../testing/log/events.ts';
import { DirectRunner } from '../../../testing/server/direct-runner.ts';
import { AutoCommits } from './auto-commits.ts';
import { WatchedSession } from './watched-session.ts';

/** Runs of the job, each ended by the test. */
interface Run {
  signal: AbortSignal | undefined;
  end(left?: string[]): Promise<void>;
}

const tick = async () => await new Promise((resolve) => setImmediate(resolve));

function scene(...events: LogEvent[]) {
  const runs: Run[] = [];
  const logged: NewEvent[] = [];
  let folded = 0;
  const run = async (
    _name: unknown,
    _ctx: unknown,
    _input: unknown,
    _progress: unknown,
    signal?: AbortSignal,
  ) =>
    await new Promise<AutoReport>((resolve) => {
      const end = async (left: string[] = []) => {
        resolve({ report: null, left });
        await tick();
      };
      runs.push({ signal, end });
    });
  const commits = new AutoCommits({
    runner: { run: run as never },
    context: async () => ({}) as SessionContext,
    // As on a busy machine: nobody reads the log before it is asked for.
    follow: async ({ log }) => {
      await tick();
      for (const event of logged.slice(folded))
        log.fold.push({ v: 1, at: '2026-01-01T00:00:00.000Z', ...event } as LogEvent);
      folded = logged.length;
    },
    log: (_, event) => void logged.push(event),
    committed: () => {},
    report: (thrown) => {
      throw thrown;
    },
  });
  const session = new WatchedSession({
    ...{ id: 's', dir: '/nowhere/s', runner: new DirectRunner(), context: async () => null, now: () => 0 },
  });
  for (const event of events) session.log.fold.push(event);
  return { commits, session, runs, logged };
}

it('begins after a call, and in a session of trai claude beside the client itself', async () => {
  const call = scene(decided('c1', 'r1'), started('c1'));
  call.commits.begin(call.session);
  await tick();
  expect(call.runs).toHaveLength(0);
  call.session.log.fold.push(ended('c1'));
  call.commits.begin(call.session);
  await tick();
  expect(call.runs).toHaveLength(1);
  const client = scene({ ...decided('c1', ''), origin: 'client' } as LogEvent, started('c1'));
  client.commits.begin(client.session);
  await tick();
  expect(client.runs).toHaveLength(1);
});

it('is cancelled by the next call, and what ended meanwhile begins another one', async () => {
  const { commits, session, runs } = scene();
  commits.begin(session);
  await tick();
  commits.cancel('s');
  expect(runs[0]?.signal?.aborted).toBe(true);
  commits.begin(session);
  commits.begin(session);
  expect(runs).toHaveLength(1);
  await runs[0]?.end();
  expect(runs).toHaveLength(2);
  expect(runs[1]?.signal?.aborted).toBe(false);
  await runs[1]?.end();
  expect(runs).toHaveLength(2);
  await commits.close();
  commits.begin(session);
  expect(runs).toHaveLength(2);
});

it('says what stays pending once', async () => {
  const { commits, session, runs, logged } = scene();
  for (const left of [['a'], ['a', 'b'], ['b', 'a']]) {
    commits.begin(session);
    await tick();
    await runs.at(-1)?.end(left);
    await tick();
  }
  expect(logged).toEqual(['a', 'b'].map((text) => ({ t: 'notice', code: 'auto-left', text })));
});
