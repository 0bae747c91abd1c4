import { LogTail } from '../../../core/session/log/read.ts';
import type { CallList, ListOrLast } from '../../../shared/api/types.ts';
import { RunningCalls, SpanFolder, type SpanSource } from '../../../shared/log/call-times.ts';
import type { EventOf, LogEvent } from '../../../shared/log/events.ts';
import type { Change, ChangeList, WriteTime } from '../../../shared/model/change.ts';
import { Background } from './background.ts';
import { Clients } from './clients.ts';
import type { HeldList } from './held-list.ts';
import { isLauncherAlive } from './launchers.ts';
import { type ListParts, type Patience, SessionList } from './session-list.ts';
import { Timeline } from './timeline.ts';

export interface WatchedParts extends Omit<ListParts, 'spans' | 'catchUp'> {
  dir: string;
  /** When the calls of another session ran; null = it is not there any more. Missing = there is none. */
  spansOf?: (session: string) => SpanSource | null;
}

/** What the server knows of one session: its log as it grows, the work after its calls, and its change list. */
export class WatchedSession {
  readonly id: string;
  readonly dir: string;
  readonly #running = new RunningCalls();
  readonly background = new Background(this.#running);
  readonly clients = new Clients();
  readonly log = new Timeline();
  readonly #parts: WatchedParts;
  readonly #tail: LogTail;
  #spans = new SpanFolder();
  /** How often the log was another one. */
  #logs = 0;
  /** What was read from the log and nobody has heard of yet. */
  #news: LogEvent[] = [];
  #notices: { at: string; code: string; text: string }[] = [];
  #lastCallAt: string | null = null;
  readonly #list: SessionList;
  #tidying: Promise<void> | null = null;
  #untidy = false;
  /** Start of the first call since a round that found the session quiet; null = a process was left, so not known. */
  #earliest: number | null = Number.POSITIVE_INFINITY;

  constructor(parts: WatchedParts) {
    this.id = parts.id;
    this.dir = parts.dir;
    this.#parts = parts;
    this.#tail = new LogTail(parts.dir);
    const spans = {
      session: parts.id,
      own: () => this.#spans,
      version: () => `${this.#logs} ${this.#spans.version}`,
      of: parts.spansOf ?? (() => null),
    };
    this.#list = new SessionList({ ...parts, spans, catchUp: () => this.#catchUp() });
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
    return this.#spans;
  }

  async #catchUp(): Promise<void> {
    const news = await this.#tail.read();
    if (news.reset) {
      this.#spans = new SpanFolder();
      this.#logs++;
      this.#notices = [];
      this.#running.reset();
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
    this.#spans.take(event);
    this.background.take(event);
    this.clients.take(event);
    const change = this.#running.take(event);
    if (change !== null) {
      this.#list.markDirty();
      if (change.is === 'started') this.#started(change.start);
      else if (change.start !== null) this.#untidy = true;
    } else if (
      event.t === 'commit' ||
      event.t === 'discard' ||
      event.t === 'undo' ||
      event.t === 'commit.undone' ||
      event.t === 'adopt'
    ) {
      this.#list.markOrdered();
    } else if (event.t === 'notice') {
      this.#notices.push({ at: event.at, code: event.code, text: event.text });
    }
  }

  #started({ at, mode }: EventOf<'call.started'>): void {
    this.#lastCallAt = at;
    // A call on the host sees nothing in the sandbox's place.
    if (this.#earliest !== null && mode === 'sandbox')
      this.#earliest = Math.min(this.#earliest, Date.parse(at));
  }

  /** What is new on the timeline since the log had `after` bytes; 0, or more than it has, = all of it. */
  timeline(after: number): CallList {
    const news = this.log.news(after, this.#tail.pending());
    const wrote = this.held?.wrote() ?? (this.list === null ? undefined : {});
    return wrote === undefined ? news : { ...news, wrote };
  }

  get lastCallAt(): string | null {
    return this.#lastCallAt;
  }

  get notices(): readonly { at: string; code: string; text: string }[] {
    return this.#notices;
  }

  /** The last one. */
  get list(): ChangeList | null {
    return this.#list.last;
  }

  /** Its columns. */
  get held(): HeldList | null {
    return this.#list.held;
  }

  /** As those of `SessionList`. */
  release(unused: number): void {
    this.#list.release(unused);
  }

  get dirty(): boolean {
    return this.#list.dirty;
  }

  /** A launcher of this session is running. */
  get busy(): boolean {
    return this.#running.some;
  }

  /** Calls whose launcher is gone without having written an end. */
  lostCalls(): string[] {
    return this.#running.all().flatMap(({ call, pid, at }) => (isLauncherAlive(pid, at) ? [] : [call]));
  }

  async changes(since?: number): Promise<ChangeList> {
    return await this.#list.changes(since);
  }

  async changesNow(): Promise<ChangeList> {
    return await this.#list.changesNow();
  }

  async changesSince(since: number): Promise<ChangeList> {
    return await this.#list.changesSince(since);
  }

  async changesOrLast(patience?: Patience): Promise<ListOrLast> {
    return await this.#list.changesOrLast(patience);
  }

  async columns(): Promise<HeldList | null> {
    return await this.#list.columns();
  }

  async change(entry: string): Promise<Change | null> {
    return await this.#list.change(entry);
  }

  markDirty(): void {
    this.#list.markDirty();
  }

  markOrdered(): void {
    this.#list.markOrdered();
  }

  /** Between which times a change of the last list was written; null = not known. */
  written(change: Change): WriteTime | null {
    return this.held?.timeOf(change.id) ?? null;
  }

  /** The last process is gone: what waited for that is done by the next round of `tidy`. */
  becameQuiet(): void {
    this.#untidy = true;
    this.#list.markDirty();
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
    this.#list.markDirty();
    return left;
  }

  /** A call that began while the last round ran is the first of the next one. */
  #firstRunning(): number {
    return Math.min(...this.#running.all().map(({ at }) => Date.parse(at)), Number.POSITIVE_INFINITY);
  }

  /** Resolves when no work after a call is under way. */
  async settled(): Promise<void> {
    await this.#tidying;
  }
}
