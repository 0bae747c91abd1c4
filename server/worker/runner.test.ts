import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SessionContext } from '../../core/session/session-context.ts';
import { noChanges } from '../sessions/index/session-list.ts';
import { WorkerRunner } from './runner.ts';

/** Answers each request with its own thread's id; never answers `history`. */
const WORKER = `
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ id, name }) => {
    if (name !== 'history') parentPort.postMessage({ id, type: 'done', output: threadId });
  });
`;
const IDLE_MS = 1_000;

let runner: WorkerRunner;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  runner = new WorkerRunner(new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`), IDLE_MS);
});
afterEach(async () => {
  vi.useRealTimers();
  await runner.close();
});

const ctx = { session: 's' } as SessionContext;
const source = { revision: '1', spansVersion: '', found: noChanges('s'), spans: () => [] };
const ask = async (): Promise<unknown> => await runner.ask('viewed', ctx, source, null as never);

it('a question is answered also at the moment when the idle thread is ended', async () => {
  const threads = new Set<unknown>();
  for (let i = 0; i < 20; i++) {
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first).toBe(second);
    threads.add(first);
    vi.advanceTimersByTime(IDLE_MS);
  }
  expect(threads.size).toBe(20);
});

it('a new thread is not lost when the old one has ended', async () => {
  await ask();
  vi.advanceTimersByTime(IDLE_MS);
  const thread = await ask();
  // The end of the old thread, and what follows it.
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  expect(await ask()).toBe(thread);
});

it('a request that runs keeps its thread, and fails when the runner is closed', async () => {
  const waiting = runner.run('history', ctx, null);
  const thread = await ask();
  vi.advanceTimersByTime(2 * IDLE_MS);
  expect(await ask()).toBe(thread);
  expect(runner.running).toBe(1);
  await Promise.all([expect(waiting).rejects.toThrow('the worker thread ended'), runner.close()]);
  expect(runner.running).toBe(0);
});
