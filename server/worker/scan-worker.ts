/** Entry of the worker thread: runs jobs and sends back what they give. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { JOBS, type Progress } from '../../core/jobs/jobs.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { toErrorBody } from '../../shared/errors.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { LIST_JOBS, type ListColumns, listOf } from './list-jobs.ts';
import type { JobRequest, ListQuestion, WorkerMessage, WorkerReply } from './runner.ts';

/** Progress is told this often at most (ms): a commit of small files does thousands of entries a second. */
const PROGRESS_MS = 200;

/** No job for so long: there is time to look what memory is not needed any more (ms). */
const QUIET_MS = 1_000;

/** Lists that are kept for further questions, of as many sessions. */
const LISTS = 4;

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
  const { id } = message;
  if ('cancel' in message) running.get(id)?.abort();
  else if ('columns' in message) wanted.get(id)?.(message.columns);
  else if ('ask' in message) void answer(id, async () => await askAbout(await listFor(message), message));
  else
    void answer(id, async (tell, signal) => {
      // Two lists of one session at a time would be the most that this thread ever holds.
      if (message.name === 'scan') lists.delete(message.ctx.session);
      return await runJob(message, tell, signal);
    });
});

/** By session: the lists that were asked about last. */
const lists = new Map<string, { key: string; list: Promise<ChangeList> }>();
/** Questions that wait for the columns of their list. */
const wanted = new Map<number, (columns: ListColumns) => void>();

async function listFor({ id, ctx, key }: ListQuestion): Promise<ChangeList> {
  const known = lists.get(ctx.session);
  lists.delete(ctx.session);
  const list = known?.key === key ? known.list : columnsFor(id).then(listOf);
  lists.set(ctx.session, { key, list });
  const [oldest] = lists.keys();
  if (oldest !== undefined && lists.size > LISTS) lists.delete(oldest);
  return await list;
}

async function columnsFor(id: number): Promise<ListColumns> {
  return await new Promise((resolve) => {
    wanted.set(id, (columns) => {
      wanted.delete(id);
      resolve(columns);
    });
    reply({ id, type: 'list-wanted' });
  });
}

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
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

type AnyJob = (
  ctx: SessionContext,
  input: unknown,
  progress: Progress,
  signal: AbortSignal,
) => Promise<unknown>;
type AnyListJob = (ctx: SessionContext, list: ChangeList, input: unknown) => Promise<unknown>;

// The messages come from WorkerRunner, which had the right type of input for each name.
async function runJob({ name, ctx, input }: JobRequest, progress: Progress, signal: AbortSignal) {
  return await (JOBS[name] as AnyJob)(ctx, input, progress, signal);
}

async function askAbout(list: ChangeList, { ask, ctx, input }: ListQuestion) {
  return await (LIST_JOBS[ask] as AnyListJob)(ctx, list, input);
}
