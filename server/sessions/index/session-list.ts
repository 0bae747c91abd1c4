import type { PackedScan } from '../../../core/jobs/packed-scan.ts';
import type { ScanMark } from '../../../core/scan/cache/looks.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { ListOrLast } from '../../../shared/api/types.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import { within } from '../../hooks/world/within.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { emptyList } from './empty-list.ts';
import { type CallSpans, HeldList } from './held-list.ts';

/** For work of the server's own a list this young will do without another scan (ms): hooks come close together. */
const FRESH_MS = 1_000;

/** Changes that nobody has asked for in so long are held as columns only (ms). */
const UNPACKED_MS = 30_000;

/** How long a new list is waited for before the last one will do (ms). */
export interface Patience {
  /** A scan that took less, the last time, is waited for `quick`: on a busy machine, too, a short list that is shown is of now. */
  under: number;
  quick: number;
  /** Any other so long: it may find that nothing has changed. */
  long: number;
}

const PATIENCE: Patience = { under: 2_000, quick: 5_000, long: 300 };

export interface ListParts {
  id: string;
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
  #list: ChangeList | null = null;
  /** What the list is made from; null before the first call. */
  #held: HeldList | null = null;
  /** When the scan that gave the list began. */
  #from = 0;
  /** How long the last scan took that was a whole one (ms). */
  #took = 0;
  /** What the next scan may find the list to be true by. */
  #mark: ScanMark | null = null;
  #dirty = true;
  /** When something was last committed, discarded or brought back (ms). */
  #orderedAt = Number.NEGATIVE_INFINITY;
  /** When somebody last asked for the list. */
  #usedAt = 0;
  #scanning: { from: number; list: Promise<ChangeList> } | null = null;
  /** A scan that begins when the one under way is over. */
  #next: Promise<ChangeList> | null = null;

  constructor(parts: ListParts) {
    this.#parts = parts;
  }

  get last(): ChangeList | null {
    return this.#list;
  }

  /** The columns of that list. */
  get held(): HeldList | null {
    return this.#held;
  }

  get dirty(): boolean {
    return this.#dirty;
  }

  /** Something may have changed. */
  markDirty(): void {
    this.#dirty = true;
  }

  /** Something was applied or dropped: to a person the list of before is not old, it is wrong. */
  markOrdered(): void {
    this.#dirty = true;
    this.#orderedAt = this.#parts.now();
  }

  /** Lets go of a list that nobody has asked for in so long (ms): a million entries of 200 sessions take 500 MB. */
  release(unused: number): void {
    this.#held?.release(performance.now() - UNPACKED_MS);
    if (this.#scanning !== null || this.#parts.now() - this.#usedAt < unused) return;
    this.#list = null;
    this.#held = null;
    this.#mark = null;
  }

  /**
   * The change list from a scan that began at or after `since` (ms). Whoever shows it to a person asks for one from now
   * on: nobody tells the server when the host changes. Callers at the same time share one scan.
   */
  async changes(since: number = this.#parts.now() - FRESH_MS): Promise<ChangeList> {
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

  /** A list that is true now. */
  async changesNow(): Promise<ChangeList> {
    // One more: of a scan that began in this very moment it is not known whether it saw what led to the question.
    return await this.changes(this.#parts.now() + 1);
  }

  /** For who was told `since` with a list that may be old. What another server said may lie in the future of this one. */
  async changesSince(since: number): Promise<ChangeList> {
    return await this.changes(Math.min(since, this.#parts.now() + 1));
  }

  /** The same, or the last list where that takes too long and there is one that a person may be shown. */
  async changesOrLast({ under, quick, long } = PATIENCE): Promise<ListOrLast> {
    const ms = this.#took < under ? quick : long;
    const since = this.#parts.now();
    const fresh = this.changesNow();
    const first = this.#shown() === null ? await fresh : await within(ms, fresh);
    const last = first === null ? this.#shown() : null;
    if (last !== null) return { list: last, since };
    return { list: first ?? (await fresh), since: null };
  }

  /** The columns of the last list, after a scan if there is none; null before the first call. */
  async columns(): Promise<HeldList | null> {
    this.#usedAt = this.#parts.now();
    if (this.#list === null) await this.changes();
    return this.#held;
  }

  /** The entry of the last list with that id, after a new scan if need be; null = there is none. */
  async change(entry: string): Promise<Change | null> {
    this.#usedAt = this.#parts.now();
    const find = (list: ChangeList | null) => list?.changes.find((change) => change.id === entry) ?? null;
    return find(this.#list) ?? find(await this.changesNow());
  }

  #shown(): ChangeList | null {
    return this.#from > this.#orderedAt ? this.#list : null;
  }

  async #afterwards(running: Promise<ChangeList>): Promise<ChangeList> {
    await running.catch(() => {});
    this.#next = null;
    // Whoever asked first when that one was over has begun the one that all of these wait for.
    return await (this.#scanning?.list ?? this.#begin());
  }

  async #begin(): Promise<ChangeList> {
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

  async #scan(): Promise<ChangeList> {
    const { context, runner, catchUp } = this.#parts;
    const began = this.#parts.now();
    const ctx = await context();
    const answer =
      ctx === null ? null : await runner.run('scan', ctx, this.#list === null ? null : this.#mark);
    if (answer?.same !== true) this.#took = this.#parts.now() - began;
    // After the scan: whoever wrote what it saw is in the log by now.
    if (answer !== null) await catchUp();
    return answer === null ? this.#none() : this.#take(answer);
  }

  #none(): ChangeList {
    this.#mark = null;
    this.#held = null;
    this.#list = emptyList(this.#parts.id);
    return this.#list;
  }

  /** In one go: nobody finds no list while the new one is read. */
  #take(answer: PackedScan): ChangeList {
    if (answer.same) {
      if (this.#list === null) throw new TraiError('internal', 'the scan spoke of a list that is not there');
      this.#list.at = new Date().toISOString();
      return this.#list;
    }
    this.#held = new HeldList(answer, this.#parts.spans);
    this.#list = this.#held.list;
    this.#mark = answer.rest.mark;
    return this.#list;
  }
}
