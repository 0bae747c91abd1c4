import { liveSources } from '../../../core/sandbox/live.ts';
import type { EventHub } from '../../events/hub.ts';
import type { ManagerParts } from './manager-parts.ts';
import type { WatchedSession } from './watched-session.ts';

/** A live session's processes write without a call that ends: its list is made anew this often for open tabs (ms). */
const LIVE_SCAN_MS = 5_000;

type Refresh = (session: WatchedSession) => Promise<void>;

/** Keeps the lists of live sessions true while somebody looks at them. */
export class LiveScan {
  readonly #hub: EventHub;
  readonly #context: ManagerParts['context'];
  readonly #report: ManagerParts['report'];
  /** Sessions that had processes at the last look. */
  readonly #live = new Set<string>();
  #at = 0;
  #running: Promise<void> | null = null;

  constructor({ hub, context, report }: Pick<ManagerParts, 'hub' | 'context' | 'report'>) {
    this.#hub = hub;
    this.#context = context;
    this.#report = report;
  }

  /** Nobody waits for it: scans take as long as they take, and who asks for the sessions waits for the manager's round. */
  begin(sessions: readonly WatchedSession[], refresh: Refresh): void {
    if (this.#running !== null || this.#hub.listeners === 0) return;
    if (Date.now() - this.#at < LIVE_SCAN_MS) return;
    this.#running = this.#run(sessions, refresh)
      .catch(this.#report)
      .finally(() => {
        this.#running = null;
        this.#at = Date.now();
      });
  }

  /** Resolves when no scan of this is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(sessions: readonly WatchedSession[], refresh: Refresh): Promise<void> {
    let changed = false;
    const found: WatchedSession[] = [];
    const sources = liveSources();
    for (const session of sessions) {
      const ctx = await this.#context(session.id);
      const live = ctx !== null && sources.has(ctx.source);
      if (live !== this.#live.has(session.id)) changed = true;
      if (live) this.#live.add(session.id);
      else this.#live.delete(session.id);
      if (live) found.push(session);
    }
    // A process comes and goes without a line in the log: tabs show who is live.
    if (changed) this.#hub.emit({ type: 'sessions' });
    for (const session of found) {
      session.markDirty();
      await refresh(session);
    }
  }
}
