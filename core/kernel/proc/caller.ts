/** Who started a process, by what the kernel reports and no process can shed. `callerFrom` is pure. */
import { existsSync } from 'node:fs';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import {
  namesIn,
  type ProcessStat,
  processArguments,
  processEnvironment,
  processLink,
  processProgram,
  processStat,
  processText,
} from './proc.ts';

export interface ProcessSigns {
  pid: number;
  parent: number;
  sid: number;
  /** Clock ticks from boot to its start. */
  began: number;
  name: string;
  cgroup: string | null;
  isClient: boolean;
  isRegistered: boolean;
  /** Has the variables that a client gives to its hooks and commands. */
  isMarked: boolean;
  /** A call's launcher, or has the variable that a launcher sets. */
  isCall: boolean;
}

export interface ClientSigns {
  pid: number;
  began: number;
  cgroup: string | null;
}

/** The process itself comes first. */
export interface Lineage {
  chain: readonly ProcessSigns[];
  /** The last one's parent if it adopts orphans (pid 1, a user's systemd), else null. */
  adopter: { sid: number } | null;
  /** In the namespace of trai's server or of a registered client. */
  isHere: boolean;
}

/**
 * - `user`: no ancestor is of Claude: a terminal, an editor, a desktop.
 * - `client`: below a Claude client: its hooks, its servers.
 * - `elsewhere`: in a namespace of its own, like everything in a session.
 * - `unknown`: it may come from a call.
 */
export type CallerKind = 'user' | 'client' | 'call' | 'elsewhere' | 'unknown';

export interface Caller {
  kind: CallerKind;
  found: string;
}

export function callerFrom(lineage: Lineage, clients: readonly ClientSigns[]): Caller {
  const { chain, isHere } = lineage;
  const [own] = chain;
  if (own === undefined) return { kind: 'unknown', found: 'a process that has ended' };
  const found = described(own);
  if (!isHere) return { kind: 'elsewhere', found: `${found}, in a sandbox or another namespace` };
  const call = chain.find((one) => one.isCall);
  if (call !== undefined) return { kind: 'call', found: `${found}, started by a call of a session` };
  const client = orphanSince(lineage, clients);
  if (client !== null) {
    return {
      kind: 'unknown',
      found: `${found}, whose parents are gone and which is younger than the Claude client ${client.pid} beside it`,
    };
  }
  const isBelow = chain.some((one, at) => one.isMarked || (at > 0 && (one.isClient || one.isRegistered)));
  return isBelow ? { kind: 'client', found: `${found}, started by Claude Code` } : { kind: 'user', found };
}

/** False for a call, and when the origin is unknown. */
export function isOfTheUser({ kind }: Caller): boolean {
  return kind === 'user' || kind === 'client';
}

/**
 * A call can create an orphan (setsid, a double fork, an empty environment). So an orphan is suspect when a
 * client is older and has the same control group, which an orphan keeps while a service manager makes one for
 * what it starts. A child in its adopter's own kernel session was never orphaned; one below a registered
 * client has its parents.
 */
function orphanSince({ chain, adopter }: Lineage, clients: readonly ClientSigns[]): ClientSigns | null {
  const top = chain.at(-1);
  if (adopter === null || top === undefined || top.sid === adopter.sid) return null;
  if (chain.some((one) => one.isRegistered)) return null;
  return clients.find((client) => client.began < top.began && client.cgroup === top.cgroup) ?? null;
}

function described({ pid, name }: ProcessSigns): string {
  return `process ${pid} (${name})`;
}

export interface ProgramFacts {
  program: string | null;
  argv: readonly string[];
}

/** `claude`, the npm packages, and the native installer, which names the program like its version. */
const CLIENT = /(^|\/)claude$|\/@anthropic-ai\/claude-code|\/claude\/versions\/[^/]+$/;

/** The client's path is then the first argument that is no option. */
const RUNTIME = /(^|\/)(node|nodejs|bun|deno)$/;

export function isClaudeClient({ program, argv }: ProgramFacts): boolean {
  if (program !== null && CLIENT.test(program)) return true;
  const [name = ''] = argv;
  if (CLIENT.test(name)) return true;
  if (!RUNTIME.test(program ?? name) && !RUNTIME.test(name)) return false;
  const script = argv.slice(1).find((argument) => !argument.startsWith('-'));
  return script !== undefined && CLIENT.test(script);
}

/** A longer chain is a loop, caused by a reused pid. */
const MOST_ANCESTORS = 256;
/** Attempts to read the new parent of a process whose parent has just ended. */
const MOST_TRIES = 3;

/** Never throws: what can't be read makes the caller `unknown`. */
export function callerOf(pid: number, stateDir: string): Caller {
  const clients = registeredClients(stateDir);
  return callerFrom(lineageOf(pid, clients), clients);
}

export function lineageOf(pid: number, clients: readonly ClientSigns[]): Lineage {
  const chain: ProcessSigns[] = [];
  const stat = processStat(pid);
  let next: Found | null = stat === null ? null : { pid, stat };
  while (next !== null && chain.length < MOST_ANCESTORS && !(chain.length > 0 && isAdopter(next))) {
    chain.push(signsOf(next, clients));
    next = parentOf(next);
  }
  const adopter = next !== null && isAdopter(next) ? { sid: next.stat.sid } : null;
  return { chain, adopter, isHere: isHere(pid, clients) };
}

/** Registered by SessionStart hooks (state/claude-pid), and still running. */
export function registeredClients(stateDir: string): ClientSigns[] {
  const found: ClientSigns[] = [];
  for (const record of namesIn(`${stateDir}/claude-pid`)) {
    const [, pid = '', start = ''] = /^(\d{1,10})\.(\d{1,20})$/.exec(record) ?? [];
    if (pid !== '' && processStat(Number(pid))?.start === start)
      found.push({ pid: Number(pid), began: Number(start), cgroup: processText(Number(pid), 'cgroup') });
  }
  return found;
}

/** No process leaves its session's user (as root: mount) namespace. Null = unreadable. */
export function namespaceOf(pid: number | 'self'): string | null {
  return processLink(pid, `ns/${process.getuid?.() === 0 ? 'mnt' : 'user'}`);
}

export function isHere(pid: number, clients: readonly ClientSigns[]): boolean {
  const namespace = namespaceOf(pid);
  if (namespace === null) return false;
  return namespace === namespaceOf('self') || clients.some((client) => namespace === namespaceOf(client.pid));
}

interface Found {
  pid: number;
  stat: ProcessStat;
}

/** When the parent ends meanwhile, the kernel names another one. */
function parentOf({ pid, stat }: Found): Found | null {
  let child: ProcessStat | null = stat;
  for (let tries = 0; child !== null && tries < MOST_TRIES; tries++) {
    const above = processStat(child.parent);
    // A parent that is younger than its child has a reused pid.
    if (above !== null && Number(above.start) <= Number(child.start))
      return { pid: child.parent, stat: above };
    const before: number = child.parent;
    child = processStat(pid);
    if (child?.parent === before) return null;
  }
  return null;
}

function isAdopter({ pid, stat }: Found): boolean {
  return pid === 1 || (stat.name === 'systemd' && stat.parent === 1);
}

function signsOf({ pid, stat }: Found, clients: readonly ClientSigns[]): ProcessSigns {
  const argv = processArguments(pid) ?? [];
  const variables = processEnvironment(pid) ?? new Map<string, string>();
  const began = Number(stat.start);
  return {
    pid,
    parent: stat.parent,
    sid: stat.sid,
    began,
    name: toDisplay(stat.name as BytePath),
    cgroup: processText(pid, 'cgroup'),
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
