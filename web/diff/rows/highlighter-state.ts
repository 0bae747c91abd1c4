/** The page's one worker that colours code. It is loaded when the first diff or command is on show. */
import type { TextDiff } from '../../../shared/model/diff.ts';
import { diffJob, type Highlights, shellJob } from './highlight-job.ts';
import address from './highlight-worker.ts?worker&url';
import { Highlighter } from './highlighter.ts';
import type { Token } from './tokens.ts';
import { workerAt } from './trusted.ts';

const highlighter = new Highlighter(() => workerAt(address));

/** Loads the worker ahead of a diff that is being fetched. */
export function warmColours(): void {
  highlighter.warm();
}

/** Null when the diff is not to be coloured, or it took too long. */
export async function diffColours(diff: TextDiff, abort: AbortSignal): Promise<Highlights | null> {
  const found = await highlighter.ask(diffJob(diff), abort);
  return found?.kind === 'diff' ? found.highlights : null;
}

/** Tokens of each line of a shell text; none when there are no colours to be had. */
export async function shellColours(text: string, abort: AbortSignal): Promise<Token[][]> {
  const found = await highlighter.ask(shellJob(text), abort);
  return found?.kind === 'shell' ? found.lines : [];
}
