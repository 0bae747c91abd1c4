import type { ProcessKey } from '../../../shared/model/process.ts';
import { endWhile } from '../../kernel/proc/end.ts';
import { liveProcesses } from '../../sandbox/live.ts';

/**
 * Ends the named processes of a session, and no other: one that is gone, whose pid is another process's by now, or that
 * is not of the session is left alone. Resolves to the pids that were signalled. Errors: `live`, as `endWhile`.
 */
export async function endThese(source: string, keys: readonly ProcessKey[]): Promise<number[]> {
  const wanted = new Map(keys.map(({ pid, start }) => [pid, start]));
  return await endWhile(async () => {
    const processes = await liveProcesses(source);
    return processes.filter(({ pid, start }) => wanted.get(pid) === start);
  });
}
