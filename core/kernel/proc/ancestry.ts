/** What /proc says of a process and its ancestors: by it bin/trai and the server know whom they do something for. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { type Caller, type ClientSigns, callerFrom, type Lineage, type ProcessSigns } from './caller.ts';
import { isClaudeClient } from './client-process.ts';
import {
  type ProcessStat,
  processArguments,
  processEnvironment,
  processProgram,
  processStat,
} from './proc.ts';

/** More ancestors than this are a loop in what we read (pids are used again while we look). */
const MOST_ANCESTORS = 256;
/** How often a process whose parent has just ended is asked for its new one. */
const MOST_LOOKS = 3;

/** Who is behind a process. Never throws: what can't be seen is `unknown`. */
export function callerOf(pid: number, stateDir: string): Caller {
  const clients = registeredClients(stateDir);
  return callerFrom(lineageOf(pid, clients), clients);
}

/** A process's ancestors, itself first, and whether its namespaces are ours or a registered client's. */
export function lineageOf(pid: number, clients: readonly ClientSigns[]): Lineage {
  const chain: ProcessSigns[] = [];
  let adopter: Lineage['adopter'] = null;
  let at = processStat(pid);
  let current = pid;
  while (at !== null && chain.length < MOST_ANCESTORS) {
    chain.push(signsOf(current, at, clients));
    const above = parentOf(current, at);
    if (above === null) break;
    if (isAdopter(above)) {
      adopter = { sid: above.stat.sid };
      break;
    }
    current = above.pid;
    at = above.stat;
  }
  return { chain, adopter, isHere: isHere(pid, clients) };
}

/** The clients that SessionStart hooks have registered (state/claude-pid) and that are still there. */
export function registeredClients(stateDir: string): ClientSigns[] {
  const found: ClientSigns[] = [];
  for (const record of namesIn(`${stateDir}/claude-pid`)) {
    const [, pid = '', start = ''] = /^(\d{1,10})\.(\d{1,20})$/.exec(record) ?? [];
    if (pid !== '' && processStat(Number(pid))?.start === start)
      found.push({ pid: Number(pid), began: Number(start), cgroup: cgroupOf(Number(pid)) });
  }
  return found;
}

/**
 * The namespace that tells a process of a session from others: everything of a session is in a user namespace of its
 * own, which nobody leaves; root's in a mount namespace only. Null when it may not be looked at.
 */
export function namespaceOf(pid: number | 'self'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/${process.getuid?.() === 0 ? 'mnt' : 'user'}`);
  } catch {
    return null;
  }
}

export function isHere(pid: number, clients: readonly ClientSigns[]): boolean {
  const namespace = namespaceOf(pid);
  if (namespace === null) return false;
  return namespace === namespaceOf('self') || clients.some((client) => namespace === namespaceOf(client.pid));
}

interface Above {
  pid: number;
  stat: ProcessStat;
}

/** A parent that ends while we look leaves its child to somebody else, whom the child then names. */
function parentOf(pid: number, stat: ProcessStat): Above | null {
  let child: ProcessStat | null = stat;
  for (let look = 0; child !== null && look < MOST_LOOKS; look++) {
    const above = processStat(child.parent);
    // One that is younger than its child has the number of a parent that has ended.
    if (above !== null && Number(above.start) <= Number(child.start))
      return { pid: child.parent, stat: above };
    const before: number = child.parent;
    child = processStat(pid);
    if (child?.parent === before) return null;
  }
  return null;
}

/** Who gets the children of processes that end: pid 1, and a user's systemd. */
function isAdopter({ pid, stat }: Above): boolean {
  return pid === 1 || (stat.name === 'systemd' && stat.parent === 1);
}

function signsOf(pid: number, stat: ProcessStat, clients: readonly ClientSigns[]): ProcessSigns {
  const argv = processArguments(pid) ?? [];
  const variables = processEnvironment(pid) ?? new Map<string, string>();
  const began = Number(stat.start);
  return {
    pid,
    parent: stat.parent,
    sid: stat.sid,
    began,
    name: toDisplay(stat.name as BytePath),
    cgroup: cgroupOf(pid),
    isClient: isClaudeClient({ program: processProgram(pid), argv }),
    isRegistered: clients.some((client) => client.pid === pid && client.began === began),
    isMarked: variables.get('CLAUDECODE') === '1' || (variables.get('CLAUDE_PID') ?? '') !== '',
    isCall: variables.has('TRAI_CALL') || isLauncher(argv),
  };
}

/** `bash -p STATE/bin/VERSION/launch ...`, of any state directory. */
function isLauncher(argv: readonly string[]): boolean {
  return argv.slice(1, 3).some((word) => {
    const state = /^(\/.*)\/bin\/[^/]+\/launch$/.exec(word)?.[1];
    return state !== undefined && existsSync(Buffer.from(`${state}/sessions`, 'latin1'));
  });
}

function cgroupOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'latin1');
  } catch {
    return null;
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
