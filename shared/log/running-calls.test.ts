import { expect, it } from 'vitest';
import { RunningCalls } from './running-calls.ts';
import type { LogEvent } from './types.ts';

const base = { v: 1, at: '2026-01-01T00:00:00.000Z' } as const;
const started = (call: string): LogEvent => ({ ...base, t: 'call.started', call, pid: 7, mode: 'host' });

it('knows the calls that have begun and not ended, failed or been closed', () => {
  const running = new RunningCalls();
  const ends: LogEvent[] = [
    { ...base, t: 'call.ended', call: 'a', rc: 0, ms: 1 },
    { ...base, t: 'call.failed', call: 'b', step: 1 },
    { ...base, t: 'call.closed', call: 'c', request: '', why: 'launcher-gone' },
  ];
  for (const call of ['a', 'b', 'c', 'd']) {
    expect(running.take(started(call))).toMatchObject({ is: 'started', start: { call } });
  }
  for (const end of ends) expect(running.take(end)).toMatchObject({ is: 'ended', start: { pid: 7 } });
  expect(running.all().map(({ call }) => call)).toEqual(['d']);
  expect([running.some, running.has('d'), running.has('a')]).toEqual([true, true, false]);
  expect(running.take({ ...base, t: 'call.ended', call: 'x', rc: 0, ms: 1 })).toEqual({
    is: 'ended',
    start: null,
  });
  expect(running.take({ ...base, t: 'call.left', call: 'd', pids: [8] })).toBeNull();
  running.reset();
  expect(running.some).toBe(false);
});
