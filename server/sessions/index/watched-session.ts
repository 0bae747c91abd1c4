import { isClientRunning } from '../../../core/sandbox/client-door.ts';
import type { CallList } from '../../../shared/api/types.ts';
import type { SpanSource } from '../../../shared/log/call-times.ts';
import type { EventOf, LogEvent } from '../../../shared/log/events.ts';
import { isLauncherAlive } from './left-processes.ts';
import { type ListParts, SessionList } from './session-list.ts';
import { type LogNews, SessionLog } from './session-log.ts';

interface WatchedParts extends Omit<ListParts, 'spans' | 'catchUp'> {
  id: string;
  dir: string;
  spansOf?: (session: string) => SpanSource | null;
}

const REPLACES_LIST: ReadonlySet<LogEvent['t']> = new Set([
  'commit',
  'discard',
  'undo',
  'commit.undone',
  'adopt',
]);

export class WatchedSession {
  readonly id: string;
  readonly dir: string;
  readonly log: SessionLog;
  readonly list: SessionList;
  readonly #parts: WatchedParts;
  /** Read from the log, and not returned by `readLog` yet. */
  #news: LogNews[] = [];
  #tidying: Promise<unknown> = Promise.resolve();
  #leftAny = false;
  #untidy = false;
  /** Start of the first call since the session was quiet; null = not known, since a process was left. */
  #earliest: number | null = Number.POSITIVE_INFINITY;

  constructor(parts: WatchedParts) {
    this.id = parts.id;
    this.dir = parts.dir;
    this.#parts = parts;
    this.log = new SessionLog(parts.dir);
    const spans = {
      session: parts.id,
      version: () => this.log.spansVersion,
      of: (id: string) => (id === parts.id ? this.log.fold : (parts.spansOf?.(id) ?? null)),
    };
    this.list = new SessionList({ ...parts, spans, catchUp: () => this.#catchUp() });
  }

  /** Processes of earlier calls were running after the last one. The log says it a moment later. */
  get leftAny(): boolean {
    return this.#leftAny;
  }

  /** Each event is returned once. */
  async readLog(): Promise<LogNews[]> {
    await this.#catchUp();
    const news = this.#news;
    this.#news = [];
    return news;
  }

  async #catchUp(): Promise<void> {
    for (const news of await this.log.read()) {
      this.#news.push(news);
      const { event, change } = news;
      if (REPLACES_LIST.has(event.t)) this.list.markReplaced();
      if (change === null) continue;
      this.list.markDirty();
      if (change.is === 'started') this.#started(change.start);
      else if (change.start !== null) this.#untidy = true;
    }
  }

  #started({ at, mode }: EventOf<'call.started'>): void {
    // A host call does not write to the uppers.
    if (this.#earliest !== null && mode === 'sandbox')
      this.#earliest = Math.min(this.#earliest, Date.parse(at));
  }

  timeline(after: number): CallList {
    const wrote = this.list.last?.wrote();
    return { ...this.log.timeline(after), ...(wrote === undefined ? {} : { wrote }) };
  }

  get busy(): boolean {
    return this.log.fold.running.size > 0;
  }

  /** The newest of several; null = none. Not the client's own, in whose session the calls are. */
  async runningCall(): Promise<string | null> {
    await this.#catchUp();
    const running = this.log.fold
      .views()
      .filter(({ state, origin }) => state === 'running' && origin !== 'client');
    return running.at(-1)?.id ?? null;
  }

  lostCalls(): string[] {
    const started = [...this.log.fold.running.values()];
    // In a box a launcher that finds no server does not know its number here, and ends with the box.
    const isAlive = (pid: number, at: string) =>
      pid === 0 ? isClientRunning(this.dir) : isLauncherAlive(pid, at);
    return started.flatMap(({ call, pid, at }) => (isAlive(pid, at) ? [] : [call]));
  }

  /** The next `tidy` does what waited for a quiet session. */
  becameQuiet(): void {
    this.#leftAny = false;
    this.#untidy = true;
    this.list.markDirty();
  }

  /** Calls that end meanwhile get one more round. Pids of the processes left; null = nothing to do. */
  tidy(): Promise<number[] | null> {
    if (!this.#untidy) return Promise.resolve(null);
    const round = this.#tidying.then(async () => {
      if (!this.#untidy) return null;
      this.#untidy = false;
      try {
        return await this.#tidyRound();
      } catch (error) {
        // The next call asks again.
        this.#untidy = true;
        throw error;
      }
    });
    this.#tidying = round.catch(() => {});
    return round;
  }

  async #tidyRound(): Promise<number[] | null> {
    const ctx = await this.#parts.context();
    if (ctx === null) return null;
    const first = this.#earliest;
    this.#earliest = null;
    const earliestCall = first !== null && Number.isFinite(first) ? first : null;
    const { left } = await this.#parts.runner.run('tidy', ctx, { earliestCall });
    this.#leftAny = left.length > 0;
    // A call that began during this round is the first of the next one.
    if (left.length === 0) {
      const begun = Array.from(this.log.fold.running.values(), ({ at }) => Date.parse(at));
      this.#earliest = Math.min(...begun, Number.POSITIVE_INFINITY);
    }
    this.list.markDirty();
    return left;
  }

  async settled(): Promise<void> {
    await this.#tidying;
  }
}
