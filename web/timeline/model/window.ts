/** The window that the user drags on the strip. Places go from 0 to 1, times are milliseconds. Pure. */
import { type Axis, type Span, toTime, toX } from './axis.ts';

export type Edge = 'from' | 'to';

/** Narrower than this part of the strip it is a click and no window. */
const LEAST_PART = 0.002;

const inside = (x: number): number => Math.min(1, Math.max(0, x));

/** The window between two places, whichever comes first. Null when they are practically one. */
export function windowBetween(axis: Axis, a: number, b: number): Span | null {
  const [left, right] = [inside(Math.min(a, b)), inside(Math.max(a, b))];
  if (right - left < LEAST_PART) return null;
  return { from: toTime(axis, left), to: toTime(axis, right) };
}

/** The window with its middle moved by a part of the strip; it keeps its width there, and stays inside. */
export function moved(axis: Axis, window: Span, by: number): Span {
  const [left, right] = [toX(axis, window.from), toX(axis, window.to)];
  const shift = Math.min(1 - right, Math.max(-left, by));
  return { from: toTime(axis, left + shift), to: toTime(axis, right + shift) };
}

/** The window with one edge at another time; an edge never crosses the other one. All of the axis = no window. */
export function withEdge(axis: Axis, window: Span | null, edge: Edge, time: number): Span | null {
  const now = window ?? { from: axis.from, to: axis.to };
  const next =
    edge === 'from'
      ? { from: Math.min(Math.max(time, axis.from), now.to), to: now.to }
      : { from: now.from, to: Math.max(Math.min(time, axis.to), now.from) };
  return next.from <= axis.from && next.to >= axis.to ? null : next;
}

/** Keys on an edge: to the next beginning or end of a call, or by a tenth of the strip. Null = not a key of it. */
export function stepped(axis: Axis, stops: readonly number[], time: number, key: string): number | null {
  const x = toX(axis, time);
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return stops.findLast((stop) => stop < time) ?? axis.from;
    case 'ArrowRight':
    case 'ArrowUp':
      return stops.find((stop) => stop > time) ?? axis.to;
    case 'PageDown':
      return toTime(axis, inside(x - 0.1));
    case 'PageUp':
      return toTime(axis, inside(x + 0.1));
    case 'Home':
      return axis.from;
    case 'End':
      return axis.to;
    default:
      return null;
  }
}
