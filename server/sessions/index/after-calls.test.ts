import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogEvent } from '../../../shared/log/events.ts';
import { DirectRunner } from '../../../testing/server/direct-runner.ts';
import { AfterCalls } from './manager.ts';
import { WatchedSession } from './watched-session.ts';

const at = '2026-01-01T00:00:00.000Z';
const ended = (call: string): LogEvent => ({ v: 1, t: 'call.ended', at, call, rc: 0, ms: 1 });
const left: LogEvent = { v: 1, t: 'call.left', at, call: 'c1', pids: [7] };

const watched = (id: string): WatchedSession =>
  new WatchedSession({
    id,
    dir: `/nowhere/${id}`,
    runner: new DirectRunner(),
    context: async () => null,
    now: () => 0,
  });

describe('the work after a call', () => {
  const done: [string, readonly LogEvent[]][] = [];
  const afterCalls = new AfterCalls(async ({ id }, events) => void done.push([id, events]));
  const [one, other] = [watched('one'), watched('other')];
  beforeEach(() => {
    done.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it('is done when the hooks have had their time, once, with all that was said meanwhile', () => {
    afterCalls.saw(one, [ended('c1')]);
    afterCalls.saw(other, [left]);
    afterCalls.saw(one, [left, ended('c2')]);
    expect(done).toEqual([['other', [left]]]);
    vi.runAllTimers();
    expect(done.slice(1)).toEqual([['one', [ended('c1'), left, ended('c2')]]]);
  });

  it('has begun at once where somebody waits for it, and is not done twice', () => {
    afterCalls.saw(one, [ended('c1')]);
    void afterCalls.now(one);
    expect(done).toEqual([['one', [ended('c1')]]]);
    void afterCalls.now(one);
    expect(done.slice(1)).toEqual([['one', []]]);
    vi.runAllTimers();
    expect(done).toHaveLength(2);
  });

  it('is left to the next server by one that closes', () => {
    afterCalls.saw(one, [ended('c1')]);
    afterCalls.close();
    vi.runAllTimers();
    expect(done).toEqual([]);
  });
});
