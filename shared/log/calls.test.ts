import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvent } from '../../testing/log/event-arbitrary.ts';
import { base, decided, ended, outcome, requested, started } from '../../testing/log/events.ts';
import type { LogEvent } from './events.ts';
import { foldLog, LogFold } from './fold.ts';

const foldCalls = (events: readonly LogEvent[]) => foldLog(events).views();
const left = (call: string, ...pids: number[]): LogEvent => ({ ...base(), t: 'call.left', call, pids });
const gone = (...pids: number[]): LogEvent => ({
  ...base(),
  t: 'processes',
  state: 'ended',
  pids,
  commands: pids.map(() => 'x'),
  quiet: false,
});

describe('the processes that a call left', () => {
  it('are told apart from those that have ended since', () => {
    const calls = foldCalls([left('a', 1, 2), left('b', 3), left('a', 4), gone(2, 3), gone(99)]);
    expect(calls.map(({ id, left, gone }) => ({ id, left, gone }))).toEqual([
      { id: 'a', left: [1, 2, 4], gone: [2] },
      { id: 'b', left: [3], gone: [3] },
    ]);
  });

  it('of a pid that was used again are those of the call that left it last', () => {
    const calls = foldCalls([left('a', 1), gone(1), left('b', 1), gone(1), left('b', 1)]);
    expect(calls.map(({ left, gone }) => ({ left, gone }))).toEqual([
      { left: [1], gone: [1] },
      { left: [1], gone: [] },
    ]);
  });

  it('that are only told to end have not ended', () => {
    const ending: LogEvent = {
      ...base(),
      t: 'processes',
      state: 'ending',
      pids: [1],
      commands: ['x'],
      quiet: false,
    };
    expect(foldCalls([left('a', 1), ending])[0]).toMatchObject({ left: [1], gone: [] });
  });
});

describe('the view of a call', () => {
  it('joins hook, decision, launcher and outcome', () => {
    const events: LogEvent[] = [
      requested('r', 'host', 'read-only'),
      decided('c', 'r', 'sandbox', 'make all'),
      started('c'),
      ended('c', 2),
      outcome('r', { ok: false, tail: 'end', cut: 5 }),
      { ...base(), t: 'call.left', call: 'c', pids: [9] },
    ];
    expect(foldCalls(events)).toEqual([
      {
        id: 'c',
        request: 'r',
        command: 'make all',
        cwd: '/p',
        origin: 'Bash',
        agent: 'ag',
        mode: 'sandbox',
        reason: 'default',
        text: 'hook',
        state: 'ended',
        requestedAt: events[0]?.at,
        startedAt: events[2]?.at,
        endedAt: events[3]?.at,
        rc: 2,
        ms: 12,
        background: false,
        interrupted: false,
        ok: false,
        head: 'out',
        tail: 'end',
        cut: 5,
        left: [9],
        gone: [],
        saved: [],
        twins: 0,
        permission: null,
      },
    ]);
  });

  it.each<[string, LogEvent[], string]>([
    ['a `!` command', [decided('c', '')], '!'],
    ['trai exec', [{ ...decided('c', ''), origin: 'exec' } as LogEvent], 'exec'],
    ['a Monitor command', [{ ...requested('r'), tool: 'Monitor' } as LogEvent, decided('c', 'r')], 'Monitor'],
    ['a call whose request was lost', [decided('c', 'r')], 'Bash'],
    ['a call of which only the start is known', [started('c')], ''],
  ])('names the origin of %s', (_name, events, origin) => {
    expect(foldCalls(events)).toMatchObject([{ origin }]);
  });

  it('shows no negative duration when the clock was set back', () => {
    expect(foldCalls([started('c'), { ...ended('c'), ms: -5 } as LogEvent])).toMatchObject([{ ms: 0 }]);
  });

  it('keeps twins apart: two equal requests, two calls, claimed in either order', () => {
    const views = foldCalls([
      requested('r1'),
      { ...requested('r2'), twins: 1 } as LogEvent,
      decided('c2', 'r2'),
      decided('c1', 'r1'),
      started('c1'),
      started('c2'),
      ended('c2', 2),
      ended('c1', 1),
      outcome('r1'),
      outcome('r2'),
    ]);
    expect(views.map(({ id, rc, state, twins }) => [id, rc, state, twins])).toEqual([
      ['c1', 1, 'ended', 0],
      ['c2', 2, 'ended', 1],
    ]);
  });

  it('shows a second claim of the same request as a call of its own', () => {
    const views = foldCalls([
      requested('r'),
      decided('c1', 'r'),
      started('c1'),
      ended('c1'),
      outcome('r'),
      decided('c2', 'r'),
      started('c2'),
    ]);
    expect(views.map(({ id, state, head, origin }) => [id, state, head, origin])).toEqual([
      ['c1', 'ended', 'out', 'Bash'],
      ['c2', 'running', '', 'Bash'],
    ]);
  });

  it('is the same when an event was logged twice', () => {
    const events = [requested('r'), decided('c', 'r'), started('c'), ended('c'), outcome('r')];
    expect(foldCalls(events.flatMap((event) => [event, event]))).toEqual(foldCalls(events));
  });
});

describe('the calls of a fold', () => {
  /** Few ids, so that events meet. */
  const meeting = fc.array(
    fc
      .tuple(anyEvent, fc.constantFrom('1', '2', '3'), fc.constantFrom('', '1', '2', '3'))
      .map(([event, call, request]) => {
        const ids = { ...('call' in event ? { call } : {}), ...('request' in event ? { request } : {}) };
        return { ...event, ...ids } as LogEvent;
      }),
    { maxLength: 25 },
  );

  it('gives after every event what folding the whole log gives, and every call once', () => {
    fc.assert(
      fc.property(meeting, (events) => {
        const fold = new LogFold();
        events.forEach((event, i) => {
          fold.push(event);
          if (i % 3 === 0) fold.views();
          expect(fold.views()).toEqual(foldCalls(events.slice(0, i + 1)));
        });
        const calls = new Set(
          events.flatMap((event) => ('call' in event && event.call !== '' ? [event.call] : [])),
        );
        for (const call of calls) expect(fold.view(call)?.id).toBe(call);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the objects of calls that have not changed', () => {
    const fold = new LogFold();
    for (const event of [requested('r1'), requested('r2')]) fold.push(event);
    const [first, second] = fold.views();
    fold.push(decided('c2', 'r2'));
    expect(fold.views()[0]).toBe(first);
    expect(fold.views()[1]).not.toBe(second);
    expect(fold.view('r2')).toBe(fold.view('c2'));
  });
});
