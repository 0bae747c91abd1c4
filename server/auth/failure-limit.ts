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
