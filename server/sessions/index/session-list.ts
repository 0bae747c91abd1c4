import type { ScanMark } from '../../../core/scan/cache/looks.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { ListAge } from '../../../shared/api/contract.ts';
import { TraiError } from '../../../shared/errors.ts';
import { within } from '../../hooks/world/within.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { type CallSpans, HeldList, noChanges } from './held-list.ts';

/** Hooks come close together: a list this young answers them without another scan (ms). */
const RECENT_MS = 1_000;

/** How long a new list is waited for before the last one will do (ms). */
interface Patience {
  /** When the last scan took less, a new one is waited for `quick`: a short list is shown as of now on a busy machine, too. */
  under: number;
  quick: number;
  /** Otherwise: the scan may find that nothing has changed. */
  long: number;
}

const PATIENCE: Patience = { under: 2_000, quick: 5_000, long: 300 };

export interface ListParts {
  runner: JobRunner;
  /** Null before the first call, when there is no overlay. */
  context: () => Promise<SessionContext | null>;
  /** A clock that is never set back (ms). */
  now: () => number;
  spans: CallSpans;
  /** Reads what the log has new. */
  catchUp: () => Promise<void>;
  /** After every scan: the revision of what it found. Missing = nobody wants to know. */
  scanned?: (revision: string) => void;
}

/**
 * The last change list of a session, and the scans that make it: one at a time, since two of 300,000 entries would take
 * twice the memory and no less time.
 */
export class SessionList {
  readonly #parts: ListParts;
  #list: HeldList | null = null;
  /** When the scan that gave the list began. */
  #from = 0;
  /** How long the last whole scan took (ms). */
  #took = 0;
  /** By which the next scan may find that nothing has changed. */
  #mark: ScanMark | null = null;
  #dirty = true;
  /** When something was last committed, discarded or undone (ms). */
  #replacedAt = Number.NEGATIVE_INFINITY;
  #usedAt = 0;
  #scanning: { from: number; list: Promise<HeldList> } | null = null;
  /** A scan that begins when the one under way is over. */
  #next: Promise<HeldList> | null = null;

  constructor(parts: ListParts) {
    this.#parts = parts;
  }

  get last(): HeldList | null {
    return this.#list;
  }

  /** Something may have changed since the last scan. */
  get dirty(): boolean {
    return this.#dirty;
  }

  markDirty(): void {
    this.#dirty = true;
  }

  /** Something was committed, discarded or undone: the last list is wrong, and not shown to anybody any more. */
  markReplaced(): void {
    this.#dirty = true;
    this.#replacedAt = this.#parts.now();
  }

  /** Drops a list that was not used for so long (ms): a million entries of 200 sessions take 500 MB. */
  release(unused: number): void {
    if (this.#scanning !== null || this.#parts.now() - this.#usedAt < unused) return;
    this.#list = null;
    this.#mark = null;
  }

  /**
   * The list that a question is about. What is shown to a user is `now`, since no event tells when the host changes;
   * callers at the same time share one scan.
   */
  async get(age: ListAge): Promise<HeldList> {
    const now = this.#parts.now();
    this.#usedAt = now;
    if (age === 'last' && this.#list !== null) return this.#list;
    // One more: of a scan that began in this very moment it is not known whether it saw what led to the question.
    return await this.#scannedSince(age === 'now' ? now + 1 : now - RECENT_MS);
  }

  /** For who was given an old list with this `since`. What another server said may lie in the future of this one. */
  async since(since: number): Promise<HeldList> {
    return await this.#scannedSince(Math.min(since, this.#parts.now() + 1));
  }

  /** A new list, or the last one where that takes too long and there is one that a user may be shown. */
  async nowOrLast({ under, quick, long } = PATIENCE): Promise<{ list: HeldList; since: number | null }> {
    const since = this.#parts.now();
    const fresh = this.get('now');
    const shown = () => (this.#from > this.#replacedAt ? this.#list : null);
    const first = shown() === null ? await fresh : await within(this.#took < under ? quick : long, fresh);
    const last = first === null ? shown() : null;
    return last === null ? { list: first ?? (await fresh), since: null } : { list: last, since };
  }

  /** From a scan that began at or after `since` (ms). */
  async #scannedSince(since: number): Promise<HeldList> {
    this.#usedAt = this.#parts.now();
    const running = this.#scanning;
    if (running !== null) {
      // One that began before the last change may have missed it.
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
    // Whoever asked first when that one was over has begun the one that all of these wait for.
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
    // After the scan: whoever wrote what it saw is in the log by now.
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
