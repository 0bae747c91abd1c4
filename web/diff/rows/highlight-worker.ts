/** Colours code, one job at a time, each answered once. A grammar that hangs blocks only this. */
import { type ColourJob, colours, type FromWorker } from './highlight.ts';

function answer(found: FromWorker): void {
  postMessage(found);
}

addEventListener('message', ({ data }: MessageEvent<ColourJob>) => {
  try {
    answer(colours(data));
  } catch {
    answer(null);
  }
});
answer('ready');
