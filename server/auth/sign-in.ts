/**
 * Signing in.
 *
 *     code      /trai:ui opens the page with a one-time code, which the page exchanges for a token
 *     number    the page shows six digits, the user types /trai:ui NUMBER, the page polls for its token
 *     token     every request of a tab has it; it lives in memory and in the tab's sessionStorage only
 *     hooks     use the credential of server.json (secret.ts): events and claims, nothing else
 *
 * peers/ checks the process at the other end of the connection. Failures are slowed down, never successes.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_MS } from '../../shared/limits.ts';
import { setNewest } from '../../shared/maps.ts';
import { refusal } from '../messages/refusals.ts';
import { digest, newSecret } from './secret.ts';

/** Spent codes are remembered, to tell a second use from a wrong code. */
const MAX_REMEMBERED = 256;

/**
 * Codes in the address of the tab that `/trai:ui` opens (`#c=CODE`). Every reader of the browser's command
 * line sees the code, so it works once, for half a minute, and only for the user's browser (see Peers). A
 * second use is mostly the user's own: it gets nothing, and the first tab stays signed in.
 */
export class OneTimeCodes {
  readonly #codes = new Map<string, { expires: number; used: boolean }>();
  readonly #credentials: BrowserCredentials;
  readonly #now: () => number;

  constructor(credentials: BrowserCredentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  make(): { code: string; expiresInMs: number } {
    const code = newSecret();
    setNewest(this.#codes, code, { expires: this.#now() + CODE_MS, used: false }, MAX_REMEMBERED);
    return { code, expiresInMs: CODE_MS };
  }

  /** @throws TraiError `unauthorised` for a wrong, late or spent code */
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

/** Time to read a number off one screen and type it on another. */
export const PAIRING_MS = 2 * 60 * 1000;
/** Wrong numbers until all open pairings are dropped: 5 of 900,000 guesses. */
export const PAIRING_TRIES = 5;
const MAX_OPEN = 5;

/** The page shows a number, the user types `/trai:ui NUMBER`. The number alone is worth nothing. */
export class Pairings {
  #open: { id: string; number: string; expires: number; confirmed: boolean }[] = [];
  #wrong = 0;
  readonly #credentials: BrowserCredentials;
  readonly #now: () => number;

  constructor(credentials: BrowserCredentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /** `id` is the page's secret, with which it polls. */
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

  /** @throws TraiError `not-found` for a wrong number; the fifth makes all open numbers void */
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

  /** Null while it waits; the token once. @throws TraiError `not-found` for an unknown or spent id */
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
    // Without an open number there is nothing to guess.
    if (this.#open.length === 0) this.#wrong = 0;
  }
}

/** Tabs signed in at the same time; the oldest is dropped. */
const MAX_CREDENTIALS = 32;

/** Tokens are never written to disk: neither a file tool of the agent nor another user reads one. */
export class BrowserCredentials {
  #digests = new Map<number, Buffer>();
  readonly #waiting = new Map<number, Set<() => void>>();
  #next = 1;

  issue(): { token: string } {
    const token = newSecret();
    const id = this.#next++;
    this.#digests.set(id, digest(token));
    const [oldest] = this.#digests.keys();
    if (oldest !== undefined && this.#digests.size > MAX_CREDENTIALS) this.#forget(oldest);
    return { token };
  }

  /** Its id, or null. Compares with all tokens, so that the duration tells nothing. */
  check(token: string): number | null {
    const given = digest(token);
    let found: number | null = null;
    for (const [id, known] of this.#digests) if (timingSafeEqual(known, given)) found = id;
    return found;
  }

  /** Calls `told` once the token is not valid any more; the result unsubscribes. */
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

/** Per minute, before answers are delayed. */
const FREE_FAILURES = 10;
const WINDOW_MS = 60_000;
const DELAY_MS = 1_000;
/** Delayed answers at the same time; a further failure is answered at once, so that nothing piles up. */
const MAX_HELD = 32;

/** Delays failures only: a request with the right token never waits, so nobody can lock the user out. */
export class FailureLimit {
  #failures: number[] = [];
  #held = 0;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  record(): number {
    const now = this.#now();
    this.#failures = this.#failures.filter((at) => now - at < WINDOW_MS).slice(-FREE_FAILURES);
    const over = this.#failures.length >= FREE_FAILURES;
    this.#failures.push(now);
    return over ? DELAY_MS : 0;
  }

  async hold(): Promise<void> {
    const ms = this.record();
    if (ms === 0 || this.#held >= MAX_HELD) return;
    this.#held++;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#held--;
  }
}
