import type { LogEvent } from '../../../shared/log/events.ts';

/** Which clients of a session are there, and since when there is none, as its log says. */
export class Clients {
  readonly #here = new Set<string>();
  #ended: string | null = null;

  reset(): void {
    this.#here.clear();
    this.#ended = null;
  }

  take(event: LogEvent): void {
    if (event.t === 'session' && event.source !== 'exec') this.#came(event.claude);
    // A call of a client that had said that it leaves: it is there all the same.
    else if (event.t === 'call.requested') this.#came(event.claude);
    else if (event.t === 'session.end') this.#left(event.claude, event.reason, event.at);
  }

  /** Since when no client is there (ISO time); null while one is, and for a session that never had one. */
  get ended(): string | null {
    return this.#ended;
  }

  #came(claude: string): void {
    if (claude === '') return;
    this.#here.add(claude);
    this.#ended = null;
  }

  #left(claude: string, reason: string, at: string): void {
    this.#here.delete(claude);
    // The same client goes on under a new id, which it names in a moment.
    if (reason !== 'clear' && this.#here.size === 0) this.#ended = at;
  }
}
