import type { SessionContext } from '../../../core/session/session-context.ts';
import type { CallList } from '../../../shared/api/types.ts';
import type { SpanSource } from '../../../shared/log/call-times.ts';
import type { EventOf, LogEvent } from '../../../shared/log/events.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { isLauncherAlive } from './left-processes.ts';
import { SessionList } from './session-list.ts';
import { type LogNews, SessionLog } from './session-log.ts';

export interface WatchedParts {
  id: string;
  dir: string;
  runner: JobRunner;
  /** Null before the first call, when there is no overlay. */
  context: () => Promise<SessionContext | null>;
  /** A clock that is never set back (ms). */
  now: () => number;
  /** After every scan: the revision of what it found. */
  scanned?: (revision: string) => void;
  /** When the calls of another session ran; null = it is not there any more. */
  spansOf?: (session: string) => SpanSource | null;
}

const REPLACES_LIST: ReadonlySet<LogEvent['t']> = new Set([
  'commit',
  'discard',
  'undo',
  'commit.undone',
  'adopt',
]);

/** What the server knows of one session: its log as it grows, its change list, and the work after its calls. */
export class WatchedSession {
  readonly id: string;
  readonly dir: string;
  readonly log: SessionLog;
  readonly list: SessionList;
  readonly #parts: WatchedParts;
  /** What was read from the log and nobody has asked for yet. */
  #news: LogNews[] = [];
  #tidying: Promise<void> | null = null;
  #untidy = false;
  /** Start of the first call since a round that found the session quiet; null = a process was left, so not known. */
  #earliest: number | null = Number.POSITIVE_INFINITY;

  constructor(parts: WatchedParts) {
    this.id = parts.id;
    this.dir = parts.dir;
    this.#parts = parts;
    this.log = new SessionLog(parts.dir);
    const spans = {
      session: parts.id,
      own: () => this.log.fold.spans,
      version: () => this.log.spansVersion,
      of: parts.spansOf ?? (() => null),
    };
    this.list = new SessionList({ ...parts, spans, catchUp: () => this.#catchUp() });
  }

  /** Reads what the log has new. Gives what was not given before; empty when nothing was appended. */
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
    // A call on the host writes nothing into the uppers.
    if (this.#earliest !== null && mode === 'sandbox')
      this.#earliest = Math.min(this.#earliest, Date.parse(at));
  }

  /** What is new on the timeline since the log had `after` bytes; 0, or more than it has, = all of it. */
  timeline(after: number): CallList {
    const wrote = this.list.last?.wrote();
    return { ...this.log.timeline(after), ...(wrote === undefined ? {} : { wrote }) };
  }

  /** A launcher of this session is running. */
  get busy(): boolean {
    return this.log.fold.running.some;
  }

  /** Calls whose launcher is gone without having written an end. */
  lostCalls(): string[] {
    return this.log.fold.running
      .all()
      .flatMap(({ call, pid, at }) => (isLauncherAlive(pid, at) ? [] : [call]));
  }

  /** The last process is gone: the next round of `tidy` does what waited for that. */
  becameQuiet(): void {
    this.#untidy = true;
    this.list.markDirty();
  }

  /**
   * The work after calls that ended; calls that end meanwhile are covered by one more round. Gives the pids of processes
   * that were left; null = there was nothing to do.
   */
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
    this.#tidying = round.then(
      () => {},
      () => {},
    );
    return round;
  }

  async #tidyRound(): Promise<number[] | null> {
    const ctx = await this.#parts.context();
    if (ctx === null) return null;
    const first = this.#earliest;
    this.#earliest = null;
    const earliestCall = first !== null && Number.isFinite(first) ? first : null;
    const { left } = await this.#parts.runner.run('tidy', ctx, { earliestCall });
    // A call that began while this round ran is the first of the next one.
    if (left.length === 0) {
      const begun = this.log.fold.running.all().map(({ at }) => Date.parse(at));
      this.#earliest = Math.min(...begun, Number.POSITIVE_INFINITY);
    }
    this.list.markDirty();
    return left;
  }

  /** Resolves when no work after a call is under way. */
  async settled(): Promise<void> {
    await this.#tidying;
  }
}
