/** Ending processes by pid: TERM, then KILL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TraiError } from '../../../shared/errors.ts';
import type { LiveProcess } from '../../../shared/model/commit.ts';
import type { ProcessKey } from '../../../shared/model/process.ts';
import { processStat } from './proc.ts';

/** How long a process may take to obey TERM, and how long the kernel may take with KILL (ms). */
const TERM_MS = 2_000;
const KILL_MS = 10_000;
const LOOK_MS = 50;

/**
 * Ends what `left` gives until it gives nothing more: TERM once, KILL when that was not obeyed. Resolves to the pids
 * that were signalled. Errors: `live`, with what could not be ended.
 */
export async function endWhile(left: () => Promise<readonly LiveProcess[]>): Promise<number[]> {
  const signalled = new Set<number>();
  const term = Date.now() + TERM_MS;
  for (let processes = await left(); processes.length > 0; processes = await left()) {
    if (Date.now() > term + KILL_MS) {
      throw new TraiError('live', `could not end ${processes.length} process(es) of the session`, {
        paths: processes.map((one) => `${one.pid} ${one.command}`),
      });
    }
    const late = Date.now() > term;
    for (const process of processes) {
      if (!late && signalled.has(process.pid)) continue;
      if (signal(process, late ? 'SIGKILL' : 'SIGTERM')) signalled.add(process.pid);
    }
    await sleep(LOOK_MS);
  }
  return [...signalled];
}

/** Node has no pidfd: right before the signal the start time says whether the pid is still that process's. */
function signal({ pid, start }: ProcessKey, name: 'SIGTERM' | 'SIGKILL'): boolean {
  if (processStat(pid)?.start !== start) return false;
  try {
    process.kill(pid, name);
    return true;
  } catch {
    // Gone meanwhile.
    return false;
  }
}
