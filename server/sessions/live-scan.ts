import { liveSources } from '../../shared/sandbox/node/live-sources.ts';
import type { EventHub } from '../events/hub.ts';
import type { ManagerParts } from './manager.ts';
import type { WatchedSession } from './watched-session.ts';

/** A live session's processes write without a call that ends: its list is made anew this often for open tabs (ms). */
const LIVE_SCAN_MS = 5_000;

/** Keeps the lists of live sessions true while somebody looks at them. */
export class LiveScan {
  readonly #hub: EventHub;
  readonly #context: ManagerParts['context'];
  /** Sessions that had processes at the last look. */
  readonly #live = new Set<string>();
  #at = 0;

  constructor({ hub, context }: Pick<ManagerParts, 'hub' | 'context'>) {
    this.#hub = hub;
    this.#context = context;
  }

  async run(
    sessions: readonly WatchedSession[],
    refresh: (session: WatchedSession) => Promise<void>,
  ): Promise<void> {
    if (this.#hub.listeners === 0 || Date.now() - this.#at < LIVE_SCAN_MS) return;
    this.#at = Date.now();
    let changed = false;
    const sources = liveSources();
    for (const session of sessions) {
      const ctx = await this.#context(session.id);
      const live = ctx !== null && sources.has(ctx.source);
      if (live !== this.#live.has(session.id)) changed = true;
      if (live) this.#live.add(session.id);
      else this.#live.delete(session.id);
      if (!live) continue;
      session.markDirty();
      await refresh(session);
    }
    // A process comes and goes without a line in the log: tabs show who is live.
    if (changed) this.#hub.emit({ type: 'sessions' });
  }
}
