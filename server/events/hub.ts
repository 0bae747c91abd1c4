/**
 * Server-sent events. Everything that tabs must hear goes through `EventHub`, with a number, so that a tab that lost its
 * connection can ask for what it missed.
 */
import type { ServerEvent } from '../../shared/api/types.ts';

/** Events that a tab can ask for again after it lost its connection. */
const KEPT = 512;
/** Events that may wait for a tab that does not read: it is cut off then, reconnects, and loads everything anew. */
const MAX_QUEUED = 1024;
/** Tabs that may listen at once. */
export const MAX_LISTENERS = 64;

export interface NumberedEvent {
  id: number;
  event: ServerEvent;
}

interface Listener {
  queue: NumberedEvent[];
  wake: (() => void) | null;
  closed: boolean;
}

export interface Subscription {
  /** The next event, or null when the subscription ended, or 'idle' after `ms` without one. */
  next(ms: number): Promise<NumberedEvent | 'idle' | null>;
  close(): void;
}

/** Hands events of the server to every listening tab. Ids count up from 1 in the life of one server. */
export class EventHub {
  #kept: NumberedEvent[] = [];
  #last = 0;
  readonly #listeners = new Set<Listener>();

  get listeners(): number {
    return this.#listeners.size;
  }

  emit(event: ServerEvent): void {
    const numbered = { id: ++this.#last, event };
    this.#kept.push(numbered);
    if (this.#kept.length > KEPT) this.#kept = this.#kept.slice(-KEPT / 2);
    for (const listener of this.#listeners) {
      if (listener.queue.length >= MAX_QUEUED) listener.closed = true;
      else listener.queue.push(numbered);
      listener.wake?.();
    }
  }

  /**
   * Listens from now on, after what came since `lastId`. Null when too many tabs listen already. What is no longer
   * kept is left out: a tab loads everything anew on every connection, so that costs it nothing.
   */
  subscribe(lastId: number | null): Subscription | null {
    if (this.#listeners.size >= MAX_LISTENERS) return null;
    const missed = lastId === null ? [] : this.#kept.filter((event) => event.id > lastId);
    const listener: Listener = { queue: missed, wake: null, closed: false };
    this.#listeners.add(listener);
    return {
      next: (ms) => take(listener, ms),
      close: () => {
        listener.closed = true;
        this.#listeners.delete(listener);
        listener.wake?.();
      },
    };
  }

  /** Ends every subscription after what is queued (used with `bye`). */
  closeAll(): void {
    for (const listener of this.#listeners) {
      listener.closed = true;
      listener.wake?.();
    }
  }
}

async function take(listener: Listener, ms: number): Promise<NumberedEvent | 'idle' | null> {
  const first = listener.queue.shift();
  if (first !== undefined) return first;
  if (listener.closed) return null;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    listener.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  listener.wake = null;
  return listener.queue.shift() ?? (listener.closed ? null : 'idle');
}
