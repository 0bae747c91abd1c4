/**
 * Attribution by time: the calls that can have written an entry. Known are the start and end of each
 * sandboxed call, the end of the last process that it left, and the kernel's time stamps of an upper entry.
 * Calls overlap, so the answer is a set: the writer is in it, and a single member is certain.
 */
/** When a call could write into the overlay, milliseconds since 1970. */
export interface Span {
  call: string;
  /** Of its launcher. */
  pid: number;
  from: number;
  /** Of its command; null = running. */
  ended: number | null;
  /** Of the client itself, during which its calls run: no writer where one of them can be. */
  around?: true;
  /** Of everything it left, not before `ended`; null = something still runs. */
  to: number | null;
}

/** Possibly of another session that had the overlay before. */
export interface OverlaySpan extends Span {
  session: string;
}

export interface Adoption {
  from: string;
  to: string;
  at: number;
}

/** Kernel time stamps lag behind the clock by up to a tick: 10 ms at 100 Hz. */
export const CLOCK_TICK_MS = 20;

export interface SpanSource {
  adoptions: readonly Adoption[];
  spans(): readonly Span[];
}

/** Of the session and of earlier owners of the overlay, cut at the adoption; `sourceOf` null = removed. */
export function overlaySpans(session: string, sourceOf: (id: string) => SpanSource | null): OverlaySpan[] {
  const found: OverlaySpan[] = [];
  const seen = new Set<string>();
  const visit = (id: string, until: number): void => {
    const source = seen.has(id) ? null : sourceOf(id);
    seen.add(id);
    if (source === null) return;
    for (const span of source.spans()) {
      if (span.from > until || span.around === true) continue;
      // Later processes of that session write into another overlay.
      const to = Math.min(span.to ?? until, until);
      found.push({ ...span, to: to === Number.POSITIVE_INFINITY ? null : to, session: id });
    }
    for (const { from, to, at } of source.adoptions) if (to === id && at <= until) visit(from, at);
  };
  visit(session, Number.POSITIVE_INFINITY);
  return found;
}

/** Answers many questions: 50,000 entries and 10,000 calls take about 20 ms. */
export class WriterIndex<S extends Span = Span> {
  readonly #spans: readonly S[];
  /** The latest end up to and including the i-th span. */
  readonly #latestTo: number[] = [];
  readonly #known = new Map<string, readonly string[]>();
  /** One array a set of calls: 50,000 changes carry few. */
  readonly #sets = new Map<string, readonly string[]>();

  constructor(spans: readonly S[]) {
    this.#spans = [...spans].sort((a, b) => a.from - b.from);
    let latest = Number.NEGATIVE_INFINITY;
    for (const { to } of this.#spans) {
      latest = Math.max(latest, to ?? Number.POSITIVE_INFINITY);
      this.#latestTo.push(latest);
    }
  }

  /** Spans during which something between the two moments (ms, included) can have been written, by start. */
  spansBetween(earliest: number, latest: number): S[] {
    const found: S[] = [];
    // Logged times are whole milliseconds: the end may be up to 1 ms later.
    const first = Math.floor(earliest);
    for (let i = this.#after(latest + CLOCK_TICK_MS) - 1; i >= 0; i--) {
      if ((this.#latestTo[i] ?? 0) < first) break;
      const span = this.#spans[i];
      if (span !== undefined && (span.to === null || span.to >= first)) found.push(span);
    }
    return found.reverse();
  }

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

/** At `earliest` or later: by its command, or by a process that it left. */
export function writesBy({ ended }: Span, earliest: number): 'command' | 'process' {
  return ended === null || ended >= Math.floor(earliest) ? 'command' : 'process';
}
