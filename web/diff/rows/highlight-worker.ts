/** The worker that colours code: one job at a time, each answered once. A grammar that hangs hangs only this. */
import { colours } from './highlight.ts';
import type { ColourJob, FromWorker } from './highlight-job.ts';

function answer(text: FromWorker): void {
  postMessage(text);
}

addEventListener('message', ({ data }: MessageEvent<ColourJob>) => {
  try {
    answer(colours(data));
  } catch {
    answer({ kind: 'failed' });
  }
});
answer({ kind: 'ready' });
