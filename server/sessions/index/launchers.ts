import { readFileSync } from 'node:fs';

/** Unit of the start time in /proc/PID/stat: USER_HZ, which is 100 for every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
/** The log's clock and the kernel's boot time are both rounded (s). */
const SLACK_S = 2;

/**
 * True when the process that logged `call.started` at that time is still there. A pid alone comes back for another
 * process, which then began after the call did.
 */
export function isLauncherAlive(pid: number, startedAt: string): boolean {
  const began = processStart(pid);
  return began !== null && began <= Date.parse(startedAt) / 1000 + SLACK_S;
}

/** Start of a process in seconds since 1970; null when it is gone or a zombie. */
function processStart(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in field 2 may hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return bootTime() + Number(fields[19]) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

function bootTime(): number {
  return Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? 0);
}
