/**
 * Colours code in a worker, so that the page never waits for it. Without colours everything can be read as well: what
 * takes too long, fails, or is not wanted any more is answered with null, and never with an error.
 */
import type { ColourAnswer, ColourJob, FromWorker } from './highlight-job.ts';

/** A `Worker`, as far as it is used. */
export interface Colourer {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(job: ColourJob): void;
  terminate(): void;
}

/** The largest diff that is coloured takes a tenth of it; a grammar that needs longer is stuck on a line. */
export const LIMIT_MS = 2_000;
/** So long others wait for a job that nobody wants any more: less than the worker takes to start again. */
export const ABANDONED_MS = 200;

interface Asked {
  job: ColourJob;
  answer(found: ColourAnswer | null): void;
}

export class Highlighter {
  readonly #start: () => Colourer;
  #worker: Colourer | null = null;
  #ready = false;
  /** The worker could not be loaded: nothing is coloured any more. */
  #broken = false;
  #waiting: Asked[] = [];
  /** One job is with the worker at a time: what is not wanted any more is never begun, and a hang has one culprit. */
  #running: Asked | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param start Starts a worker, which says `ready` when it has loaded. It is called when first needed, and after a hang. */
  constructor(start: () => Colourer) {
    this.#start = start;
  }

  /** Loads the worker ahead of the first job. */
  warm(): void {
    if (this.#worker !== null || this.#broken) return;
    try {
      const worker = this.#start();
      worker.onmessage = ({ data }) => this.#hear(data);
      worker.onerror = () => this.#fail();
      this.#worker = worker;
    } catch {
      this.#broken = true;
    }
  }

  /** Null when there are no colours to be had, or `abort` came first. */
  ask(job: ColourJob | null, abort: AbortSignal): Promise<ColourAnswer | null> {
    if (job === null || abort.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const asked = { job, answer: resolve };
      this.#waiting.push(asked);
      abort.addEventListener('abort', () => this.#giveUp(asked), { once: true });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== null || this.#waiting.length === 0) return;
    this.warm();
    if (this.#broken) for (const { answer } of this.#waiting.splice(0)) answer(null);
    if (!this.#ready) return;
    const asked = this.#waiting.shift();
    if (asked === undefined) return;
    this.#running = asked;
    this.#worker?.postMessage(asked.job);
    this.#timer = setTimeout(() => this.#restart(), LIMIT_MS);
  }

  #hear(data: FromWorker): void {
    if (data.kind === 'ready') this.#ready = true;
    else this.#end(data.kind === 'failed' ? null : data);
    this.#next();
  }

  /** An error that is not of a job: at the start it is the script itself that cannot be loaded. */
  #fail(): void {
    if (!this.#ready) this.#broken = true;
    this.#restart();
  }

  #end(found: ColourAnswer | null): void {
    clearTimeout(this.#timer);
    this.#running?.answer(found);
    this.#running = null;
  }

  /** A worker that hangs hears nothing: it is ended, and the next job gets a new one. */
  #restart(): void {
    if (this.#worker !== null) {
      this.#worker.onmessage = null;
      this.#worker.onerror = null;
      this.#worker.terminate();
    }
    this.#worker = null;
    this.#ready = false;
    this.#end(null);
    this.#next();
  }

  #giveUp(asked: Asked): void {
    asked.answer(null);
    this.#waiting = this.#waiting.filter((other) => other !== asked);
    if (this.#running !== asked) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#restart(), ABANDONED_MS);
  }
}
