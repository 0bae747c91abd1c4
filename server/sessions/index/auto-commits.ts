/**
 * Starts the commits of effect rules with `auto` (core/jobs/auto/auto-commit.ts) once the work after a call is done. No
 * call waits for one: the next call cancels it, and what was not begun goes after that call.
 */
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { NewEvent } from '../../../shared/log/events.ts';
import type { JobRunner } from '../../worker/runner.ts';
import type { WatchedSession } from './watched-session.ts';

interface AutoCommitParts {
  runner: Pick<JobRunner, 'run'>;
  context: (session: string) => Promise<SessionContext | null>;
  /** Folds what the log has by now. Never throws. */
  follow: (session: WatchedSession) => Promise<void>;
  /** Never throws. What it writes is not folded yet. */
  log: (session: WatchedSession, event: NewEvent) => void;
  /** Something was committed. */
  committed: (session: WatchedSession) => void;
  report: (thrown: unknown) => void;
}

const LEFT = 'auto-left';
/** Notices of one session: more of the same would say nothing new. */
const MOST_LEFT = 50;

export class AutoCommits {
  readonly #parts: AutoCommitParts;
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void>; again: boolean }>();
  #closed = false;

  constructor(parts: AutoCommitParts) {
    this.#parts = parts;
  }

  /** Not while calls run, but for the client's own: their end begins it. One at a time: what a running one may have missed, the next one sees. */
  begin(session: WatchedSession): void {
    if (this.#closed || isBusy(session)) return;
    const running = this.#running.get(session.id);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const stop = new AbortController();
    const done = this.#run(session, stop.signal)
      .catch(this.#parts.report)
      .then(() => {
        const again = this.#running.get(session.id)?.again === true;
        this.#running.delete(session.id);
        if (again) this.begin(session);
      });
    this.#running.set(session.id, { stop, done, again: false });
  }

  /** A call is about to enter the session. */
  cancel(id: string): void {
    this.#running.get(id)?.stop.abort();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #run(session: WatchedSession, signal: AbortSignal): Promise<void> {
    const ctx = await this.#parts.context(session.id);
    if (ctx === null || signal.aborted) return;
    const { report, left } = await this.#parts.runner.run('autoCommit', ctx, null, undefined, signal);
    // By the log, so that a later server does not say it again; the notices of the run before may not be folded yet.
    if (left.length > 0) await this.#parts.follow(session);
    const known = session.log.fold.notices.filter(({ code }) => code === LEFT).map(({ text }) => text);
    const news = left.filter((text) => !known.includes(text)).slice(0, Math.max(0, MOST_LEFT - known.length));
    for (const text of news) this.#parts.log(session, { t: 'notice', code: LEFT, text });
    if (report !== null) this.#parts.committed(session);
  }
}

/** The client of `trai claude` is itself a call, which runs all the time. */
function isBusy({ log: { fold } }: WatchedSession): boolean {
  return [...fold.running.keys()].some((call) => fold.view(call)?.origin !== 'client');
}
