/** What is made a moment before it is asked for, since somebody waits for the answer and nobody for this. */

/** How old it may be (ms): between a hook's answer and the claim of its call lie some 20 ms, more on a busy machine. */
const READY_MS = 150;

interface Ready<T> {
  /** What it was made of: other facts, another thing. */
  facts: string;
  at: number;
  made: T;
}

/** Keeps one thing a key. It is given once, and only while it is fresh and was made of the same facts. */
export class ReadyThings<T> {
  readonly #things = new Map<string, Ready<T>>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  put(key: string, facts: string, made: T): void {
    this.#things.set(key, { facts, at: this.#now(), made });
  }

  take(key: string, facts: string): T | null {
    const found = this.#things.get(key);
    this.#things.delete(key);
    if (found === undefined || found.facts !== facts || this.#now() - found.at > READY_MS) return null;
    return found.made;
  }
}
