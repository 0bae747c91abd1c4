/**
 * The change list of a session. The worker scans; this thread holds the list's columns and what is computed
 * from them. Objects for 300,000 entries take six times the memory and half a second of the thread that
 * answers hooks, so the worker, which has unpacked the list, answers questions about single changes
 * (server/worker/).
 */
import { type PackedFound, writersAt } from '../../../core/jobs/lists.ts';
import type { ScanMark } from '../../../core/scan/cache/unchanged.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { ListAge } from '../../../shared/api/contract.ts';
import { type PackedList, withWriters } from '../../../shared/api/packed-changes.ts';
import { TraiError } from '../../../shared/errors.ts';
import {
  type OverlaySpan,
  overlaySpans,
  type SpanSource,
  WriterIndex,
} from '../../../shared/log/call-times.ts';
import { type ChangeList, countChanges } from '../../../shared/model/change.ts';
import { within } from '../../hooks/world/within.ts';
import type { JobRunner } from '../../worker/runner.ts';

/** Hooks come in bursts: a list this young answers them without another scan (ms). */
const RECENT_MS = 1_000;

/** After a scan faster than `under`: `quick`, so that a short list is current on a busy machine too (ms). */
const PATIENCE = { under: 2_000, quick: 5_000, long: 300 };

export interface ListParts {
  runner: JobRunner;
  /** Null before the first call. */
  context: () => Promise<SessionContext | null>;
  /** A monotonic clock (ms). */
  now: () => number;
  spans: CallSpans;
  catchUp: () => Promise<void>;
  scanned?: (revision: string) => void;
}

/** One scan at a time: two of 300,000 entries would take twice the memory and no less time. */
export class SessionList {
  readonly #parts: ListParts;
  #list: HeldList | null = null;
  #from = 0;
  /** Duration of the last complete scan (ms). */
  #took = 0;
  /** Lets the next scan find that nothing has changed. */
  #mark: ScanMark | null = null;
  #dirty = true;
  /** Time of the last commit, discard or undo (ms). */
  #replacedAt = Number.NEGATIVE_INFINITY;
  #usedAt = 0;
  #scanning: { from: number; list: Promise<HeldList> } | null = null;
  /** The scan that follows the running one. */
  #next: Promise<HeldList> | null = null;

  constructor(parts: ListParts) {
    this.#parts = parts;
  }

  get last(): HeldList | null {
    return this.#list;
  }

  get dirty(): boolean {
    return this.#dirty;
  }

  markDirty(): void {
    this.#dirty = true;
  }

  /** After a commit, discard or undo: the last list is wrong and must not be shown. */
  markReplaced(): void {
    this.#dirty = true;
    this.#replacedAt = this.#parts.now();
  }

  /** Drops a list unused for so long (ms): a million entries of 200 sessions take 500 MB. */
  release(unused: number): void {
    if (this.#scanning !== null || this.#parts.now() - this.#usedAt < unused) return;
    this.#list = null;
    this.#mark = null;
  }

  /** Users are shown `now`, since no event reports the host's changes; concurrent callers share a scan. */
  async get(age: ListAge): Promise<HeldList> {
    const now = this.#parts.now();
    this.#usedAt = now;
    if (age === 'last' && this.#list !== null) return this.#list;
    // One more: a scan that began at this very moment may have missed what led to the question.
    return await this.#scannedSince(age === 'now' ? now + 1 : now - RECENT_MS);
  }

  /** For a caller with an old list. A `since` from another server may lie in the future of this one. */
  async since(since: number): Promise<HeldList> {
    return await this.#scannedSince(Math.min(since, this.#parts.now() + 1));
  }

  /** A new list, or the last one where that takes too long and it may be shown. */
  async nowOrLast({ under, quick, long } = PATIENCE): Promise<{ list: HeldList; since: number | null }> {
    const since = this.#parts.now();
    const fresh = this.get('now');
    const shown = () => (this.#from > this.#replacedAt ? this.#list : null);
    const first = shown() === null ? await fresh : await within(this.#took < under ? quick : long, fresh);
    const last = first === null ? shown() : null;
    return last === null ? { list: first ?? (await fresh), since: null } : { list: last, since };
  }

  async #scannedSince(since: number): Promise<HeldList> {
    this.#usedAt = this.#parts.now();
    const running = this.#scanning;
    if (running !== null) {
      // A scan that began before the last change may have missed it.
      if (!this.#dirty && running.from >= since) return await running.list;
      this.#next ??= this.#afterwards(running.list);
      return await this.#next;
    }
    if (!this.#dirty && this.#list !== null && this.#from >= since) return this.#list;
    return await this.#begin();
  }

  async #afterwards(running: Promise<HeldList>): Promise<HeldList> {
    await running.catch(() => {});
    this.#next = null;
    // Another caller may have begun the next scan already.
    return await (this.#scanning?.list ?? this.#begin());
  }

  async #begin(): Promise<HeldList> {
    this.#dirty = false;
    const scanning = { from: this.#parts.now(), list: this.#scan() };
    this.#scanning = scanning;
    try {
      const list = await scanning.list;
      this.#from = scanning.from;
      this.#parts.scanned?.(list.revision);
      return list;
    } catch (error) {
      this.#dirty = true;
      throw error;
    } finally {
      this.#scanning = null;
    }
  }

  async #scan(): Promise<HeldList> {
    const { context, runner, catchUp, spans, now } = this.#parts;
    const began = now();
    const ctx = await context();
    if (ctx === null) {
      this.#mark = null;
      this.#list = new HeldList(noChanges(spans.session), spans);
      return this.#list;
    }
    const found = await runner.run('scan', ctx, this.#list === null ? null : this.#mark);
    if (!found.same) this.#took = now() - began;
    // After the scan: the log names the writers of what it saw.
    await catchUp();
    if (found.same) {
      if (this.#list === null) throw new TraiError('internal', 'the scan spoke of a list that is not there');
      this.#list.head.at = new Date().toISOString();
      return this.#list;
    }
    this.#mark = found.rest.mark;
    this.#list = new HeldList(found, spans);
    return this.#list;
  }
}

interface CallSpans {
  session: string;
  /** Changes when calls begin or end. */
  version: () => string;
  of: (session: string) => SpanSource | null;
}

export class HeldList {
  readonly head: Omit<ChangeList, 'changes'>;
  readonly found: PackedFound;
  readonly #spans: CallSpans;
  #wrote: { version: string; counts: Record<string, number> } | null = null;

  constructor(found: PackedFound, spans: CallSpans) {
    this.found = found;
    this.head = { ...found.list };
    this.#spans = spans;
  }

  get revision(): string {
    return this.head.revision;
  }

  /** Changes when other calls may be the writers. */
  get spansVersion(): string {
    return this.#spans.version();
  }

  spans(): OverlaySpan[] {
    return overlaySpans(this.#spans.session, this.#spans.of);
  }

  forTab(since: number | null): PackedList {
    const { identities: _, ...columns } = this.found.packed;
    const { timed: _t, ...head } = this.head;
    return { ...head, same: false, since, packed: withWriters(columns, this.#writers()) };
  }

  wrote(): Record<string, number> {
    const version = this.spansVersion;
    if (this.#wrote?.version === version) return this.#wrote.counts;
    const counts = new Map<string, number>();
    const writers = this.#writers();
    for (let i = 0; i < this.found.packed.count; i++)
      for (const call of writers(i) ?? []) counts.set(call, (counts.get(call) ?? 0) + 1);
    this.#wrote = { version, counts: Object.fromEntries(counts) };
    return this.#wrote.counts;
  }

  #writers(): (i: number) => readonly string[] | undefined {
    const index = new WriterIndex(this.spans());
    return (i) => writersAt(index, this.found.times, i);
  }
}

const NO_COLUMNS = {
  count: 0,
  ids: '',
  names: '',
  dirs: [],
  dirRuns: [],
  shapes: [],
  shapeRuns: [],
  pendingSizes: [],
  hostSizes: [],
};

export function noChanges(session: string): PackedFound {
  return {
    same: false,
    list: {
      session,
      revision: 'empty',
      at: new Date().toISOString(),
      counts: countChanges([]),
      bytes: 0,
      ignored: { count: 0, bytes: 0 },
      conflicts: 0,
      problems: [],
    },
    packed: NO_COLUMNS,
    rest: { same: false, mark: null },
    times: new Float64Array(),
  };
}
