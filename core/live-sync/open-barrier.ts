/** Whether every task that may have been inside open(2), without a descriptor, has left the kernel since. */
import { readdirSync, readFileSync } from 'node:fs';

interface Task {
  state: string;
  /** utime, in clock ticks. */
  user: string;
}

/** Tasks that may be inside a system call. */
export type Moment = ReadonlyMap<string, Task>;

/** Runnable, or waiting for the disk: others are not opening a file of a local file system. */
const BUSY = new Set(['R', 'D']);

export function momentOf(pids: readonly number[]): Moment {
  return new Map([...tasks(pids)].filter(([, { state }]) => BUSY.has(state)));
}

/** Whether each task has been in user mode since, or has ended. */
export function allPassed(pids: readonly number[], since: Moment): boolean {
  if (since.size === 0) return true;
  const now = tasks(pids);
  return [...since].every(([key, then]) => {
    const task = now.get(key);
    return task === undefined || !BUSY.has(task.state) || task.user !== then.user;
  });
}

/** By thread id and start time, because ids are reused. */
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
