/** Colours code in a worker. A job that is too slow, fails or was abandoned yields null, never an error. */
import type { DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import type { ColourJob, FromWorker, Token } from './highlight.ts';
import address from './highlight-worker.ts?worker&url';
import { shownText } from './rows.ts';

type Answer = Exclude<FromWorker, 'ready'>;

/** By line number of each side. */
export interface Highlights {
  old: Map<number, Token[]>;
  new: Map<number, Token[]>;
}

/** The part of `Worker` that is used. */
export interface Colourer {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(job: ColourJob): void;
  terminate(): void;
}

/** Colouring 10,000 lines takes half a second, one long line minutes. */
const MAX_LINES = 2_000;
const MAX_CHARS = 1_000;
/** Longer commands are not read by their colours. */
const MAX_SHELL_CHARS = 20_000;
/** Ten times what the largest coloured diff takes; a slower grammar hangs on a line. */
export const LIMIT_MS = 2_000;
/** Others wait this long for an abandoned job: less than a restart of the worker takes. */
export const ABANDONED_MS = 200;

interface Asked {
  job: ColourJob;
  answer(found: Answer): void;
}

export class Highlighter {
  readonly #start: () => Colourer;
  #worker: Colourer | null = null;
  #ready = false;
  /** The worker could not be loaded: colouring is off. */
  #broken = false;
  #waiting: Asked[] = [];
  /** One job at a time: an abandoned one is never started, and a hang has one cause. */
  #running: Asked | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `start` starts a worker that posts `ready` once loaded; called at the first job, and after a hang. */
  constructor(start: () => Colourer) {
    this.#start = start;
  }

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

  /** Null without colours, or when `abort` came first. */
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

  /** An error of no job: before `ready` it means that the script cannot be loaded. */
  #fail(): void {
    if (!this.#ready) this.#broken = true;
    this.#restart();
  }

  #end(found: Answer): void {
    clearTimeout(this.#timer);
    this.#running?.answer(found);
    this.#running = null;
  }

  /** A hanging worker receives no message, so it is terminated; the next job starts another. */
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

/** The server's CSP demands Trusted Types; this one policy admits only scripts of the build. */
const policy = { createScriptURL: ownScript };
let trusted: { createScriptURL(text: string): unknown } | undefined;

/** @throws TypeError for an address outside the page's own `assets/` */
function ownScript(url: string): string {
  const own = new URL('assets/', document.baseURI).href;
  if (url.startsWith(own)) return url;
  throw new TypeError(`expected a worker of the build, below ${own}, got ${url}`);
}

const highlighter = new Highlighter(() => {
  const url = new URL(address, document.baseURI).href;
  trusted ??= window.trustedTypes?.createPolicy('trai-worker', policy) ?? policy;
  // The DOM types have no TrustedScriptURL yet.
  return new Worker(trusted.createScriptURL(url) as string, { type: 'module' });
});

/** Loads the worker while a diff is being fetched. */
export function warmColours(): void {
  highlighter.warm();
}

/** Null when the diff is not coloured, or it took too long. */
export async function diffColours(diff: TextDiff, abort: AbortSignal): Promise<Highlights | null> {
  const found = await highlighter.ask(diffJob(diff), abort);
  return found === null ? null : highlightsOf(diff, found);
}

/** Tokens by line; empty without colours. */
export async function shellColours(text: string, abort: AbortSignal): Promise<Token[][]> {
  const job = text.length > MAX_SHELL_CHARS ? null : { language: 'bash', texts: [text] };
  return (await highlighter.ask(job, abort))?.[0] ?? [];
}

/** Null for an unknown language or a diff that is too large. */
export function diffJob(diff: TextDiff): ColourJob | null {
  const lines = diff.hunks.flatMap((hunk) => hunk.lines);
  if (diff.language === null || lines.length > MAX_LINES || lines.some(({ text }) => text.length > MAX_CHARS))
    return null;
  const texts = stretchesOf(diff).map((side) => side.map((line) => shownText(line, false, false)).join('\n'));
  return { language: diff.language, texts };
}

/** Lines of the old and of the new side, hunk by hunk: strings and comments span lines of one side. */
function stretchesOf({ hunks }: TextDiff): DiffLine[][] {
  return hunks.flatMap(({ lines }) => [
    lines.filter(({ kind }) => kind !== 'added'),
    lines.filter(({ kind }) => kind !== 'removed'),
  ]);
}

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
