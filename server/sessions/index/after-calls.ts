import type { LogEvent } from '../../../shared/log/events.ts';
import type { WatchedSession } from './watched-session.ts';

/**
 * The client runs its hooks right after a call, and the model's next request waits for them: what the server does then
 * would take a processor from them (ms).
 */
const AFTER_CALL_MS = 100;

/** Says when the work after a call is to be done: soon, or at once where the next call waits for it. */
export class AfterCalls {
  readonly #work: (session: WatchedSession, events: readonly LogEvent[]) => Promise<void>;
  /** Sessions whose calls have just ended, with what their logs said since. */
  readonly #soon = new Map<WatchedSession, { timer: NodeJS.Timeout; events: LogEvent[] }>();

  /** `work` never rejects. */
  constructor(work: (session: WatchedSession, events: readonly LogEvent[]) => Promise<void>) {
    this.#work = work;
  }

  /** The log has something new. */
  saw(session: WatchedSession, events: readonly LogEvent[]): void {
    const soon = this.#soon.get(session);
    if (soon !== undefined) for (const event of events) soon.events.push(event);
    else if (!events.some(({ t }) => t === 'call.ended')) void this.#work(session, events);
    else {
      const timer = setTimeout(() => void this.now(session), AFTER_CALL_MS).unref();
      this.#soon.set(session, { timer, events: [...events] });
    }
  }

  /** Does what waits, and what else there is to do. It has begun when this returns. */
  async now(session: WatchedSession): Promise<void> {
    const soon = this.#soon.get(session);
    if (soon !== undefined) clearTimeout(soon.timer);
    this.#soon.delete(session);
    await this.#work(session, soon?.events ?? []);
  }

  /** What waits is left to the next server, which looks at every session that is used. */
  close(): void {
    for (const { timer } of this.#soon.values()) clearTimeout(timer);
    this.#soon.clear();
  }
}
