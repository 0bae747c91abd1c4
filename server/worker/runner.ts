/**
 * The worker thread. `WorkerRunner` posts a job (core/jobs/jobs.ts) or a question about a list (questions.ts)
 * to it and returns the result; scan-worker.ts is the thread's entry.
 *
 *     first request      start the thread; it costs memory, so it ends when idle
 *     a scan             the thread keeps the list (lists.ts), and sends its columns
 *     a question         names session and revision; `list-wanted` asks back for what the thread lacks (the
 *                        columns after a restart, the calls that may be writers)
 *     the thread dies    its jobs fail; the next one starts another thread
 */
import { Worker } from 'node:worker_threads';
import type { JobName, Jobs, Progress, StateJobName, StateJobs } from '../../core/jobs/jobs.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { type ErrorBody, TraiError } from '../../shared/errors.ts';
import { type ListName, type ListParts, type ListSource, partsOf } from './lists.ts';
import type { QuestionName, Questions } from './questions.ts';

export interface JobRunner {
  run: <K extends JobName>(
    name: K,
    ctx: SessionContext,
    input: Jobs[K]['input'],
    progress?: Progress,
    signal?: AbortSignal,
  ) => Promise<Jobs[K]['output']>;
  /** A job about the state directory. */
  runOnState: <K extends StateJobName>(
    name: K,
    input: StateJobs[K]['input'],
  ) => Promise<StateJobs[K]['output']>;
  ask: <K extends QuestionName>(
    name: K,
    ctx: SessionContext,
    source: ListSource,
    input: Questions[K]['input'],
  ) => Promise<Questions[K]['output']>;
  readonly running: number;
  close(): Promise<void>;
}

/** A job, a question, the missing parts of its list, or the cancellation of a job. */
export type WorkerMessage =
  | JobMessage
  | StateJobMessage
  | QuestionMessage
  | { id: number; parts: ListParts }
  | { id: number; cancel: true };
export interface JobMessage {
  id: number;
  name: JobName;
  ctx: SessionContext;
  input: unknown;
}
export interface StateJobMessage {
  id: number;
  onState: StateJobName;
  input: unknown;
}
export interface QuestionMessage {
  id: number;
  ask: QuestionName;
  ctx: SessionContext;
  list: ListName;
  input: unknown;
}
export type WorkerReply =
  | { id: number; type: 'list-wanted'; columns: boolean }
  | { id: number; type: 'done'; output: unknown }
  | { id: number; type: 'failed'; error: ErrorBody['error'] }
  | { id: number; type: 'progress'; done: number; total: number; path: string };

interface Waiting {
  resolve(output: unknown): void;
  reject(error: Error): void;
  progress: Progress;
  source: ListSource | null;
}

const IDLE_MS = 30_000;

const ENDED = new TraiError('internal', 'the worker thread ended');

/** Young generation in MB: a scan keeps most of it, so more saves no time. */
const YOUNG_MB = 12;

export class WorkerRunner implements JobRunner {
  readonly #file: URL | string;
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #next = 1;
  #idle: NodeJS.Timeout | undefined;
  readonly #idleMs: number;

  constructor(file: URL | string, idleMs = IDLE_MS) {
    this.#file = file;
    this.#idleMs = idleMs;
  }

  get running(): number {
    return this.#waiting.size;
  }

  run: JobRunner['run'] = async (name, ctx, input, progress = () => {}, signal) =>
    await this.#send({ name, ctx, input }, { progress, source: null }, signal);

  runOnState: JobRunner['runOnState'] = async (onState, input) =>
    await this.#send({ onState, input }, { progress: () => {}, source: null });

  ask: JobRunner['ask'] = async (name, ctx, source, input) => {
    const { revision, spansVersion } = source;
    const list = { session: ctx.session, revision, spansVersion };
    return await this.#send({ ask: name, ctx, list, input }, { progress: () => {}, source });
  };

  /** The worker runs JOBS and QUESTIONS, so `T` is the output of the table's row. */
  async #send<T>(
    request: Omit<JobMessage, 'id'> | Omit<StateJobMessage, 'id'> | Omit<QuestionMessage, 'id'>,
    waiting: Pick<Waiting, 'progress' | 'source'>,
    signal?: AbortSignal,
  ): Promise<T> {
    const id = this.#next++;
    const worker = this.#worker ?? this.#start();
    clearTimeout(this.#idle);
    return await new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (output) => resolve(output as T), reject, ...waiting });
      worker.postMessage({ id, ...request } satisfies WorkerMessage);
      const stop: WorkerMessage = { id, cancel: true };
      signal?.addEventListener('abort', () => worker.postMessage(stop), { once: true });
    });
  }

  /** Ends the thread. A later request starts another one, also while this one is ending. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === null) return;
    this.#ended(worker, ENDED);
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    worker.on('message', (reply: WorkerReply) => this.#answered(worker, reply));
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', () => this.#ended(worker, ENDED));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #answered(worker: Worker, reply: WorkerReply): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    if (reply.type === 'list-wanted') {
      if (waiting.source === null) return;
      const parts = partsOf(waiting.source, reply.columns);
      worker.postMessage({ id: reply.id, parts } satisfies WorkerMessage);
      return;
    }
    if (reply.type === 'progress') {
      waiting.progress(reply.done, reply.total, reply.path);
      return;
    }
    this.#waiting.delete(reply.id);
    if (reply.type === 'done') waiting.resolve(reply.output);
    else waiting.reject(new TraiError(reply.error.code, reply.error.message, reply.error));
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.close(), this.#idleMs).unref();
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
