/** What part of a session's time the strip shows. Places go from 0 to 1, times are milliseconds. Pure. */
import { type Axis, type Span, toTime, toX } from './axis.ts';

/** Nothing shorter than this is zoomed into (ms). */
const LEAST_MS = 10;
/** Nor a smaller part of the strip: what lies in a folded pause is drawn within few pixels. */
const LEAST_PART = 1e-6;

/** The part of the axis that is on show, as an axis of its own. All of it where the zoom means none of it. */
export function zoomed(axis: Axis, zoom: Span | null): Axis {
  if (zoom === null) return axis;
  const [from, to] = [Math.max(axis.from, zoom.from), Math.min(axis.to, zoom.to)];
  const left = toX(axis, from);
  const width = toX(axis, to) - left;
  if (!(to > from && width >= LEAST_PART / 2)) return axis;
  const place = (x: number): number => Math.min(1, Math.max(0, (x - left) / width));
  const stretches = axis.stretches
    .filter((one) => one.to > from && one.from < to)
    .map((one, i, all) => {
      const begin = Math.max(one.from, from);
      const end = Math.min(one.to, to);
      return {
        ...{ from: begin, to: end, folded: one.folded },
        x0: i === 0 ? 0 : place(toX(axis, begin)),
        x1: i === all.length - 1 ? 1 : place(toX(axis, end)),
      };
    });
  return { from, to, stretches };
}

/**
 * What is on show after going closer (a factor below 1) or away, where `at` stays in its place. Null = everything.
 *
 * @param at place on what is on show now
 */
export function zoomBy(axis: Axis, zoom: Span | null, factor: number, at: number): Span | null {
  const [left, right] = endsOf(axis, zoom);
  const width = Math.max(LEAST_PART, (right - left) * factor);
  if (width >= 1) return null;
  const middle = left + (right - left) * at;
  const begin = Math.min(1 - width, Math.max(0, middle - width * at));
  return spanOf(axis, begin, begin + width) ?? zoom;
}

/** Moves what is on show by a part of itself. */
export function panBy(axis: Axis, zoom: Span | null, by: number): Span | null {
  if (zoom === null) return null;
  const [left, right] = endsOf(axis, zoom);
  const shift = Math.min(1 - right, Math.max(-left, by * (right - left)));
  return spanOf(axis, left + shift, right + shift) ?? zoom;
}

/** What is on show when a window is zoomed into. */
export function zoomTo(axis: Axis, zoom: Span | null, window: Span): Span | null {
  const [left, right] = endsOf(axis, window);
  return right - left < LEAST_PART ? zoom : (spanOf(axis, left, right) ?? zoom);
}

function endsOf(axis: Axis, span: Span | null): [number, number] {
  return span === null ? [0, 1] : [toX(axis, span.from), toX(axis, span.to)];
}

function spanOf(axis: Axis, left: number, right: number): Span | null {
  const [from, to] = [toTime(axis, left), toTime(axis, right)];
  return to - from < LEAST_MS ? null : { from, to };
}

/** What a span has in sight at all. */
export function isIn(axis: Axis, { from, to }: Span): boolean {
  return to >= axis.from && from <= axis.to;
}
