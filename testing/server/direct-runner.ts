/** Runs jobs and questions in this thread. */
import { JOBS } from '../../core/jobs/jobs.ts';
import { listOf } from '../../server/worker/lists.ts';
import { QUESTIONS } from '../../server/worker/questions.ts';
import type { JobRunner } from '../../server/worker/runner.ts';

export class DirectRunner implements JobRunner {
  running = 0;

  run: JobRunner['run'] = async (name, ctx, input, progress = () => {}, signal) =>
    await this.#counted(JOBS[name](ctx, input, progress, signal));

  ask: JobRunner['ask'] = async (name, ctx, source, input) =>
    await this.#counted(QUESTIONS[name](ctx, listOf(source), input));

  async #counted<T>(work: Promise<T>): Promise<T> {
    this.running++;
    return await work.finally(() => this.running--);
  }

  async close(): Promise<void> {}
}
