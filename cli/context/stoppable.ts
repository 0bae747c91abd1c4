/** Ctrl-C stops what a command does between two entries. */
import type { Cli } from './world.ts';

/** Runs `work`; the first Ctrl-C aborts its signal, the second ends the program at once. */
export async function stoppable<T>(cli: Cli, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    cli.remark(
      'Stopping between two entries. Ctrl-C once more leaves at once; the next run then finishes it.',
    );
  };
  process.on('SIGINT', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal);
  }
}
