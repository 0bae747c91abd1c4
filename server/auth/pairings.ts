/**
 * Signing in. A tab gets its token in one of two ways: a one-time code in the link that `trai ui` opens (one-time-codes.ts), or
 * six digits that the page shows and the user types (here). Tokens live in memory only (browser-credentials.ts). Hooks use a
 * credential of server.json, which may submit events and ask for decisions, and nothing else (bearer.ts). peers/ checks the
 * process at the other end of the connection.
 */
import { randomInt } from 'node:crypto';
import { TraiError } from '../../shared/errors.ts';
import type { BrowserCredentials } from './browser-credentials.ts';
import { newSecret } from './secret.ts';

/** A number is good for two minutes: time to read it off one screen and type it on another. */
export const PAIRING_MS = 2 * 60 * 1000;
/** Wrong numbers until every open pairing is dropped: 5 of 900,000 guesses. */
export const PAIRING_TRIES = 5;
/** Pages that may show a number at once. */
const MAX_OPEN = 5;

interface Pairing {
  id: string;
  number: string;
  expires: number;
  confirmed: boolean;
}

/**
 * The way in where no browser can be opened (SSH, headless): the page shows a number, the person types
 * `/trai:ui NUMBER`. The secret goes straight to the page that asked; the number alone is worth nothing.
 */
export class Pairings {
  #open: Pairing[] = [];
  #wrong = 0;
  readonly #credentials: BrowserCredentials;
  readonly #now: () => number;

  constructor(credentials: BrowserCredentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /** Opens a pairing for a page: `number` is shown, `id` (a secret of the page) is what it polls with. */
  open(): { id: string; number: string; expiresInMs: number } {
    this.#dropOld();
    if (this.#open.length >= MAX_OPEN) {
      throw new TraiError('busy', 'too many pages are waiting for a number', {
        hint: 'Try again in two minutes.',
      });
    }
    let number = '';
    do number = String(randomInt(100_000, 1_000_000));
    while (this.#open.some((other) => other.number === number));
    const id = newSecret();
    this.#open.push({ id, number, expires: this.#now() + PAIRING_MS, confirmed: false });
    return { id, number, expiresInMs: PAIRING_MS };
  }

  /** The person typed a number. Throws `not-found` for a wrong one; after the fifth all open numbers are void. */
  confirm(number: string): void {
    this.#dropOld();
    const pairing = this.#open.find((other) => other.number === number && !other.confirmed);
    if (pairing !== undefined) {
      pairing.confirmed = true;
      this.#wrong = 0;
      return;
    }
    this.#wrong++;
    if (this.#wrong >= PAIRING_TRIES) {
      this.#open = [];
      this.#wrong = 0;
      throw new TraiError('not-found', 'too many wrong numbers: all numbers on open pages are void', {
        hint: 'Reload the page for a new number.',
      });
    }
    throw new TraiError('not-found', `no page shows the number ${number}`, {
      hint: 'Numbers are good for two minutes; reload the page for a new one.',
    });
  }

  /** What the page polls: null while it waits, the credential once. Throws `not-found` for an unknown or spent id. */
  poll(id: string): string | null {
    this.#dropOld();
    const pairing = this.#open.find((other) => other.id === id);
    if (pairing === undefined) {
      throw new TraiError('not-found', 'this number is no longer valid', {
        hint: 'Reload the page for a new one.',
      });
    }
    if (!pairing.confirmed) return null;
    this.#open = this.#open.filter((other) => other !== pairing);
    return this.#credentials.issue().token;
  }

  #dropOld(): void {
    const now = this.#now();
    this.#open = this.#open.filter((pairing) => pairing.expires > now);
    // A void number can't be guessed any more, so the count starts again with the next page.
    if (this.#open.length === 0) this.#wrong = 0;
  }
}
