/** Properties of axis, window and zoom for any timeline; a failure prints its seed. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeAxis, panBy, type Span, toTime, toX, windowBetween, zoomBy, zoomed, zoomTo } from './axis.ts';

const RUNS = { numRuns: 300 };
const NOW = Date.parse('2026-03-02T12:00:00.000Z');
const DAY = 86_400_000;

/** Short and long ones, close together and days apart. */
const span: fc.Arbitrary<Span> = fc
  .tuple(
    fc.oneof(fc.nat(5_000), fc.nat(3_600_000), fc.nat(9 * DAY)),
    fc.oneof(fc.nat(50), fc.nat(600_000), fc.constant(0)),
  )
  .map(([from, length]) => ({ from: NOW - 10 * DAY + from, to: NOW - 10 * DAY + from + length }));
const spans = fc.array(span, { minLength: 1, maxLength: 60 });

describe('the zoom', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const factors = fc.array(fc.tuple(fc.constantFrom(0.5, 2, 1 / 1.3, 1.3), part), { maxLength: 30 });

  it('shows a part of the axis, from end to end and in order, that holds what it is asked for', () => {
    fc.assert(
      fc.property(spans, part, part, (all, a, b) => {
        const axis = makeAxis(all);
        const window = windowBetween(axis, a, b);
        if (window === null) return;
        const zoom = zoomTo(axis, null, window);
        const shown = zoomed(axis, zoom);
        if (zoom !== null) expect([shown.from, shown.to]).toEqual([window.from, window.to]);
        expect([shown.stretches[0]?.x0, shown.stretches.at(-1)?.x1]).toEqual([0, 1]);
        for (const [i, one] of shown.stretches.entries()) {
          expect(one.x1).toBeGreaterThanOrEqual(one.x0);
          const next = shown.stretches[i + 1];
          if (next !== undefined) expect([next.x0, next.from]).toEqual([one.x1, one.to]);
        }
        for (const { from, to } of all) {
          expect(toX(shown, from)).toBeGreaterThanOrEqual(0);
          expect(toX(shown, to)).toBeLessThanOrEqual(1);
        }
      }),
      RUNS,
    );
  });

  it('goes closer and away around a place, moves, never leaves the session, and comes back to all of it', () => {
    fc.assert(
      fc.property(spans, factors, part, (all, steps, by) => {
        const axis = makeAxis(all);
        let zoom: Span | null = null;
        for (const [factor, at] of steps) {
          const before = zoomed(axis, zoom);
          const held = toTime(before, at);
          zoom = zoomBy(axis, zoom, factor, at);
          const after = zoomed(axis, zoom);
          expect(after.from).toBeGreaterThanOrEqual(axis.from);
          expect(after.to).toBeLessThanOrEqual(axis.to);
          expect(after.to - after.from).toBeGreaterThanOrEqual(Math.min(9, axis.to - axis.from));
          if (factor < 1) {
            expect(held).toBeGreaterThanOrEqual(after.from - 1);
            expect(held).toBeLessThanOrEqual(after.to + 1);
          }
          const aside = panBy(axis, zoom, by - 0.5);
          if (aside !== null) expect([aside.from >= axis.from, aside.to <= axis.to]).toEqual([true, true]);
        }
        for (let i = 0; i < 80 && zoom !== null; i++) zoom = zoomBy(axis, zoom, 2, 0.5);
        expect(zoom).toBeNull();
      }),
      RUNS,
    );
  });

  it('passes over what is not of this session', () => {
    const axis = makeAxis([{ from: NOW, to: NOW + 60_000 }]);
    for (const zoom of [
      { from: 0, to: 1 },
      { from: NOW + DAY, to: NOW + 2 * DAY },
      { from: NOW, to: NOW },
    ])
      expect(zoomed(axis, zoom)).toBe(axis);
  });
});
