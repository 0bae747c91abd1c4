/**
 * Processes, as /proc shows them. A reader returns null for a process that is gone or may not be inspected.
 *
 * - caller.ts: who asks: the user, a call of a session, or unknown. The checks "only the user" end here.
 * - origin.ts: which call a process belongs to (environment, kernel session, ancestors).
 * - open-files.ts: who has a file open or mapped for writing.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { LiveProcess } from '../../../shared/model/commit.ts';
import type { ProcessKey } from '../../../shared/model/process.ts';

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
  const text = processText(pid, 'stat');
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
  return processText(pid, 'cmdline')?.replace(/\0$/, '').split('\0') ?? null;
}

/** The environment with which the process's program was started; what it changed later does not show. */
export function processEnvironment(pid: number): Map<string, string> | null {
  const text = processText(pid, 'environ');
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
  return processLink(pid, 'exe')?.replace(/ \(deleted\)$/, '') ?? null;
}

/** A file of /proc/PID, as a byte string. */
export function processText(pid: number | string, name: string): string | null {
  return orNull(() => readFileSync(`/proc/${pid}/${name}`, 'latin1'));
}

/** Where a link of /proc/PID leads, as a byte string. */
export function processLink(pid: number | string, name: string): string | null {
  return orNull(() => readlinkSync(`/proc/${pid}/${name}`, 'latin1'));
}

/** Names in a directory; none when it is gone or closed to us. */
export function namesIn(dir: string): string[] {
  return orNull(() => readdirSync(dir)) ?? [];
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Unit of times in /proc/PID/stat: USER_HZ, which is 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
const MOST_CHARACTERS = 200;
/** How the line in the client's env file ends (hooks/lib/env-line.sh), as it is and as `launch` hands it on. */
const ENV_LINE_END = /; fi(?:; :)? '?# trai:/;

/**
 * The command line in one line, at most 200 characters. A program may call itself what it likes: nothing in it is left
 * that a terminal would obey or that turns the text around.
 *
 * @param argv byte strings
 * @param name the kernel's name for it, a byte string: shown when it has no arguments
 */
export function commandLine(argv: readonly string[], name: string): string {
  // The shell of a call of the client's: its text begins with the client's own set-up and our env line.
  const isCall = argv[1] === '-c' && ENV_LINE_END.test(argv[2] ?? '');
  const words = (isCall ? `${argv[0]} -c (the call itself)` : argv.join(' ')).trim();
  // toDisplay doubles backslashes, so that two names never read the same; here they would only be in the way.
  const text = toDisplay((words === '' ? `[${name}]` : words) as BytePath).replaceAll('\\\\', '\\');
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

/** Seconds since the process began. (The times of /proc/PID itself say when somebody first looked at it.) */
export function ageSeconds(start: string): number {
  return Math.max(0, Math.round(uptime() - Number(start) / TICKS_PER_SECOND));
}

/** When it began by the wall clock as it is set now, milliseconds since 1970; as exact as the kernel's ticks, 10 ms. */
export function startedMs(start: string): number {
  return Math.round(Date.now() - 1000 * (uptime() - Number(start) / TICKS_PER_SECOND));
}

/** Seconds since boot, the time of sleep included, as start times count. */
function uptime(): number {
  return Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
}

/** How long a process may take to obey TERM, and how long the kernel may take with KILL (ms). */
const TERM_MS = 2_000;
const KILL_MS = 10_000;
const POLL_MS = 50;

/**
 * Ends the processes that `remaining` returns until there are none: TERM once, KILL when that was not obeyed. Resolves to
 * the pids that were signalled. Errors: `live`, with what could not be ended.
 */
export async function endWhile(remaining: () => Promise<readonly LiveProcess[]>): Promise<number[]> {
  const signalled = new Set<number>();
  const term = Date.now() + TERM_MS;
  for (let processes = await remaining(); processes.length > 0; processes = await remaining()) {
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
    await sleep(POLL_MS);
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

let known: boolean | null = null;

/** True for uid 0 with all users mapped to themselves. Anybody else enters by a user namespace of their own. */
export function isRealRoot(): boolean {
  known ??=
    process.getuid?.() === 0 &&
    /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'));
  return known;
}
