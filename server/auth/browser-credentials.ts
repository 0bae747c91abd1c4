import { timingSafeEqual } from 'node:crypto';
import { digest, newSecret } from './secret.ts';

/** Tabs that may be signed in at once; the oldest goes when another one comes. */
const MAX_CREDENTIALS = 32;

/**
 * Credentials of the tabs. They live here and in each tab's sessionStorage and are never written to disk, so that
 * neither a file tool of the agent nor another user can read one.
 */
export class BrowserCredentials {
  #digests = new Map<number, Buffer>();
  readonly #waiting = new Map<number, Set<() => void>>();
  #next = 1;

  /** Makes a credential, which goes to the tab, once. */
  issue(): { token: string } {
    const token = newSecret();
    const id = this.#next++;
    this.#digests.set(id, digest(token));
    if (this.#digests.size > MAX_CREDENTIALS) {
      const oldest = this.#digests.keys().next().value;
      if (oldest !== undefined) this.#forget(oldest);
    }
    return { token };
  }

  /** The id of a valid credential, or null. Looks at every credential, whichever matches. */
  check(token: string): number | null {
    const given = digest(token);
    let found: number | null = null;
    for (const [id, known] of this.#digests) if (timingSafeEqual(known, given)) found = id;
    return found;
  }

  /** Calls `told` when the credential is worth nothing any more; the function that it gives ends that. */
  whenGone(id: number, told: () => void): () => void {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(told));
    return () => {
      waiting.delete(told);
      if (waiting.size === 0) this.#waiting.delete(id);
    };
  }

  #forget(id: number): void {
    this.#digests.delete(id);
    for (const told of this.#waiting.get(id) ?? []) told();
  }

  get size(): number {
    return this.#digests.size;
  }
}
