/** Calls that ran at the same time get a lane each. Pure. */
import type { CallView } from '../../../shared/log/calls.ts';
import type { Span } from './axis.ts';

export interface Bar extends Span {
  call: CallView;
  lane: number;
}

export interface Lanes {
  /** In the order in which they began. */
  bars: readonly Bar[];
  count: number;
}

/** When a call ran. One that runs does so until `now`; one of which only a moment is known has no length. */
export function spanOf(call: CallView, now: number): Span {
  const known = call.startedAt ?? call.requestedAt ?? call.endedAt;
  const from = known === null ? now : Date.parse(known);
  const end = call.endedAt === null ? (call.state === 'running' ? now : from) : Date.parse(call.endedAt);
  // Clocks are set back: a call never ends before it began.
  return { from, to: Math.max(from, end) };
}

/** Every call, in the first lane that is free at its beginning. No two of a lane run at the same time. */
export function makeLanes(calls: readonly CallView[], now: number): Lanes {
  const spans = calls.map((call) => ({ call, ...spanOf(call, now) }));
  spans.sort((a, b) => a.from - b.from || a.to - b.to);
  const free: number[] = [];
  const bars = spans.map((span): Bar => {
    let lane = free.findIndex((until) => until <= span.from);
    if (lane < 0) lane = free.length;
    free[lane] = span.to;
    return { ...span, lane };
  });
  return { bars, count: Math.max(1, free.length) };
}
