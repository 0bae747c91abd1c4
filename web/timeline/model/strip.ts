/** What the strip draws: a few paths, however many calls there are. Pure. */
import type { CallView } from '../../../shared/log/calls.ts';
import { type Axis, makeAxis, type Span, toX } from './axis.ts';
import {
  type CallRow,
  groupOf,
  hasFailed,
  type MarkGroup,
  type MarkRow,
  type Row,
  ranOnHost,
} from './rows.ts';

export interface Bar extends CallRow {
  lane: number;
}

export interface Lanes {
  /** In order of their start. */
  bars: readonly Bar[];
  count: number;
}

/** Puts every call into the first lane that is free at its start: calls of one lane never overlap. */
export function makeLanes(rows: readonly Row[]): Lanes {
  const calls = rows.filter((row) => row.type === 'call').sort((a, b) => a.from - b.from || a.to - b.to);
  const free: number[] = [];
  const bars = calls.map((call): Bar => {
    let lane = free.findIndex((until) => until <= call.from);
    if (lane < 0) lane = free.length;
    free[lane] = call.to;
    return { ...call, lane };
  });
  return { bars, count: Math.max(1, free.length) };
}

/** In drawing order: the tones that must be seen come last. */
export const BAR_TONES = ['quiet', 'accent', 'modified', 'added', 'deleted', 'danger'] as const;
type BarTone = (typeof BAR_TONES)[number];

function toneOf(call: CallView): BarTone {
  if (call.state === 'unsandboxed') return 'danger';
  if (call.state === 'running') return 'added';
  if (call.state === 'not-run' || call.state === 'requested' || call.state === 'refused') return 'quiet';
  if (hasFailed(call)) return 'deleted';
  return ranOnHost(call) ? 'modified' : 'accent';
}

/** Background calls count as two moments: a development server would leave no pause to fold. */
export function stripAxis(bars: readonly Bar[], marks: readonly MarkRow[]): Axis {
  const moment = (time: number): Span => ({ from: time, to: time });
  return makeAxis([
    ...bars.flatMap(({ call, from, to }) => (call.background ? [moment(from), moment(to)] : [{ from, to }])),
    ...marks,
  ]);
}

/** In px. */
export interface StripSize {
  width: number;
  /** Of all lanes together. */
  height: number;
}

/** Narrowest bar (px): else a call of 5 ms in an hour is invisible. */
const LEAST_WIDTH = 2.5;
const LANE_GAP = 1.5;
const MAX_LANE = 14;

export function laneHeight({ height }: StripSize, count: number): number {
  return Math.min(MAX_LANE, height / count);
}

/** Left and right end in px, inside the strip. */
export function barEnds(axis: Axis, { from, to }: Span, width: number): [number, number] {
  const left = Math.min(toX(axis, from) * width, Math.max(0, width - LEAST_WIDTH));
  return [left, Math.max(left + LEAST_WIDTH, toX(axis, to) * width)];
}

const px = (value: number): string => value.toFixed(1);

/** An SVG path for each tone, a rectangle for each bar. */
export function barPaths(axis: Axis, { bars, count }: Lanes, size: StripSize): Map<BarTone, string> {
  const lane = laneHeight(size, count);
  const tall = px(Math.max(1, lane - LANE_GAP));
  return joined(
    bars.map((bar) => {
      const [left, right] = barEnds(axis, bar, size.width);
      const wide = px(right - left);
      return [toneOf(bar.call), `M${px(left)} ${px(bar.lane * lane)}h${wide}v${tall}h-${wide}z`];
    }),
  );
}

/** A path for each group of marks: full-height lines, for file tools ticks at the bottom. */
export function markPaths(
  axis: Axis,
  marks: readonly MarkRow[],
  { width, height }: StripSize,
): Map<MarkGroup, string> {
  const parts: [MarkGroup, string][] = [];
  let last = { group: '', x: '' };
  for (const { mark, from } of marks) {
    const group = groupOf(mark);
    const x = px(toX(axis, from) * (width - 2) + 1);
    // Thousands of file tools share a few pixels.
    if (last.group === group && last.x === x) continue;
    last = { group, x };
    parts.push([
      group,
      group === 'files' ? `M${x} ${px(height - 5)}V${px(height)}` : `M${x} 0V${px(height)}`,
    ]);
  }
  return joined(parts);
}

function joined<N>(parts: readonly [N, string][]): Map<N, string> {
  const paths = new Map<N, string>();
  for (const [name, part] of parts) paths.set(name, (paths.get(name) ?? '') + part);
  return paths;
}

/** How far beside a bar a click still hits it (px). */
const REACH = 5;

/** The bar under the point, else the nearest of its lane within reach, else of any lane. */
export function barAt(axis: Axis, { bars, count }: Lanes, size: StripSize, x: number, y: number): Bar | null {
  const lane = Math.min(count - 1, Math.max(0, Math.floor(y / laneHeight(size, count))));
  let best: Bar | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const bar of bars) {
    const [left, right] = barEnds(axis, bar, size.width);
    const away = x < left ? left - x : Math.max(0, x - right);
    if (away > REACH) continue;
    const distance = away + (bar.lane === lane ? 0 : 2 * REACH * (1 + Math.abs(bar.lane - lane)));
    // Of overlapping bars the last one is drawn on top.
    if (distance <= least) [best, least] = [bar, distance];
  }
  return best;
}
