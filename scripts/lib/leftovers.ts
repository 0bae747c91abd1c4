import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { pause } from './exec.ts';

export interface Leftover {
  pid: number;
  command: string;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Pid and start time of every process: a pid alone may be used again. */
export function processKeys(): Set<string> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Set(pids.map((pid) => keyOf(pid)));
}

function keyOf(pid: string): string {
  // Field 22; the name in field 2 may hold spaces and parentheses, so count from its end.
  const stat = read(`/proc/${pid}/stat`);
  return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
}

/**
 * Processes that a test run started and did not end: newer than `before`, and with one of the marks (a run id, the
 * run's directories) in their environment, arguments, working directory or mounts. A server started with an empty
 * environment is found by the directories; a process in a sandbox by its mounts.
 */
export function findLeftovers(before: ReadonlySet<string>, marks: readonly string[]): Leftover[] {
  const marked = (text: string) => marks.some((mark) => text.includes(mark));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && !before.has(keyOf(name)))
    .filter((pid) => {
      const dir = `/proc/${pid}`;
      const places = [`${dir}/environ`, `${dir}/cmdline`, `${dir}/mountinfo`];
      return places.some((file) => marked(read(file))) || marked(link(`${dir}/cwd`));
    })
    .map((pid) => ({
      pid: Number(pid),
      command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200),
    }))
    .filter(({ command }) => command !== '');
}

/** Looks for leftovers, first giving those that are just ending two seconds; ends them by pid and returns them. */
export async function endLeftovers(
  before: ReadonlySet<string>,
  marks: readonly string[],
): Promise<Leftover[]> {
  for (let waited = 0; waited < 2_000; waited += 100) {
    if (findLeftovers(before, marks).length === 0) return [];
    await pause(100);
  }
  const left = findLeftovers(before, marks);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const { pid } of findLeftovers(before, marks)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended by itself in the meantime.
      }
    }
    await pause(500);
  }
  return left;
}
