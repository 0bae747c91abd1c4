import type { CallList } from '../../shared/api/types.ts';
import type { SpanSource } from '../../shared/changes/attribution.ts';
import type { Change, ChangeList } from '../../shared/changes/model.ts';
import type { ScanMark } from '../../shared/changes/node/looks.ts';
import type { WriteTime } from '../../shared/changes/written.ts';
import { TraiError } from '../../shared/errors.ts';
import { LogTail } from '../../shared/log/node/read.ts';
import type { LogEvent } from '../../shared/log/types.ts';
import type { SessionContext } from '../../shared/sandbox/types.ts';
import { Background } from './background.ts';
import { Clients } from './clients.ts';
import { emptyList } from './empty-list.ts';
import { isLauncherAlive } from './launchers.ts';
import { unpackScan } from './packed-scan.ts';
import type { JobRunner } from './runner.ts';
import { Timeline } from './timeline.ts';
import { Written } from './written.ts';

/** For work of the server's own a list this young will do without another scan (ms): hooks come close together. */
const FRESH_MS = 1_000;

export interface WatchedParts {
  id: string;
  dir: string;
  runner: JobRunner;
  /** Null before the first call, when there is no overlay. */
  context: () => Promise<SessionContext | null>;
  /** A clock that is never set back (ms). */
  now: () => number;
  /** After every scan: its revision, and that of the newest list. Missing = nobody wants to know. */
  scanned?: (found: string, newest: string) => void;
  /** When the calls of another session ran; null = it is not there any more. Missing = there is none. */
  spansOf?: (session: string) => SpanSource | null;
}

/** What the server knows of one session: its log as it grows, its last change list, the work after its calls. */
export class WatchedSession {
  readonly id: string;
  readonly dir: string;
  readonly background = new Background();
  readonly clients = new Clients();
  readonly log = new Timeline();
  readonly #parts: WatchedParts;
  readonly #tail: LogTail;
  readonly #written: Written;
  /** What was read from the log and nobody has heard of yet. */
  #news: LogEvent[] = [];
  #notices: { at: string; code: string; text: string }[] = [];
  #lastCallAt: string | null = null;
  /** Calls between `call.started` and their end: pid and time of the launcher. */
  readonly #running = new Map<string, { pid: number; at: string }>();
  #list: ChangeList | null = null;
  /** When the scan that gave the list began. */
  #listFrom = 0;
  /** A list that the next scan may find to be true still. */
  #known: { list: ChangeList; mark: ScanMark } | null = null;
  #dirty = true;
  /** When somebody last asked for the list. */
  #usedAt = 0;
  #scanning: { from: number; list: Promise<ChangeList> } | null = null;
  /** A scan that begins when the one under way is over. */
  #next: Promise<ChangeList> | null = null;
  #tidying: Promise<void> | null = null;
  #untidy = false;
  /** Start of the first call since a round that found the session quiet; null = a process was left, so not known. */
  #earliest: number | null = Number.POSITIVE_INFINITY;

  constructor(parts: WatchedParts) {
    this.id = parts.id;
    this.dir = parts.dir;
    this.#parts = parts;
    this.#tail = new LogTail(parts.dir);
    this.#written = new Written(parts.id, parts.spansOf);
  }

  /** Reads what the log has new. Gives the new events; empty when nothing was appended. */
  async readLog(): Promise<LogEvent[]> {
    await this.#catchUp();
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** When its calls ran. */
  get spans(): SpanSource {
    return this.#written.spans;
  }

  async #catchUp(): Promise<void> {
    const news = await this.#tail.read();
    if (news.reset) {
      this.#written.reset();
      this.#notices = [];
      this.#running.clear();
      this.background.reset();
      this.clients.reset();
    }
    this.log.take(news);
    for (const event of news.events) {
      this.#take(event);
      this.#news.push(event);
    }
  }

  #take(event: LogEvent): void {
    this.#written.spans.take(event);
    this.background.take(event);
    this.clients.take(event);
    if (event.t === 'call.started') {
      this.#running.set(event.call, { pid: event.pid, at: event.at });
      this.#lastCallAt = event.at;
      if (this.#earliest !== null) this.#earliest = Math.min(this.#earliest, Date.parse(event.at));
      this.#dirty = true;
    } else if (event.t === 'call.ended' || event.t === 'call.failed' || event.t === 'call.closed') {
      if (this.#running.delete(event.call)) this.#untidy = true;
      this.#dirty = true;
    } else if (
      event.t === 'commit' ||
      event.t === 'discard' ||
      event.t === 'undo' ||
      event.t === 'commit.undone' ||
      event.t === 'adopt'
    ) {
      this.#dirty = true;
    } else if (event.t === 'notice') {
      this.#notices.push({ at: event.at, code: event.code, text: event.text });
    }
  }

  /** What is new on the timeline since the log had `after` bytes; 0, or more than it has, = all of it. */
  timeline(after: number): CallList {
    const news = this.log.news(after, this.#tail.pending());
    return this.#list === null ? news : { ...news, wrote: this.#written.counts(this.#list) };
  }

  get lastCallAt(): string | null {
    return this.#lastCallAt;
  }

  get notices(): readonly { at: string; code: string; text: string }[] {
    return this.#notices;
  }

  get list(): ChangeList | null {
    return this.#list;
  }

  /** Lets go of a list that nobody has asked for in so long (ms): a million entries of 200 sessions take 500 MB. */
  release(unused: number): void {
    if (this.#scanning !== null || this.#parts.now() - this.#usedAt < unused) return;
    this.#list = null;
    this.#known = null;
  }

  get dirty(): boolean {
    return this.#dirty;
  }

  /** A launcher of this session is running. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Calls whose launcher is gone without having written an end. */
  lostCalls(): string[] {
    return [...this.#running].flatMap(([call, { pid, at }]) => (isLauncherAlive(pid, at) ? [] : [call]));
  }

  /**
   * The change list from a scan that began at or after `since` (ms). Whoever shows it to a person asks for one from now
   * on: nobody tells the server when the host changes. Callers at the same time share one scan.
   */
  async changes(since: number = this.#parts.now() - FRESH_MS): Promise<ChangeList> {
    this.#usedAt = this.#parts.now();
    if (!this.#dirty) {
      // First this: while a scan runs that was asked for because of a change, the list at hand is from before it.
      if (this.#scanning !== null) {
        if (this.#scanning.from >= since) return await this.#scanning.list;
        this.#next ??= this.#afterwards(this.#scanning.list);
        return await this.#next;
      }
      if (this.#list !== null && this.#listFrom >= since) return this.#written.name(this.#list);
    }
    return await this.#begin();
  }

  /** A list that is true now. */
  async changesNow(): Promise<ChangeList> {
    // One more: of a scan that began in this very moment it is not known whether it saw what led to the question.
    return await this.changes(this.#parts.now() + 1);
  }

  async #afterwards(running: Promise<ChangeList>): Promise<ChangeList> {
    await running.catch(() => {});
    this.#next = null;
    return await this.#begin();
  }

  async #begin(): Promise<ChangeList> {
    // A scan that began before the last change may have missed it: it is left to those who wait for it.
    this.#dirty = false;
    const scanning = { from: this.#parts.now(), list: this.#scan() };
    this.#scanning = scanning;
    try {
      const list = await scanning.list;
      if (this.#scanning === scanning) [this.#list, this.#listFrom] = [list, scanning.from];
      this.#parts.scanned?.(list.revision, this.#list?.revision ?? list.revision);
      return list;
    } catch (error) {
      this.#dirty = true;
      throw error;
    } finally {
      if (this.#scanning === scanning) this.#scanning = null;
    }
  }

  async #scan(): Promise<ChangeList> {
    const ctx = await this.#parts.context();
    if (ctx === null) return emptyList(this.id);
    const known = this.#known;
    const answer = unpackScan(await this.#parts.runner.run('scan', ctx, known?.mark ?? null));
    // After the scan: whoever wrote what it saw is in the log by now.
    await this.#catchUp();
    if (answer.same && known !== null) {
      known.list.at = new Date().toISOString();
      return this.#written.name(known.list);
    }
    if (answer.same) throw new TraiError('internal', 'the scan spoke of a list that is not there');
    const list = this.#written.take(answer.timed);
    this.#known = answer.mark === null ? null : { list, mark: answer.mark };
    return list;
  }

  /** Between which times a change of the last list was written; null = not known. */
  written(change: Change): WriteTime | null {
    return this.#list === null ? null : this.#written.timeOf(this.#list, change);
  }

  /** The last process is gone: what waited for that is done by the next round of `tidy`. */
  becameQuiet(): void {
    this.#untidy = true;
    this.#dirty = true;
  }

  markDirty(): void {
    this.#dirty = true;
  }

  /** The entry of the last list with that id, after a new scan if need be; null = there is none. */
  async change(entry: string): Promise<Change | null> {
    this.#usedAt = this.#parts.now();
    const find = (list: ChangeList | null) => list?.changes.find((change) => change.id === entry) ?? null;
    return find(this.#list) ?? find(await this.changesNow());
  }

  /** The work after calls that ended; calls that end meanwhile are covered by one more round. */
  tidy(): Promise<number[] | null> {
    if (!this.#untidy) return Promise.resolve(null);
    const before = this.#tidying ?? Promise.resolve();
    const round = before.then(async () => {
      if (!this.#untidy) return null;
      this.#untidy = false;
      try {
        return await this.#tidyRound();
      } catch (error) {
        // The next call asks for it again.
        this.#untidy = true;
        throw error;
      }
    });
    const done = round.then(
      () => {},
      () => {},
    );
    this.#tidying = done;
    return round;
  }

  async #tidyRound(): Promise<number[] | null> {
    const ctx = await this.#parts.context();
    if (ctx === null) return null;
    const first = this.#earliest;
    this.#earliest = null;
    const earliestCall = first !== null && Number.isFinite(first) ? first : null;
    const { left } = await this.#parts.runner.run('tidy', ctx, { earliestCall });
    if (left.length === 0) this.#earliest = this.#firstRunning();
    this.#dirty = true;
    return left;
  }

  /** A call that began while the last round ran is the first of the next one. */
  #firstRunning(): number {
    return Math.min(...[...this.#running.values()].map(({ at }) => Date.parse(at)), Number.POSITIVE_INFINITY);
  }

  /** Resolves when no work after a call is under way. */
  async settled(): Promise<void> {
    await this.#tidying;
  }
}
