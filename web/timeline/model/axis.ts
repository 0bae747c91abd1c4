/**
 * From time to place on the strip: axis, window, zoom. Sessions are minutes of work with hours between, so
 * long pauses are folded. Places go from 0 to 1, times are in milliseconds.
 */

/** Milliseconds since 1970, both ends included. */
export interface Span {
  from: number;
  to: number;
}

interface Stretch extends Span {
  x0: number;
  x1: number;
  folded: boolean;
}

export interface Axis extends Span {
  stretches: readonly Stretch[];
}

/** A pause is folded when it exceeds this, and this share of the time without long pauses. */
const LONG_PAUSE_MS = 20_000;
const LONG_PAUSE_PART = 0.1;
/** Largest share of the strip for all folded pauses together. */
const FOLDED_PART = 0.25;
/** Shortest axis (ms), for a session of a single moment. */
const LEAST_SESSION_MS = 1_000;

/** Holds all spans; without any it is a single moment. */
export function makeAxis(spans: readonly Span[]): Axis {
  const busy = joined(spans);
  const [first, last] = [busy[0], busy.at(-1)];
  if (first === undefined || last === undefined) return plainAxis(0, LEAST_SESSION_MS);
  if (last.to - first.from < LEAST_SESSION_MS) {
    const room = (LEAST_SESSION_MS - (last.to - first.from)) / 2;
    return plainAxis(first.from - room, last.to + room);
  }
  return folded(busy, first.from, last.to);
}

function plainAxis(from: number, to: number): Axis {
  return { from, to, stretches: [{ from, to, x0: 0, x1: 1, folded: false }] };
}

function joined(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  const busy: Span[] = [];
  for (const { from, to } of sorted) {
    const last = busy.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else busy.push({ from, to: Math.max(from, to) });
  }
  return busy;
}

function folded(busy: readonly Span[], from: number, to: number): Axis {
  const pauses: Span[] = [];
  for (const [i, { to: begin }] of busy.entries()) {
    const next = busy[i + 1];
    if (next !== undefined && next.from - begin > LONG_PAUSE_MS) pauses.push({ from: begin, to: next.from });
  }
  const length = ({ from, to }: Span): number => to - from;
  const sum = (list: readonly Span[]): number => list.reduce((all, one) => all + length(one), 0);
  const rest = to - from - sum(pauses);
  const long = pauses.filter((pause) => length(pause) > LONG_PAUSE_PART * rest);
  const short = rest + sum(pauses) - sum(long);
  const part = FOLDED_PART / (1 - FOLDED_PART);
  // When only moments were logged, the pauses between them share the strip evenly.
  const each = short > 0 ? Math.min(LONG_PAUSE_MS, (part * short) / Math.max(1, long.length)) : 1;
  const parts: (Span & { weight: number; folded: boolean })[] = [];
  let at = from;
  for (const pause of long) {
    parts.push({ from: at, to: pause.from, weight: pause.from - at, folded: false });
    parts.push({ ...pause, weight: each, folded: true });
    at = pause.to;
  }
  parts.push({ from: at, to, weight: to - at, folded: false });
  return { from, to, stretches: placed(parts) };
}

function placed(parts: readonly (Span & { weight: number; folded: boolean })[]): Stretch[] {
  const total = parts.reduce((all, { weight }) => all + weight, 0);
  let before = 0;
  return parts.map(({ from, to, weight, folded }) => {
    const x0 = before / total;
    before += weight;
    return { from, to, x0, x1: before / total, folded };
  });
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
const inside = (x: number): number => within(x, 0, 1);

const TIMES = ['from', 'to'] as const;
const PLACES = ['x0', 'x1'] as const;
type Ends = typeof TIMES | typeof PLACES;

/** From one scale of the stretches to the other, linear in each; outside, to the first or last end. */
function mapped({ stretches }: Axis, value: number, [first, last]: Ends, [start, end]: Ends): number {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.[last] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  const found = stretches[low];
  if (found === undefined || found[last] === found[first]) return found?.[start] ?? 0;
  const part = (value - found[first]) / (found[last] - found[first]);
  return within(found[start] + part * (found[end] - found[start]), found[start], found[end]);
}

/** Monotonic, from 0 to 1. */
export function toX(axis: Axis, time: number): number {
  return mapped(axis, time, TIMES, PLACES);
}

export function toTime(axis: Axis, x: number): number {
  return mapped(axis, x, PLACES, TIMES);
}

export function endsOf(axis: Axis, span: Span | null): [number, number] {
  return span === null ? [0, 1] : [toX(axis, span.from), toX(axis, span.to)];
}

function shifted([left, right]: [number, number], by: number): [number, number] {
  const shift = within(by, -left, 1 - right);
  return [left + shift, right + shift];
}

const STEPS_MS = [
  1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
  3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

interface Tick {
  x: number;
  time: number;
}

/** Share of the strip that the text of a time takes after another one. */
export type TickRoom = (time: number, before: number | null) => number;

/** Round times for the ruler, at least `gap` (share of the strip) and the text's room apart. */
export function ticks(axis: Axis, gap: number, room: TickRoom = () => gap): Tick[] {
  const found: Tick[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const { from, to, x0, x1, folded } of axis.stretches) {
    if (folded || x1 - x0 < gap / 2 || to === from) continue;
    const wanted = ((to - from) / (x1 - x0)) * gap;
    const step = STEPS_MS.find((one) => one >= wanted) ?? 86_400_000;
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      const x = toX(axis, time);
      if (x > 1 - gap * 0.7) break;
      if (x < free) continue;
      free = x + Math.max(gap, room(time, found.at(-1)?.time ?? null));
      found.push({ x, time });
    }
  }
  return found;
}

export type Edge = 'from' | 'to';

/** Below this share of the strip a drag counts as a click. */
const LEAST_WINDOW = 0.002;

/** The window between two places in either order; null when they nearly coincide. */
export function windowBetween(axis: Axis, a: number, b: number): Span | null {
  const [left, right] = [inside(Math.min(a, b)), inside(Math.max(a, b))];
  if (right - left < LEAST_WINDOW) return null;
  return { from: toTime(axis, left), to: toTime(axis, right) };
}

/** Moves the window by a share of the strip; it keeps its width and stays inside. */
export function moved(axis: Axis, window: Span, by: number): Span {
  const [left, right] = shifted(endsOf(axis, window), by);
  return { from: toTime(axis, left), to: toTime(axis, right) };
}

/** Moves one edge to a time, never past the other edge. All of the axis = no window. */
export function withEdge(axis: Axis, window: Span | null, edge: Edge, time: number): Span | null {
  const now = window ?? { from: axis.from, to: axis.to };
  const next =
    edge === 'from'
      ? { from: Math.min(Math.max(time, axis.from), now.to), to: now.to }
      : { from: now.from, to: Math.max(Math.min(time, axis.to), now.from) };
  return next.from <= axis.from && next.to >= axis.to ? null : next;
}

/** Keys on an edge: to the next start or end of a call, or by a tenth of the strip. Null for other keys. */
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

/** Shortest zoom (ms). */
const LEAST_ZOOM_MS = 10;
/** Smallest zoomed share of the strip: a folded pause has few pixels. */
const LEAST_ZOOM = 1e-6;

/** The zoomed part as an axis of its own; all of it when the zoom shows nothing. */
export function zoomed(axis: Axis, zoom: Span | null): Axis {
  if (zoom === null) return axis;
  const [from, to] = [Math.max(axis.from, zoom.from), Math.min(axis.to, zoom.to)];
  const left = toX(axis, from);
  const width = toX(axis, to) - left;
  if (!(to > from && width >= LEAST_ZOOM / 2)) return axis;
  const place = (x: number): number => inside((x - left) / width);
  const stretches = axis.stretches
    .filter((one) => one.to > from && one.from < to)
    .map((one, i, all) => {
      const begin = Math.max(one.from, from);
      const end = Math.min(one.to, to);
      return {
        from: begin,
        to: end,
        folded: one.folded,
        x0: i === 0 ? 0 : place(toX(axis, begin)),
        x1: i === all.length - 1 ? 1 : place(toX(axis, end)),
      };
    });
  return { from, to, stretches };
}

/** Zooms in (a factor below 1) or out around `at`, a place on the visible part. Null = everything. */
export function zoomBy(axis: Axis, zoom: Span | null, factor: number, at: number): Span | null {
  const [left, right] = endsOf(axis, zoom);
  const width = Math.max(LEAST_ZOOM, (right - left) * factor);
  if (width >= 1) return null;
  const middle = left + (right - left) * at;
  const begin = within(middle - width * at, 0, 1 - width);
  return spanOf(axis, begin, begin + width) ?? zoom;
}

/** By a share of the visible part. */
export function panBy(axis: Axis, zoom: Span | null, by: number): Span | null {
  if (zoom === null) return null;
  const [left, right] = endsOf(axis, zoom);
  return spanOf(axis, ...shifted([left, right], by * (right - left))) ?? zoom;
}

export function zoomTo(axis: Axis, zoom: Span | null, window: Span): Span | null {
  const [left, right] = endsOf(axis, window);
  return right - left < LEAST_ZOOM ? zoom : (spanOf(axis, left, right) ?? zoom);
}

function spanOf(axis: Axis, left: number, right: number): Span | null {
  const [from, to] = [toTime(axis, left), toTime(axis, right)];
  return to - from < LEAST_ZOOM_MS ? null : { from, to };
}

export function isIn(axis: Axis, { from, to }: Span): boolean {
  return to >= axis.from && from <= axis.to;
}
