/** What was shown before an order: so that a list which moves on makes only its new entries stale. */

import type { Fingerprints } from '../../../core/scan/cache/fingerprints.ts';

/** Reviews that are remembered: of several tabs, each of which may look more than once. */
const KEPT = 8;

/** Fingerprints of the lists of the newest reviews. Lost with the server: then the list is to be looked at again. */
export class Reviews {
  /** By session and revision, the newest last. */
  readonly #known = new Map<string, Fingerprints>();

  remember(session: string, revision: string, fingerprints: Fingerprints): void {
    const key = keyOf(session, revision);
    this.#known.delete(key);
    this.#known.set(key, fingerprints);
    for (const old of [...this.#known.keys()].slice(0, -KEPT)) this.#known.delete(old);
  }

  find(session: string, revision: string | null): Fingerprints | undefined {
    return revision === null ? undefined : this.#known.get(keyOf(session, revision));
  }
}

function keyOf(session: string, revision: string): string {
  return `${session} ${revision}`;
}
