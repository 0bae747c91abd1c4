/**
 * Signing in. A tab gets its token in one of two ways: a one-time code in the link that `trai ui` opens, or six digits that
 * the page shows and the user types. Tokens live in memory only. Hooks use a credential of server.json (secret.ts), which may
 * submit events and ask for decisions, and nothing else. peers/ checks the process at the other end of the connection.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_MS } from '../../shared/limits.ts';
import { refusal } from '../messages/refusals.ts';
import { digest, newSecret } from './secret.ts';

/** Spent codes are remembered so that a second use can be told from a wrong code. */
const MAX_REMEMBERED = 256;

interface Code {
  expires: number;
  used: boolean;
}

/**
 * Codes that `/trai:ui` puts into the address of the tab it opens (`#c=CODE`). A code is seen by whoever can read the
 * browser's command line, so it works once and for half a minute, and only for a browser of the user's (see Peers). An
 * address that is opened a second time is mostly the same person's: it gets nothing, and the first tab keeps what it has.
 */
export class OneTimeCodes {
  readonly #codes = new Map<string, Code>();
  readonly #credentials: BrowserCredentials;
  readonly #now: () => number;

  constructor(credentials: BrowserCredentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  make(): { code: string; expiresInMs: number } {
    const code = newSecret();
    this.#codes.set(code, { expires: this.#now() + CODE_MS, used: false });
    if (this.#codes.size > MAX_REMEMBERED) {
      const oldest = this.#codes.keys().next().value;
      if (oldest !== undefined) this.#codes.delete(oldest);
    }
    return { code, expiresInMs: CODE_MS };
  }

  /** Trades a code for a browser credential. Throws `unauthorised` for a code that is wrong, late or spent. */
  exchange(code: string): string {
    const known = this.#codes.get(code);
    if (known === undefined) throw refusal('unknown-code');
    if (known.used) throw refusal('used-code', {}, { data: { reused: true } });
    if (this.#now() > known.expires) {
      this.#codes.delete(code);
      throw refusal('late-code');
    }
    known.used = true;
    return this.#credentials.issue().token;
  }
}

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
    if (this.#open.length >= MAX_OPEN) throw refusal('many-pages');
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
      throw refusal('void-numbers');
    }
    throw refusal('wrong-number', { number });
  }

  /** What the page polls: null while it waits, the credential once. Throws `not-found` for an unknown or spent id. */
  poll(id: string): string | null {
    this.#dropOld();
    const pairing = this.#open.find((other) => other.id === id);
    if (pairing === undefined) throw refusal('late-number');
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

/** Failed sign-ins a minute before answers slow down. */
const FREE_FAILURES = 10;
const WINDOW_MS = 60_000;
const DELAY_MS = 1_000;
/** Answers that may be held back at once; beyond it a failure is answered at once, so that nothing piles up. */
const MAX_HELD = 32;

/**
 * Slows down guessing: after ten failures in a minute each further failure is answered a second later. Requests with
 * the right credential are never held back, so that nobody can lock the person out.
 */
export class FailureLimit {
  #failures: number[] = [];
  #held = 0;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a failure. Gives how long its answer must wait, in ms; 0 = not at all. */
  record(): number {
    const now = this.#now();
    this.#failures = this.#failures.filter((at) => now - at < WINDOW_MS).slice(-FREE_FAILURES);
    const over = this.#failures.length >= FREE_FAILURES;
    this.#failures.push(now);
    return over ? DELAY_MS : 0;
  }

  /** Counts a failure and waits as long as `record` says. */
  async hold(): Promise<void> {
    const ms = this.record();
    if (ms === 0 || this.#held >= MAX_HELD) return;
    this.#held++;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#held--;
  }
}
