/** Which calls run, by what the log says so far. */
import type { LogEvent, StartEvent } from './types.ts';

/** `start`: null when the log does not say that it had begun. */
export type CallChange = { is: 'started'; start: StartEvent } | { is: 'ended'; start: StartEvent | null };

/** Calls between `call.started` and their end, in the order in which they began. Takes the events of a log one by one. */
export class RunningCalls {
  readonly #calls = new Map<string, StartEvent>();

  /** What the event says of a call's running; null when nothing. */
  take(event: LogEvent): CallChange | null {
    if (event.t === 'call.started') {
      this.#calls.set(event.call, event);
      return { is: 'started', start: event };
    }
    if (event.t !== 'call.ended' && event.t !== 'call.failed' && event.t !== 'call.closed') return null;
    const start = this.#calls.get(event.call) ?? null;
    this.#calls.delete(event.call);
    return { is: 'ended', start };
  }

  has(call: string): boolean {
    return this.#calls.has(call);
  }

  get some(): boolean {
    return this.#calls.size > 0;
  }

  all(): StartEvent[] {
    return [...this.#calls.values()];
  }

  /** The log is read anew from its beginning. */
  reset(): void {
    this.#calls.clear();
  }
}
