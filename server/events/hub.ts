/**
 * Server-sent events. Everything for the tabs goes through `EventHub`, numbered, so that a tab can ask for
 * what it missed while it was not connected.
 */
import type { ServerEvent } from '../../shared/api/types.ts';

/** Events that can be asked for again. */
const KEPT = 512;
/** Events queued for a tab that does not read: it is cut off, reconnects, and reloads everything. */
const MAX_QUEUED = 1024;
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
  /** Null = ended; 'idle' = no event for `ms`. */
  next(ms: number): Promise<NumberedEvent | 'idle' | null>;
  close(): void;
}

/** Ids count up from 1 during the life of a server. */
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

  /** Null when too many tabs listen. Events that were dropped do not matter: a tab reloads on connecting. */
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
