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
  #next = 1;

  /** Makes a credential. `id` is for `revoke`; `token` goes to the tab, once. */
  issue(): { id: number; token: string } {
    const token = newSecret();
    const id = this.#next++;
    this.#digests.set(id, digest(token));
    if (this.#digests.size > MAX_CREDENTIALS) {
      const oldest = this.#digests.keys().next().value;
      if (oldest !== undefined) this.#digests.delete(oldest);
    }
    return { id, token };
  }

  /** The id of a valid credential, or null. Looks at every credential, whichever matches. */
  check(token: string): number | null {
    const given = digest(token);
    let found: number | null = null;
    for (const [id, known] of this.#digests) if (timingSafeEqual(known, given)) found = id;
    return found;
  }

  revoke(id: number): void {
    this.#digests.delete(id);
  }

  get size(): number {
    return this.#digests.size;
  }
}
