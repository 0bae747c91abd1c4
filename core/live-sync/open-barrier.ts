/**
 * Whether everybody who was in the middle of opening a file has come back. A process has no descriptor yet while the
 * kernel looks a name up, waits for the disk, cuts the file off: under load that takes seconds.
 */
import { readdirSync, readFileSync } from 'node:fs';

interface Task {
  state: string;
  /** Clock ticks outside of the kernel. */
  user: string;
}

/** The tasks that may have been in the kernel on their own at some time, with what they had done until then. */
export type Moment = ReadonlyMap<string, Task>;

/**
 * Runnable or waiting for the disk: who sleeps until something happens (S), is stopped or has ended, is not opening a
 * file of a local file system.
 */
const BUSY = new Set(['R', 'D']);

export function momentOf(pids: readonly number[]): Moment {
  return new Map([...tasks(pids)].filter(([, { state }]) => BUSY.has(state)));
}

/** True when each of them has been seen out of the kernel since, or has ended. */
export function allPassed(pids: readonly number[], since: Moment): boolean {
  if (since.size === 0) return true;
  const now = tasks(pids);
  return [...since].every(([key, then]) => {
    const task = now.get(key);
    return task === undefined || !BUSY.has(task.state) || task.user !== then.user;
  });
}

/** By thread and start time: numbers are used again. */
function tasks(pids: readonly number[]): Map<string, Task> {
  const found = new Map<string, Task>();
  for (const pid of pids) {
    for (const tid of namesIn(`/proc/${pid}/task`)) {
      try {
        const text = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1');
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        const [state, user, start] = [fields[0], fields[11], fields[19]];
        if (state !== undefined && user !== undefined) found.set(`${tid} ${start}`, { state, user });
      } catch {
        // Ended meanwhile.
      }
    }
  }
  return found;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
