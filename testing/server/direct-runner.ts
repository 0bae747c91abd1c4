/** Runs jobs and questions in this thread. */
import { JOBS, STATE_JOBS } from '../../core/jobs/jobs.ts';
import { type ListSource, Lists, partsOf } from '../../server/worker/lists.ts';
import { QUESTIONS } from '../../server/worker/questions.ts';
import type { JobRunner } from '../../server/worker/runner.ts';
import type { ChangeList } from '../../shared/model/change.ts';

async function listOf(session: string, source: ListSource): Promise<ChangeList> {
  const { revision, spansVersion } = source;
  const name = { session, revision, spansVersion };
  return await new Lists().get(name, async (columns) => partsOf(source, columns));
}

export class DirectRunner implements JobRunner {
  running = 0;

  run: JobRunner['run'] = async (name, ctx, input, progress = () => {}, signal) =>
    await this.#counted(JOBS[name](ctx, input, progress, signal));

  runOnState: JobRunner['runOnState'] = async (name, input) => await this.#counted(STATE_JOBS[name](input));

  ask: JobRunner['ask'] = async (name, ctx, source, input) =>
    await this.#counted(listOf(ctx.session, source).then((list) => QUESTIONS[name](ctx, list, input)));

  async #counted<T>(work: Promise<T>): Promise<T> {
    this.running++;
    return await work.finally(() => this.running--);
  }

  async close(): Promise<void> {}
}
