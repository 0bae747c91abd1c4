import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlaySpans, type Span, WriterIndex, writesBy } from './call-times.ts';
import type { LogEvent } from './events.ts';
import { foldLog, LogFold } from './fold.ts';

/** A call with its command, the processes that it left, and its writes. */
interface Truth {
  from: number;
  command: number;
  /** Run time of a process that it left, or null. */
  tail: number | null;
  writes: number[];
}

const NOON = Date.UTC(2026, 0, 1, 12);
const iso = (ms: number): string => new Date(ms).toISOString();
const endOf = ({ from, command, tail }: Truth): number => from + command + (tail ?? 0);
const name = (i: number): string => `c${i}`;

function logOf(calls: readonly Truth[]): LogEvent[] {
  const events: LogEvent[] = calls.flatMap((call, i): LogEvent[] => {
    const ended = call.from + call.command;
    const all: LogEvent[] = [
      {
        v: 1,
        at: iso(call.from),
        t: 'call.started',
        call: name(i),
        pid: 10 + i,
        mode: 'sandbox',
        overlay: 'mounted',
      },
      { v: 1, at: iso(ended), t: 'call.ended', call: name(i), rc: 0, ms: call.command },
    ];
    if (call.tail === null) return all;
    const pids = [1000 + i];
    return [
      ...all,
      { v: 1, at: iso(ended), t: 'call.left', call: name(i), pids },
      {
        v: 1,
        at: iso(endOf(call)),
        t: 'processes',
        state: 'ended',
        pids,
        commands: ['x'],
        quiet: false,
      },
    ];
  });
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const spansOf = (events: readonly LogEvent[]) => foldLog(events).spans();

interface Writer {
  call: string;
  by: 'command' | 'process';
}

function writersBetween(spans: readonly Span[], earliest: number, latest: number): Writer[] {
  return new WriterIndex(spans)
    .spansBetween(earliest, latest)
    .map((span) => ({ call: span.call, by: writesBy(span, earliest) }));
}

const truth: fc.Arbitrary<Truth> = fc
  .record({
    from: fc.integer({ min: 0, max: 2_000 }).map((ms) => NOON + ms),
    command: fc.integer({ min: 0, max: 500 }),
    tail: fc.option(fc.integer({ min: 0, max: 800 })),
    moments: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
  })
  .map(({ moments, ...call }) => {
    const call0 = { ...call, writes: [] };
    const length = endOf(call0) - call.from;
    return { ...call0, writes: moments.map((part) => call.from + Math.floor(part * length)) };
  });

describe('whoever wrote is among those who are named', () => {
  it('by the entry’s own time stamp, which lags by up to a tick', () => {
    const run = fc.tuple(fc.array(truth, { minLength: 1, maxLength: 12 }), fc.integer({ min: 0, max: 10 }));
    fc.assert(
      fc.property(run, ([calls, lag]) => {
        const spans = spansOf(logOf(calls));
        for (const [i, call] of calls.entries()) {
          for (const write of call.writes) {
            const stamp = write - lag;
            const writers = writersBetween(spans, stamp, stamp);
            const found = writers.find((writer) => writer.call === name(i));
            expect(found).toBeDefined();
            // A write attributed to a process that was left came after the command's end.
            if (found?.by === 'process') expect(write).toBeGreaterThan(call.from + call.command);
            if (writers.length === 1) expect(writers[0]?.call).toBe(name(i));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('by two times between which it happened', () => {
    const slack = fc.integer({ min: 0, max: 1_000 });
    fc.assert(
      fc.property(fc.array(truth, { minLength: 1, maxLength: 12 }), slack, slack, (calls, before, after) => {
        const spans = spansOf(logOf(calls));
        for (const [i, call] of calls.entries()) {
          for (const write of call.writes) {
            const named = writersBetween(spans, write - before, write + after).map((writer) => writer.call);
            expect(named).toContain(name(i));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('and nobody is named who was not there', () => {
    fc.assert(
      fc.property(
        fc.array(truth, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 5_000 }),
        (calls, at) => {
          const stamp = NOON + at;
          for (const { call } of writersBetween(spansOf(logOf(calls)), stamp, stamp)) {
            const one = calls[Number(call.slice(1))];
            if (one === undefined) throw new Error(`there is no call ${call}`);
            expect(stamp).toBeGreaterThanOrEqual(one.from - 20);
            expect(stamp).toBeLessThanOrEqual(endOf(one));
          }
        },
      ),
    );
  });
});

describe('the time in which a call can write', () => {
  const started = (call: string, at: number, mode: 'sandbox' | 'host' = 'sandbox'): LogEvent => ({
    v: 1,
    at: iso(NOON + at),
    t: 'call.started',
    call,
    pid: 1,
    mode,
    overlay: mode === 'host' ? 'none' : 'mounted',
  });
  const ended = (call: string, at: number): LogEvent => ({
    v: 1,
    at: iso(NOON + at),
    t: 'call.ended',
    call,
    rc: 0,
    ms: 1,
  });
  const left = (call: string, at: number, ...pids: number[]): LogEvent => ({
    v: 1,
    at: iso(NOON + at),
    t: 'call.left',
    call,
    pids,
  });
  const at = (events: LogEvent[], ms: number): Writer[] =>
    writersBetween(spansOf(events), NOON + ms, NOON + ms);

  it.each<[string, LogEvent[], Writer[]]>([
    ['a call that runs has it still', [started('a', 0)], [{ call: 'a', by: 'command' }]],
    ['a call on the host has none', [started('a', 0, 'host')], []],
    [
      'nothing ran in a sandbox that was not entered',
      [started('a', 0), { v: 1, at: iso(NOON), t: 'call.failed', call: 'a', step: 5 }],
      [],
    ],
    ['it ends with the call', [started('a', 0), ended('a', 400)], []],
    [
      'it goes on while something that the call left runs',
      [started('a', 0), ended('a', 400), left('a', 410, 7, 8)],
      [{ call: 'a', by: 'process' }],
    ],
    [
      'it ends with the last of them',
      [
        started('a', 0),
        ended('a', 300),
        left('a', 310, 7, 8),
        {
          v: 1,
          at: iso(NOON + 350),
          t: 'processes',
          state: 'ended',
          pids: [7],
          commands: [''],
          quiet: false,
        },
        { v: 1, at: iso(NOON + 400), t: 'processes', state: 'ended', pids: [8], commands: [''], quiet: true },
      ],
      [],
    ],
    [
      'a launcher that was killed leaves its call at the time when that was seen',
      [
        started('a', 0),
        { v: 1, at: iso(NOON + 600), t: 'call.closed', call: 'a', request: '', why: 'launcher-gone' },
      ],
      [{ call: 'a', by: 'command' }],
    ],
    [
      'a clock that was set back does not make it vanish',
      [started('a', 500), ended('a', 100)],
      [{ call: 'a', by: 'command' }],
    ],
  ])('%s', (_what, events, writers) => {
    expect(at(events, 500)).toEqual(writers);
  });
});

it('of an earlier owner of the overlay, a call counts until the adoption, and none that began later', () => {
  const call = (name: string, from: number, to: number | null): Span => ({
    call: name,
    pid: 1,
    from,
    ended: to,
    to,
  });
  const logs = new Map([
    ['first', { adoptions: [], spans: () => [call('a', 0, 100), call('b', 100, 300), call('c', 160, null)] }],
    ['next', { adoptions: [{ from: 'first', to: 'next', at: 150 }], spans: () => [call('d', 200, null)] }],
  ]);
  const spans = overlaySpans('next', (id) => logs.get(id) ?? null);
  expect(spans.map(({ session, call: id, from, to }) => [session, id, from, to])).toEqual([
    ['next', 'd', 200, null],
    ['first', 'a', 0, 100],
    ['first', 'b', 100, 150],
  ]);
});

const moment = { v: 1, at: '2026-01-01T00:00:00.000Z' } as const;
const began = (call: string): LogEvent => ({
  ...moment,
  t: 'call.started',
  call,
  pid: 7,
  mode: 'host',
  overlay: 'none',
});

it('knows the calls that have begun and not ended, failed or been closed', () => {
  const fold = new LogFold();
  const ends: LogEvent[] = [
    { ...moment, t: 'call.ended', call: 'a', rc: 0, ms: 1 },
    { ...moment, t: 'call.failed', call: 'b', step: 1 },
    { ...moment, t: 'call.closed', call: 'c', request: '', why: 'launcher-gone' },
  ];
  for (const call of ['a', 'b', 'c', 'd']) {
    expect(fold.push(began(call))).toMatchObject({ is: 'started', start: { call } });
  }
  for (const end of ends) expect(fold.push(end)).toMatchObject({ is: 'ended', start: { pid: 7 } });
  expect([...fold.running.keys()]).toEqual(['d']);
  expect(fold.push({ ...moment, t: 'call.ended', call: 'x', rc: 0, ms: 1 })).toEqual({
    is: 'ended',
    start: null,
  });
  expect(fold.push({ ...moment, t: 'call.left', call: 'd', pids: [8] })).toBeNull();
});
