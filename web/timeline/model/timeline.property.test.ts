/** Properties of the timeline for any log; a failure prints its seed. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallList } from '../../../shared/api/types.ts';
import { type CallView, callKey } from '../../../shared/log/calls.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import { LogFold } from '../../../shared/log/fold.ts';
import { makeCall } from '../../../testing/dashboard/make.ts';
import { anyEvent } from '../../../testing/log/event-arbitrary.ts';
import { makeAxis, moved, type Span, stepped, ticks, toTime, toX, windowBetween, withEdge } from './axis.ts';
import { filterRows, makeRows, NO_TIMELINE_FILTER, withNews } from './rows.ts';
import { barAt, barPaths, laneHeight, makeLanes } from './strip.ts';

const RUNS = { numRuns: 300 };
const NOW = Date.parse('2026-03-02T12:00:00.000Z');
const DAY = 86_400_000;
const SIZE = { width: 1_200, height: 60 };

const span: fc.Arbitrary<Span> = fc
  .tuple(
    fc.oneof(fc.nat(5_000), fc.nat(3_600_000), fc.nat(9 * DAY)),
    fc.oneof(fc.nat(50), fc.nat(600_000), fc.constant(0)),
  )
  .map(([from, length]) => ({ from: NOW - 10 * DAY + from, to: NOW - 10 * DAY + from + length }));
const spans = fc.array(span, { minLength: 1, maxLength: 60 });

const iso = (time: number): string => new Date(time).toISOString();
const STATES: CallView['state'][] = [
  'ended',
  'running',
  'requested',
  'lost',
  'refused',
  'unsandboxed',
  'not-run',
];
const calls = fc
  .array(fc.tuple(span, fc.constantFrom(...STATES), fc.constantFrom(0, 1, 143, null), fc.nat(3)), {
    maxLength: 60,
  })
  .map((all) =>
    all.map(([{ from, to }, state, rc, known], i) =>
      makeCall(`c${i}`, `make ${i}`, {
        state,
        rc,
        ok: null,
        requestedAt: known > 0 ? iso(from) : null,
        startedAt: known > 1 ? iso(from) : null,
        // A clock that was set back.
        endedAt: state === 'running' ? null : iso(known === 3 ? from - 5 : to),
      }),
    ),
  );

describe('the axis', () => {
  it('holds every time, in order, and leads back from place to time', () => {
    fc.assert(
      fc.property(
        spans,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
        (all, places) => {
          const axis = makeAxis(all);
          const times = all.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
          const xs = times.map((time) => toX(axis, time));
          for (const [i, x] of xs.entries()) {
            expect(x).toBeGreaterThanOrEqual(Math.max(0, xs[i - 1] ?? 0));
            expect(x).toBeLessThanOrEqual(1);
          }
          expect(axis.from).toBeLessThanOrEqual(times[0] ?? 0);
          expect(axis.to).toBeGreaterThanOrEqual(times.at(-1) ?? 0);
          const back = [...places].sort((a, b) => a - b).map((x) => toTime(axis, x));
          for (const [i, time] of back.entries()) {
            expect(time).toBeGreaterThanOrEqual(back[i - 1] ?? axis.from);
            expect(time).toBeLessThanOrEqual(axis.to);
            expect(Math.abs(toTime(axis, toX(axis, time)) - time)).toBeLessThan(1);
          }
        },
      ),
      RUNS,
    );
  });

  it('covers time and strip from end to end, and folded pauses take a quarter at most', () => {
    fc.assert(
      fc.property(spans, (all) => {
        const { stretches, from, to } = makeAxis(all);
        expect([stretches[0]?.x0, stretches[0]?.from, stretches.at(-1)?.to]).toEqual([0, from, to]);
        expect(stretches.at(-1)?.x1).toBeCloseTo(1, 9);
        let pauses = 0;
        for (const [i, one] of stretches.entries()) {
          const next = stretches[i + 1];
          if (next !== undefined) expect([next.x0, next.from]).toEqual([one.x1, one.to]);
          if (one.folded) pauses += one.x1 - one.x0;
        }
        const moments = all.every((one) => one.from === one.to);
        if (!moments) expect(pauses).toBeLessThanOrEqual(0.251);
      }),
      RUNS,
    );
  });

  it('writes few round times, inside and apart', () => {
    fc.assert(
      fc.property(spans, fc.double({ min: 0.05, max: 0.5, noNaN: true }), (all, gap) => {
        const axis = makeAxis(all);
        const found = ticks(axis, gap);
        expect(found.length).toBeLessThanOrEqual(1 / gap + 1);
        for (const [i, { x, time }] of found.entries()) {
          expect(time).toBeGreaterThanOrEqual(axis.from);
          expect(time).toBeLessThanOrEqual(axis.to);
          const before = found[i - 1];
          if (before !== undefined) expect(x - before.x).toBeGreaterThanOrEqual(gap - 1e-12);
        }
        // Some times need more room than others.
        const room = (time: number, before: number | null): number =>
          before === null || time % 2 === 0 ? 2 * gap : gap;
        const roomy = ticks(axis, gap, room);
        for (const [i, { x, time }] of roomy.entries()) {
          const next = roomy[i + 1];
          if (next === undefined) continue;
          const taken = room(time, roomy[i - 1]?.time ?? null);
          expect(next.x - x).toBeGreaterThanOrEqual(taken - 1e-12);
        }
      }),
      RUNS,
    );
  });
});

describe('the lanes', () => {
  it('never overlap, and hold every call once, as few as can be', () => {
    fc.assert(
      fc.property(calls, (all) => {
        const { bars, count } = makeLanes(makeRows({ calls: all, marks: [] }, NOW));
        expect(new Set(bars.map(({ call }) => call.id))).toEqual(new Set(all.map(({ id }) => id)));
        expect(bars.length).toBe(all.length);
        for (const bar of bars) {
          expect(bar.lane).toBeLessThan(count);
          for (const other of bars) {
            if (other === bar || other.lane !== bar.lane) continue;
            expect(other.to <= bar.from || other.from >= bar.to).toBe(true);
          }
        }
        const most = Math.max(
          1,
          ...bars.map(({ from }) => bars.filter((b) => b.from <= from && b.to > from).length),
        );
        expect(count).toBeLessThanOrEqual(most + bars.filter((bar) => bar.from === bar.to).length);
      }),
      RUNS,
    );
  });
});

describe('the strip', () => {
  it('draws a rectangle for every call, inside, and finds each by a click on it', () => {
    fc.assert(
      fc.property(calls, (all) => {
        const lanes = makeLanes(makeRows({ calls: all, marks: [] }, NOW));
        const axis = makeAxis(lanes.bars);
        const drawn = [...barPaths(axis, lanes, SIZE).values()].join('');
        const boxes = [...drawn.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)/g)].map((match) =>
          match.slice(1).map(Number),
        );
        expect(boxes.length).toBe(all.length);
        for (const [x = -1, y = -1, wide = 0, tall = 0] of boxes) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + wide).toBeLessThanOrEqual(SIZE.width + 0.2);
          expect(y + tall).toBeLessThanOrEqual(SIZE.height + 0.2);
          expect(wide).toBeGreaterThan(2);
        }
        for (const bar of lanes.bars) {
          const middle = ((toX(axis, bar.from) + toX(axis, bar.to)) / 2) * SIZE.width;
          const y = (bar.lane + 0.5) * laneHeight(SIZE, lanes.count);
          const found = barAt(axis, lanes, SIZE, middle, y);
          // Another bar of the lane may cover it.
          expect(found?.lane).toBe(bar.lane);
        }
      }),
      RUNS,
    );
  });
});

describe('the window', () => {
  const place = fc.double({ min: -0.2, max: 1.2, noNaN: true });

  it('is inside, in order, and shows what it holds and nothing that lies outside', () => {
    fc.assert(
      fc.property(calls, place, place, (all, a, b) => {
        const axis = makeAxis(makeRows({ calls: all, marks: [] }, NOW));
        const window = windowBetween(axis, a, b);
        if (window === null) return;
        expect(window.from).toBeLessThanOrEqual(window.to);
        expect(window.from).toBeGreaterThanOrEqual(axis.from);
        expect(window.to).toBeLessThanOrEqual(axis.to);
        const rows = makeRows({ calls: all, marks: [] }, NOW);
        const shown = filterRows(rows, { ...NO_TIMELINE_FILTER, window }, new Set());
        for (const row of rows) {
          const meets = row.from <= window.to && row.to >= window.from;
          expect(shown.includes(row)).toBe(meets);
        }
      }),
      RUNS,
    );
  });

  it('stays in order and inside however its edges and itself are moved', () => {
    const key = fc.constantFrom('ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End');
    const move = fc.tuple(
      fc.constantFrom('from' as const, 'to' as const),
      key,
      fc.double({ min: -1, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(spans, fc.array(move, { maxLength: 30 }), (all, moves) => {
        const axis = makeAxis(all);
        const stops = all.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
        let window: Span | null = null;
        for (const [edge, pressed, by] of moves) {
          const at: number = window?.[edge] ?? axis[edge];
          const to: number | null = stepped(axis, stops, at, pressed);
          expect(to).not.toBeNull();
          window = withEdge(axis, window, edge, to ?? 0);
          if (window !== null) window = moved(axis, window, by);
          if (window === null) continue;
          expect(window.from).toBeGreaterThanOrEqual(axis.from);
          expect(window.to).toBeLessThanOrEqual(axis.to);
          expect(window.to).toBeGreaterThanOrEqual(window.from);
        }
      }),
      RUNS,
    );
  });
});

describe('news', () => {
  /** Events with few ids, so that they collide. */
  const meeting = fc.array(
    fc
      .tuple(anyEvent, fc.constantFrom('1', '2', '3'), fc.constantFrom('', '1', '2', '3'))
      .map(([event, call, request]) => {
        const ids = { ...('call' in event ? { call } : {}), ...('request' in event ? { request } : {}) };
        return { ...event, ...ids } as LogEvent;
      }),
    { maxLength: 40 },
  );

  it('put together are the whole, wherever the log was cut', () => {
    fc.assert(
      fc.property(meeting, fc.infiniteStream(fc.boolean()), (events, cuts) => {
        const fold = new LogFold();
        let size = 0;
        let seen: CallList | null = null;
        const look = (): CallList => {
          const from: number = seen?.size ?? 0;
          const news = { ...fold.after(from), raw: [], size };
          return withNews(seen, news);
        };
        for (const event of events) {
          // A batch of the log has one position: its end.
          const first = cuts.next().value === true;
          if (first) seen = look();
          if (first || size === 0) size += 7;
          fold.push(event, size);
        }
        seen = look();
        const byKey = (all: readonly CallView[]) => new Map(all.map((call) => [callKey(call), call]));
        const views = fold.views().map((call) => ({ ...call, head: '', tail: '' }));
        expect(byKey(seen.calls)).toEqual(byKey(views));
        expect(seen.calls.length).toBe(views.length);
        expect(seen.marks).toEqual(fold.marks());
      }),
      RUNS,
    );
  });
});
