/**
 * Colours code in a worker, so that the page never waits for it. Without colours everything can be read as well: what
 * takes too long, fails, or is not wanted any more is answered with null, and never with an error.
 */
import type { DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import type { ColourJob, FromWorker, Token } from './highlight.ts';
import address from './highlight-worker.ts?worker&url';
import { shownText } from './rows.ts';

type Answer = Exclude<FromWorker, 'ready'>;

/** Tokens of a diff by line number of each side. */
export interface Highlights {
  old: Map<number, Token[]>;
  new: Map<number, Token[]>;
}

/** A `Worker`, as far as it is used. */
export interface Colourer {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(job: ColourJob): void;
  terminate(): void;
}

/** Above these colouring costs more than it gives: 10,000 lines take half a second, one long line minutes. */
const MAX_LINES = 2_000;
const MAX_CHARS = 1_000;
/** Above this nobody reads a command by its colours. */
const MAX_SHELL_CHARS = 20_000;
/** The largest diff that is coloured takes a tenth of it; a grammar that needs longer is stuck on a line. */
export const LIMIT_MS = 2_000;
/** So long others wait for a job that nobody wants any more: less than the worker takes to start again. */
export const ABANDONED_MS = 200;

interface Asked {
  job: ColourJob;
  answer(found: Answer): void;
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
  ask(job: ColourJob | null, abort: AbortSignal): Promise<Answer> {
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
    if (data === 'ready') this.#ready = true;
    else this.#end(data);
    this.#next();
  }

  /** An error that is not of a job: at the start it is the script itself that cannot be loaded. */
  #fail(): void {
    if (!this.#ready) this.#broken = true;
    this.#restart();
  }

  #end(found: Answer): void {
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

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(text: string): string },
      ): { createScriptURL(text: string): unknown };
    };
  }
}

/** The server's policy demands Trusted Types; this is the only one, and lets nothing through but a script of the build. */
const policy = { createScriptURL: ownScript };
let trusted: { createScriptURL(text: string): unknown } | undefined;

/** @throws TypeError for an address that is not below the page's own `assets/` */
function ownScript(url: string): string {
  const own = new URL('assets/', document.baseURI).href;
  if (url.startsWith(own)) return url;
  throw new TypeError(`expected a worker of the build, below ${own}, got ${url}`);
}

const highlighter = new Highlighter(() => {
  const url = new URL(address, document.baseURI).href;
  trusted ??= window.trustedTypes?.createPolicy('trai-worker', policy) ?? policy;
  // The DOM types know no TrustedScriptURL yet.
  return new Worker(trusted.createScriptURL(url) as string, { type: 'module' });
});

/** Loads the worker ahead of a diff that is being fetched. */
export function warmColours(): void {
  highlighter.warm();
}

/** Null when the diff is not to be coloured, or it took too long. */
export async function diffColours(diff: TextDiff, abort: AbortSignal): Promise<Highlights | null> {
  const found = await highlighter.ask(diffJob(diff), abort);
  return found === null ? null : highlightsOf(diff, found);
}

/** Tokens of each line of a shell text; none when there are no colours to be had. */
export async function shellColours(text: string, abort: AbortSignal): Promise<Token[][]> {
  const job = text.length > MAX_SHELL_CHARS ? null : { language: 'bash', texts: [text] };
  return (await highlighter.ask(job, abort))?.[0] ?? [];
}

/** Null when the language is not known or the diff is too large. */
export function diffJob(diff: TextDiff): ColourJob | null {
  const lines = diff.hunks.flatMap((hunk) => hunk.lines);
  if (diff.language === null || lines.length > MAX_LINES || lines.some(({ text }) => text.length > MAX_CHARS))
    return null;
  const texts = stretchesOf(diff).map((side) => side.map((line) => shownText(line, false, false)).join('\n'));
  return { language: diff.language, texts };
}

/** The lines of the old and of the new side, hunk by hunk: strings and comments span lines of one side. */
function stretchesOf({ hunks }: TextDiff): DiffLine[][] {
  return hunks.flatMap(({ lines }) => [
    lines.filter(({ kind }) => kind !== 'added'),
    lines.filter(({ kind }) => kind !== 'removed'),
  ]);
}

/** What was answered to `diffJob`. */
export function highlightsOf(diff: TextDiff, found: readonly Token[][][]): Highlights {
  const result: Highlights = { old: new Map(), new: new Map() };
  for (const [i, lines] of stretchesOf(diff).entries())
    for (const [at, { oldNumber, newNumber }] of lines.entries()) {
      const tokens = found[i]?.[at] ?? [];
      if (i % 2 === 0) result.old.set(oldNumber ?? 0, tokens);
      else result.new.set(newNumber ?? 0, tokens);
    }
  return result;
}
