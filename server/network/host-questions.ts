/** Questions of one box about hosts: however many connections wait for the same host and port, the user is asked once. */
import { type Target, targetText } from '../../shared/network/pattern.ts';
import { ASK_MS, MOST_ASKED, type Reply } from './gate.ts';
import type { Inner } from './inside-listener.ts';

export interface HostQuestion {
  session: string;
  target: Target;
  /** With which the question ends. */
  inner: Inner;
  ms: number;
  /** Nobody waits for the answer any more. */
  signal: AbortSignal;
}

export type AskHost = (
  question: HostQuestion,
) => Promise<Extract<Reply, 'yes' | 'no' | 'late' | 'not-asked'>>;

interface Asked {
  reply: Promise<Reply>;
  waiting: number;
  nobody: AbortController;
}

/** A program tries again at once: for so long a no is not asked about again (ms). */
const NO_MS = 60_000;
const MOST_REFUSED = 200;
/** For so long a question for whose answer nobody waited counts among those that are asked (ms). */
const LEFT_MS = 60_000;

export class HostQuestions {
  readonly #session: string;
  readonly #inner: Inner;
  readonly #askHost: AskHost;
  readonly #asked = new Map<string, Asked>();
  /** Until when. */
  readonly #refused = new Map<string, number>();
  /** Until when a question counts that its program has left. */
  #left: number[] = [];

  constructor(session: string, inner: Inner, askHost: AskHost) {
    this.#session = session;
    this.#inner = inner;
    this.#askHost = askHost;
  }

  async ask(target: Target, signal: AbortSignal): Promise<Reply> {
    const key = targetText(target);
    if ((this.#refused.get(key) ?? 0) > Date.now()) return 'no';
    const known = this.#asked.get(key);
    this.#left = this.#left.filter((until) => until > Date.now());
    // A program that connects and goes away, over and over, would flood the user.
    if (known === undefined && this.#asked.size + this.#left.length >= MOST_ASKED) return 'many';
    const asked = known ?? this.#begin(key, target);
    asked.waiting++;
    const leave = (): void => {
      if (--asked.waiting > 0) return;
      this.#left.push(Date.now() + LEFT_MS);
      asked.nobody.abort();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    const reply = await asked.reply;
    signal.removeEventListener('abort', leave);
    return reply;
  }

  #begin(key: string, target: Target): Asked {
    const nobody = new AbortController();
    const question = {
      session: this.#session,
      target,
      inner: this.#inner,
      ms: ASK_MS,
      signal: nobody.signal,
    };
    const reply = this.#askHost(question)
      .catch((): Reply => 'not-asked')
      .then((said) => {
        this.#asked.delete(key);
        if (said === 'no') this.#refuse(key);
        return said;
      });
    const asked = { reply, waiting: 0, nobody };
    this.#asked.set(key, asked);
    return asked;
  }

  #refuse(key: string): void {
    const [oldest] = this.#refused.keys();
    if (oldest !== undefined && this.#refused.size >= MOST_REFUSED) this.#refused.delete(oldest);
    this.#refused.set(key, Date.now() + NO_MS);
  }
}
