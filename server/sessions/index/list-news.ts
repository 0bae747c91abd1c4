import type { EventHub } from '../../events/hub.ts';

/** Tells the tabs when a session's list became another, whoever asked for the scan: only that one got the list itself. */
export class ListNews {
  readonly #session: string;
  readonly #hub: EventHub;
  /** The last revision that is known to them. Null before the first scan: none can have a list of this server yet. */
  #told: string | null = null;

  constructor(session: string, hub: EventHub) {
    this.#session = session;
    this.#hub = hub;
  }

  /** After every scan. */
  readonly scanned = (revision: string): void => {
    const before = this.#told;
    if (before === revision) return;
    this.#told = revision;
    if (before !== null) this.#hub.emit({ type: 'changes', session: this.#session, revision });
    // What it counts.
    this.#hub.emit({ type: 'sessions' });
  };
}
