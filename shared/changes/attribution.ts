/**
 * Which calls can have written something at a given time. Pure.
 *
 * What there is to go by: when each sandboxed call began and ended, when the last process that it left had ended, and
 * the time stamps that the kernel gave to an entry of an upper. Calls overlap, so that the answer is a set: whoever
 * wrote it is among them, and where there is only one, it was that one.
 */
import type { LogEvent } from '../log/types.ts';

/** A time in which a call could write into the overlay, milliseconds since 1970. */
export interface Span {
  call: string;
  from: number;
  /** End of its command; null = it runs. */
  ended: number | null;
  /** End of all that it left behind, at the earliest the end of its command; null = something of it runs. */
  to: number | null;
}

export interface Writer {
  call: string;
  /** `command`: its command ran; `process`: the command had ended, a process that it left was running. */
  by: 'command' | 'process';
}

/** Kernel time stamps lag behind the clock by up to one tick: 10 ms at 100 Hz. */
export const CLOCK_TICK_MS = 20;

/** Takes the events of a log one by one. */
export class SpanFolder {
  readonly #spans = new Map<string, Span>();
  /** Processes that a call left and that have not ended. */
  readonly #left = new Map<number, string>();

  take(event: LogEvent): void {
    const at = Date.parse(event.at);
    if (event.t === 'call.started') {
      if (event.mode === 'sandbox')
        this.#spans.set(event.call, { call: event.call, from: at, ended: null, to: null });
    } else if (event.t === 'call.failed') this.#spans.delete(event.call);
    else if (event.t === 'call.ended' || event.t === 'call.closed') this.#ended(event.call, at);
    else if (event.t === 'call.left') {
      // A pid that is used again: nobody was there to see that the process before had ended.
      this.#gone(event.pids, at);
      for (const pid of event.pids) this.#left.set(pid, event.call);
      this.#change(event.call, { to: null });
    } else if (event.t === 'processes' && event.state === 'ended') this.#gone(event.pids, at);
  }

  /** In the order in which they began. */
  spans(): Span[] {
    return [...this.#spans.values()].sort((a, b) => a.from - b.from);
  }

  #ended(call: string, at: number): void {
    const span = this.#spans.get(call);
    // Clocks are set: a call never ends before it began.
    const end = Math.max(at, span?.from ?? at);
    this.#change(call, { ended: end, ...(this.#leaves(call) ? {} : { to: end }) });
  }

  #gone(pids: readonly number[], at: number): void {
    for (const pid of pids) {
      const call = this.#left.get(pid);
      this.#left.delete(pid);
      if (call === undefined || this.#leaves(call)) continue;
      const ended = this.#spans.get(call)?.ended ?? null;
      if (ended !== null) this.#change(call, { to: Math.max(at, ended) });
    }
  }

  #leaves(call: string): boolean {
    return [...this.#left.values()].includes(call);
  }

  #change(call: string, change: Partial<Span>): void {
    const span = this.#spans.get(call);
    if (span !== undefined) this.#spans.set(call, { ...span, ...change });
  }
}

/**
 * The calls that could write at some moment between `earliest` and `latest` (milliseconds, both included; the same for
 * an entry's own time stamp), in the order in which they began.
 */
export function writersBetween(spans: readonly Span[], earliest: number, latest: number): Writer[] {
  const writers: Writer[] = [];
  for (const { call, from, ended, to } of spans) {
    if (from - CLOCK_TICK_MS > latest || (to !== null && to < earliest)) continue;
    writers.push({ call, by: ended === null || ended >= earliest ? 'command' : 'process' });
  }
  return writers;
}
