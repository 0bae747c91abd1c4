import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { JOBS, type Progress, STATE_JOBS } from '../../core/jobs/jobs.ts';
import type { PackedScan } from '../../core/jobs/lists.ts';
import { toErrorBody } from '../../shared/errors.ts';
import { type ListParts, Lists } from './lists.ts';
import { QUESTIONS } from './questions.ts';
import type { JobMessage, QuestionMessage, WorkerMessage, WorkerReply } from './runner.ts';

/** Progress interval (ms): a commit of small files does thousands of entries a second. */
const PROGRESS_MS = 200;

const QUIET_MS = 1_000;

/** Bytes: a collection takes a moment. */
const MUCH = 64_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Only the second collection returns memory to the system. */
function releaseMemory(): void {
  collectGarbage();
  collectGarbage();
}

const lists = new Lists();
const running = new Map<number, AbortController>();
const waiting = new Map<number, (parts: ListParts) => void>();

parentPort?.on('message', (message: WorkerMessage) => {
  const { id } = message;
  if ('cancel' in message) running.get(id)?.abort();
  else if ('parts' in message) {
    waiting.get(id)?.(message.parts);
    waiting.delete(id);
  } else if ('ask' in message) void answer(id, async () => await ask(message));
  else if ('onState' in message)
    void answer(id, async () => await STATE_JOBS[message.onState](message.input as never));
  else void answer(id, async (tell, signal) => await run(message, tell, signal));
});

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}

// WorkerRunner typed each input by its name.
async function run(
  { name, ctx, input }: JobMessage,
  progress: Progress,
  signal: AbortSignal,
): Promise<unknown> {
  const before = name === 'scan' ? lists.forget(ctx.session) : undefined;
  const output = await JOBS[name](ctx, input as never, progress, signal);
  if (name === 'scan') lists.scanned(ctx.session, output as PackedScan, before);
  return output;
}

async function ask({ id, ask: name, ctx, list, input }: QuestionMessage): Promise<unknown> {
  const wanted = (columns: boolean) =>
    new Promise<ListParts>((resolve) => {
      waiting.set(id, resolve);
      reply({ id, type: 'list-wanted', columns });
    });
  return await QUESTIONS[name](ctx, await lists.get(list, wanted), input as never);
}

async function answer(
  id: number,
  work: (progress: Progress, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  let last = 0;
  try {
    const tell: Progress = (done, total, path) => {
      const now = Date.now();
      if (now - last < PROGRESS_MS && done < total) return;
      last = now;
      reply({ id, type: 'progress', done, total, path });
    };
    const output = await work(tell, stop.signal);
    // The answer is copied now: beside the job's garbage that would be the server's peak of memory.
    if (getHeapStatistics().used_heap_size > MUCH) releaseMemory();
    reply({ id, type: 'done', output });
  } catch (error) {
    reply({ id, type: 'failed', error: toErrorBody(error).error });
  } finally {
    running.delete(id);
    releaseMemorySoon();
  }
}

let releasing: NodeJS.Timeout | undefined;

/** A scan of 300,000 entries leaves half of the server's memory as garbage. */
function releaseMemorySoon(): void {
  clearTimeout(releasing);
  releasing = setTimeout(() => {
    if (running.size === 0) releaseMemory();
  }, QUIET_MS).unref();
}
