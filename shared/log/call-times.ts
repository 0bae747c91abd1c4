/**
 * Which calls run, and which can have written something at a given time.
 *
 * What there is to go by: when each sandboxed call began and ended, when the last process that it left had ended, and
 * the time stamps that the kernel gave to an entry of an upper. Calls overlap, so that the answer is a set: whoever
 * wrote it is among them, and where there is only one, it was that one.
 */
import type { EventOf, LogEvent } from './events.ts';

/** A time in which a call could write into the overlay, milliseconds since 1970. */
export interface Span {
  call: string;
  from: number;
  /** End of its command; null = it runs. */
  ended: number | null;
  /** End of all that it left behind, at the earliest the end of its command; null = something of it runs. */
  to: number | null;
}

/** A span of an overlay that may have been another session's before. */
export interface OverlaySpan extends Span {
  session: string;
}

/** That the overlay of another session went on in this one. */
export interface Adoption {
  from: string;
  to: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Kernel time stamps lag behind the clock by up to one tick: 10 ms at 100 Hz. */
export const CLOCK_TICK_MS = 20;

/** Takes the events of a log one by one. */
export class SpanFolder {
  readonly adoptions: Adoption[] = [];
  readonly #spans = new Map<string, Span>();
  /** Processes that a call left and that have not ended. */
  readonly #left = new Map<number, string>();
  #version = 0;

  /** Another number: the spans may be others. */
  get version(): number {
    return this.#version;
  }

  take(event: LogEvent): void {
    const at = Date.parse(event.at);
    if (event.t === 'call.started') {
      if (event.mode === 'sandbox') this.#set({ call: event.call, from: at, ended: null, to: null });
    } else if (event.t === 'call.failed') this.#delete(event.call);
    else if (event.t === 'call.ended' || event.t === 'call.closed') this.#ended(event.call, at);
    else if (event.t === 'call.left') {
      // A pid that is used again: nobody was there to see that the process before had ended.
      this.#gone(event.pids, at);
      for (const pid of event.pids) this.#left.set(pid, event.call);
      this.#change(event.call, { to: null });
    } else if (event.t === 'processes' && event.state === 'ended') this.#gone(event.pids, at);
    else if (event.t === 'adopt') {
      this.adoptions.push({ from: event.from, to: event.to, at });
      this.#version++;
    }
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
    if (span !== undefined) this.#set({ ...span, ...change });
  }

  #set(span: Span): void {
    this.#spans.set(span.call, span);
    this.#version++;
  }

  #delete(call: string): void {
    this.#spans.delete(call);
    this.#version++;
  }
}

/** What a session's log says of it. */
export type SpanSource = Pick<SpanFolder, 'adoptions' | 'spans'>;

/**
 * The spans of all calls that could write into a session's overlay: its own, and those of the sessions that had the
 * overlay before, up to when they gave it away.
 *
 * @param sourceOf null for a session that is not there any more
 */
export function overlaySpans(session: string, sourceOf: (id: string) => SpanSource | null): OverlaySpan[] {
  const found: OverlaySpan[] = [];
  const seen = new Set<string>();
  const visit = (id: string, until: number): void => {
    const source = seen.has(id) ? null : sourceOf(id);
    seen.add(id);
    if (source === null) return;
    for (const span of source.spans()) {
      if (span.from > until) continue;
      // Its later processes write into an overlay of its own.
      const to = span.to === null && until === Number.POSITIVE_INFINITY ? null : cap(span.to, until);
      found.push({ ...span, to, session: id });
    }
    for (const { from, to, at } of source.adoptions) if (to === id && at <= until) visit(from, at);
  };
  visit(session, Number.POSITIVE_INFINITY);
  return found;
}

function cap(to: number | null, until: number): number {
  return Math.min(to ?? until, until);
}

/** Which calls could write at what time, for many questions: 50,000 entries and 10,000 calls take some 20 ms. */
export class WriterIndex<S extends Span = Span> {
  readonly #spans: readonly S[];
  /** The latest end among a span and all before it. */
  readonly #latestTo: number[] = [];
  readonly #known = new Map<string, readonly string[]>();
  /** One array for each set of calls, so that a list of 50,000 changes carries few. */
  readonly #sets = new Map<string, readonly string[]>();

  constructor(spans: readonly S[]) {
    this.#spans = [...spans].sort((a, b) => a.from - b.from);
    let latest = Number.NEGATIVE_INFINITY;
    for (const { to } of this.#spans) {
      latest = Math.max(latest, to ?? Number.POSITIVE_INFINITY);
      this.#latestTo.push(latest);
    }
  }

  /**
   * The spans in which something between the two moments can have been written (milliseconds, both included; the same
   * for an entry's own time stamp), in the order in which they began.
   */
  spansBetween(earliest: number, latest: number): S[] {
    const found: S[] = [];
    // The log's times are whole: an end in the same millisecond may have been later.
    const first = Math.floor(earliest);
    for (let i = this.#after(latest + CLOCK_TICK_MS) - 1; i >= 0; i--) {
      if ((this.#latestTo[i] ?? 0) < first) break;
      const span = this.#spans[i];
      if (span !== undefined && (span.to === null || span.to >= first)) found.push(span);
    }
    return found.reverse();
  }

  /** Ids alone; the same array for the same set. */
  ids(from: number, to: number): readonly string[] {
    const [earliest, latest] = [Math.floor(from), Math.ceil(to)];
    const asked = `${earliest} ${latest}`;
    const known = this.#known.get(asked);
    if (known !== undefined) return known;
    const found = this.spansBetween(earliest, latest).map(({ call }) => call);
    const set = found.join('\0');
    const ids = this.#sets.get(set) ?? found;
    this.#sets.set(set, ids);
    this.#known.set(asked, ids);
    return ids;
  }

  /** How many spans began at or before that time. */
  #after(time: number): number {
    let low = 0;
    let high = this.#spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle]?.from ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** How a call that could write at that time or later did it: by its command, or by a process that it left. */
export function writesBy({ ended }: Span, earliest: number): 'command' | 'process' {
  return ended === null || ended >= Math.floor(earliest) ? 'command' : 'process';
}

type Start = EventOf<'call.started'>;

/** `start`: null when the log does not say that it had begun. */
export type CallChange = { is: 'started'; start: Start } | { is: 'ended'; start: Start | null };

/** Calls between `call.started` and their end, in the order in which they began. Takes the events of a log one by one. */
export class RunningCalls {
  readonly #calls = new Map<string, Start>();

  /** What the event says of a call's running; null when nothing. */
  take(event: LogEvent): CallChange | null {
    if (event.t === 'call.started') {
      this.#calls.set(event.call, event);
      return { is: 'started', start: event };
    }
    if (event.t !== 'call.ended' && event.t !== 'call.failed' && event.t !== 'call.closed') return null;
    const start = this.#calls.get(event.call) ?? null;
    this.#calls.delete(event.call);
    return { is: 'ended', start };
  }

  has(call: string): boolean {
    return this.#calls.has(call);
  }

  get some(): boolean {
    return this.#calls.size > 0;
  }

  all(): Start[] {
    return [...this.#calls.values()];
  }

  /** The log is read anew from its beginning. */
  reset(): void {
    this.#calls.clear();
  }
}
