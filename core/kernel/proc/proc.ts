/**
 * Processes, as /proc shows them. A reader returns null for a process that is gone or may not be inspected.
 *
 * - caller.ts: who asks: the user, a call of a session, or unknown. The checks "only the user" end here.
 * - origin.ts: which call a process belongs to (environment, kernel session, ancestors).
 * - open-files.ts: who has a file open or mapped for writing.
 */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import type { LiveProcess } from '../../../shared/model/commit.ts';
import type { ProcessKey } from '../../../shared/model/process.ts';
import { orNull } from '../fs/port.ts';
import { processesNotEnded } from '../messages/errors.ts';

export interface ProcessStat {
  /** At most 15 bytes, a byte string; the process may have chosen it. */
  name: string;
  /** Z = ended, not yet reaped by its parent. */
  state: string;
  parent: number;
  group: number;
  sid: number;
  /** Time in user mode, in clock ticks. */
  user: string;
  /** Clock ticks since boot. Pids are reused; pid and start identify a process. */
  start: string;
}

/** What identifies this process. */
export function ownProcess(): ProcessKey {
  return { pid: process.pid, start: processStat(process.pid)?.start ?? '' };
}

/** @param file `task/TID/stat` for one of its threads */
export function processStat(pid: number, file = 'stat'): ProcessStat | null {
  const text = processText(pid, file);
  if (text === null) return null;
  // The name, in parentheses, may contain a ")": the numbers begin after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, sid] = fields;
  const [user, start] = [fields[11], fields[19]];
  if (state === undefined || user === undefined || start === undefined) return null;
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  return { name, state, parent: Number(parent), group: Number(group), sid: Number(sid), user, start };
}

export function processArguments(pid: number): string[] | null {
  // A program that sets its own title may omit the last NUL.
  return processText(pid, 'cmdline')?.replace(/\0$/, '').split('\0') ?? null;
}

/** The initial environment of its program. */
export function processEnvironment(pid: number): Map<string, string> | null {
  const text = processText(pid, 'environ');
  return text === null ? null : parseEnviron(text);
}

/** The text of /proc/PID/environ. Of several values the first counts, as for getenv(3). */
export function parseEnviron(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const at = entry.indexOf('=');
    if (at > 0 && !variables.has(entry.slice(0, at))) variables.set(entry.slice(0, at), entry.slice(at + 1));
  }
  return variables;
}

/** Without the kernel's mark for a file that was removed since, as by an update. */
export function processProgram(pid: number): string | null {
  return processLink(pid, 'exe')?.replace(/ \(deleted\)$/, '') ?? null;
}

/** Throws when /proc can't be read: no answer is not "none". */
export function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number);
}

export function processText(pid: number | string, name: string): string | null {
  return orNull(() => textOf(`/proc/${pid}/${name}`));
}

/** Kept, because the kernel gives 4 kB of /proc at a time, for each of which readFileSync takes 64 kB. */
let room = Buffer.allocUnsafeSlow(256 << 10);

function textOf(file: string): string {
  const fd = openSync(file, 'r');
  try {
    let length = 0;
    for (;;) {
      if (length === room.length) room = Buffer.concat([room], 2 * length);
      const read = readSync(fd, room, length, room.length - length, null);
      if (read === 0) return room.toString('latin1', 0, length);
      length += read;
    }
  } finally {
    closeSync(fd);
  }
}

export function processLink(pid: number | string, name: string): string | null {
  return orNull(() => readlinkSync(`/proc/${pid}/${name}`, 'latin1'));
}

export function namesIn(dir: string): string[] {
  return orNull(() => readdirSync(dir)) ?? [];
}

/** Of its main thread. */
export function childrenOf(pid: number): number[] {
  return (processText(pid, `task/${pid}/children`) ?? '')
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number);
}

export function descriptorLinks(pid: number): string[] {
  return namesIn(`/proc/${pid}/fd`).map((fd) => processLink(pid, `fd/${fd}`) ?? '');
}

export interface TcpSocket {
  /** `ADDRESS:PORT` in hex, the address in this machine's byte order. */
  local: string;
  remote: string;
  state: string;
  uid: number;
  /** `0`: the process has closed it. */
  inode: string;
}

/** Of the network namespace of a process: proc_pid_net(5). */
export function tcpSockets(pid: number | 'self' = 'self'): TcpSocket[] {
  const lines = ['tcp', 'tcp6'].flatMap((name) =>
    (processText(pid, `net/${name}`) ?? '').trimEnd().split('\n').slice(1),
  );
  return lines.map((line) => {
    const [, local = '', remote = '', state = '', , , , uid, , inode = '0'] = line.trim().split(/\s+/);
    return { local, remote, state, uid: Number(uid), inode };
  });
}

/** USER_HZ, which is 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
const MOST_CHARACTERS = 200;
/** The end of the env line (hooks/lib/env-line.sh), as written and as `launch` passes it on. */
const ENV_LINE_END = /; fi(?:; :)? '?# trai:/;

/** At most 200 characters, without control characters or direction marks: a process can set its arguments. */
export function commandLine(argv: readonly string[], name: string): string {
  // The client's shell: its text begins with the client's set-up and trai's env line.
  const isCall = argv[1] === '-c' && ENV_LINE_END.test(argv[2] ?? '');
  const words = (isCall ? `${argv[0]} -c (the call itself)` : argv.join(' ')).trim();
  // toDisplay doubles backslashes to keep names distinct, which a command line does not need.
  const text = toDisplay((words === '' ? `[${name}]` : words) as BytePath).replaceAll('\\\\', '\\');
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

/** The times of /proc/PID itself are those of its first lookup. */
export function ageSeconds(start: string): number {
  return Math.max(0, Math.round(uptime() - Number(start) / TICKS_PER_SECOND));
}

/** By the current wall clock, to 10 ms. */
export function startedMs(start: string): number {
  return Math.round(Date.now() - 1000 * (uptime() - Number(start) / TICKS_PER_SECOND));
}

/** Includes suspend, like start times. */
function uptime(): number {
  return Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
}

/** Time to end after TERM, and after KILL (ms). */
const TERM_MS = 2_000;
const KILL_MS = 10_000;
const POLL_MS = 50;

/** TERM once, then KILL, until `remaining` returns none. Returns the signalled pids. Errors: `live`. */
export async function endWhile(remaining: () => Promise<readonly LiveProcess[]>): Promise<number[]> {
  const signalled = new Set<number>();
  const term = Date.now() + TERM_MS;
  for (let processes = await remaining(); processes.length > 0; processes = await remaining()) {
    if (Date.now() > term + KILL_MS) {
      throw processesNotEnded(processes);
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

/** Node has no pidfd: the start time shows whether the pid was reused. */
function signal({ pid, start }: ProcessKey, name: 'SIGTERM' | 'SIGKILL'): boolean {
  // Null: it has ended meanwhile.
  return processStat(pid)?.start === start && orNull(() => process.kill(pid, name)) !== null;
}

let known: boolean | null = null;

/** uid 0 with all users mapped to themselves. Everybody else needs a user namespace. */
export function isRealRoot(): boolean {
  known ??=
    process.getuid?.() === 0 &&
    /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'));
  return known;
}
