/**
 * Processes, as /proc shows them. A reader returns null for a process that is gone or may not be inspected.
 *
 * - caller.ts, ancestry.ts: who asks: the user, a call of a session, or unknown. The checks "only the user" end here.
 * - origin.ts: which call a process belongs to (environment, kernel session, ancestors).
 * - open-files.ts: who has a file open or mapped for writing.
 * - end.ts: TERM, then KILL, by pid and start time, so that a reused pid is not hit.
 */
import { readFileSync, readlinkSync } from 'node:fs';

export interface ProcessStat {
  /** What the kernel calls it (at most 15 bytes, a byte string); it may have chosen that itself. */
  name: string;
  /** R, S, D ...; Z = it has ended, and its parent has not taken note of it. */
  state: string;
  parent: number;
  /** Kernel's session id, see setsid(2). */
  sid: number;
  /** Start time in clock ticks since boot: with the pid it names one process, pids are used again. */
  start: string;
}

export function processStat(pid: number): ProcessStat | null {
  const text = read(pid, 'stat');
  if (text === null) return null;
  // Field 2 is the name in parentheses and may hold anything, also ")": the numbers begin behind the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , sid] = fields;
  const start = fields[19];
  if (state === undefined || start === undefined) return null;
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  return { name, state, parent: Number(parent), sid: Number(sid), start };
}

/** argv, as byte strings. */
export function processArguments(pid: number): string[] | null {
  // A program that wrote itself a title may have left out the NUL behind the last one.
  return read(pid, 'cmdline')?.replace(/\0$/, '').split('\0') ?? null;
}

/** The environment with which the process's program was started; what it changed later does not show. */
export function processEnvironment(pid: number): Map<string, string> | null {
  const text = read(pid, 'environ');
  if (text === null) return null;
  const variables = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const at = entry.indexOf('=');
    if (at > 0) variables.set(entry.slice(0, at), entry.slice(at + 1));
  }
  return variables;
}

/** The file of its program, without the kernel's mark for a file that was removed since (an update does that). */
export function processProgram(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`, { encoding: 'buffer' })
      .toString('latin1')
      .replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

function read(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return null;
  }
}
