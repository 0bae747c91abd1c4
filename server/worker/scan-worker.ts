/** Entry of the worker thread: runs jobs and sends back what they give. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { JOBS, type JobName, type Jobs, type Progress } from '../../core/jobs/jobs.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { toErrorBody } from '../../shared/errors.ts';
import type { WorkerMessage, WorkerReply, WorkerRequest } from './runner.ts';

/** Progress is told this often at most (ms): a commit of small files does thousands of entries a second. */
const PROGRESS_MS = 200;

/** No job for so long: there is time to look what memory is not needed any more (ms). */
const QUIET_MS = 1_000;

/** To look through so much takes a moment (bytes). */
const MUCH = 64_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What is not needed goes back to the system with the second one only. */
function giveBack(): void {
  collectGarbage();
  collectGarbage();
}

/** How to stop each running job. */
const running = new Map<number, AbortController>();

parentPort?.on('message', (message: WorkerMessage) => {
  if ('cancel' in message) running.get(message.id)?.abort();
  else void answer(message);
});

async function answer({ id, name, ctx, input }: WorkerRequest): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  const reply = (message: WorkerReply) => parentPort?.postMessage(message);
  let last = 0;
  try {
    const tell: Progress = (done, total, path) => {
      const now = Date.now();
      if (now - last < PROGRESS_MS && done < total) return;
      last = now;
      reply({ id, type: 'progress', done, total, path });
    };
    const output = await runJob(name, ctx, input, tell, stop.signal);
    // The answer is copied now. What the job needed beside it would lie there meanwhile: the most that the server ever takes.
    if (getHeapStatistics().used_heap_size > MUCH) giveBack();
    reply({ id, type: 'done', output });
  } catch (error) {
    reply({ id, type: 'failed', error: toErrorBody(error).error });
  } finally {
    running.delete(id);
    tidyUpSoon();
  }
}

let tidying: NodeJS.Timeout | undefined;

/** What a scan of 300,000 entries leaves in this thread is half of what the server takes; nobody waits for this thread now. */
function tidyUpSoon(): void {
  clearTimeout(tidying);
  tidying = setTimeout(() => {
    if (running.size === 0) giveBack();
  }, QUIET_MS).unref();
}

async function runJob<K extends JobName>(
  name: K,
  ctx: SessionContext,
  input: unknown,
  progress: Progress,
  signal: AbortSignal,
): Promise<Jobs[K]['output']> {
  // The message comes from WorkerRunner.run, which had the right type for this name.
  return await JOBS[name](ctx, input as Jobs[K]['input'], progress, signal);
}
