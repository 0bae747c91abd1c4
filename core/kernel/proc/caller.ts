/**
 * Who is behind a process: the user at a terminal, a Claude client, or a call of a session. Only what the kernel says
 * counts, and what no process can take away from itself. `callerFrom` is pure; `callerOf` reads /proc for it.
 */
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

/** What is known of one process. */
export interface ProcessSigns {
  pid: number;
  parent: number;
  /** Kernel's session id, see setsid(2). */
  sid: number;
  /** Clock ticks from boot to its start. */
  began: number;
  /** What the kernel calls it. */
  name: string;
  cgroup: string | null;
  /** It looks like a Claude client. */
  isClient: boolean;
  /** A SessionStart hook has registered it as a client. */
  isRegistered: boolean;
  /** It has the variables that a client gives to its hooks and commands. */
  isMarked: boolean;
  /** It is a call's launcher, or has the variable that a launcher gives to a call. */
  isCall: boolean;
}

/** A client that is there, as its SessionStart hook has registered it. */
export interface ClientSigns {
  pid: number;
  began: number;
  cgroup: string | null;
}

/** A process with its ancestors, itself first. */
export interface Lineage {
  chain: readonly ProcessSigns[];
  /** What the last of the chain has for a parent: pid 1 or another that adopts orphans; null = an ordinary process. */
  adopter: { sid: number } | null;
  /** Its namespaces are those of trai's server, or of a registered client. */
  isHere: boolean;
}

/**
 * - `user`: below nothing of Claude's: a terminal, an editor, a desktop.
 * - `client`: below a Claude client: its hooks, its servers.
 * - `call`: below a call's launcher.
 * - `elsewhere`: in namespaces of its own, as everything in a session is.
 * - `unknown`: nothing shows that it is none of a call.
 */
export type CallerKind = 'user' | 'client' | 'call' | 'elsewhere' | 'unknown';

export interface Caller {
  kind: CallerKind;
  /** What was found, for an error's text. */
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

/** May it have what only the user may give: not from a call, nor where nobody can say. */
export function isOfTheUser({ kind }: Caller): boolean {
  return kind === 'user' || kind === 'client';
}

/**
 * An orphan may have left a call (setsid and a double fork, with an empty environment). It is believed to be somebody
 * else's when no client is as old, or when it has another control group: a service manager gives one to what it starts
 * itself, and an orphan keeps that of its parents. A child of its adopter's own kernel session was never adopted, and
 * what is below a registered client has its parents.
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

/** How a Claude client looks in /proc. */

export interface ProgramFacts {
  /** Path of its program, null when it may not be looked at. */
  program: string | null;
  argv: readonly string[];
}

/**
 * Paths of the client: `claude` itself, the npm packages, and the native installer's `…/claude/versions/2.1.330`,
 * where the program is called like its version.
 */
const CLIENT = /(^|\/)claude$|\/@anthropic-ai\/claude-code|\/claude\/versions\/[^/]+$/;

/** Programs that run the client as a script, whose path is then their first argument that is no option. */
const RUNTIME = /(^|\/)(node|nodejs|bun|deno)$/;

export function isClaudeClient({ program, argv }: ProgramFacts): boolean {
  if (program !== null && CLIENT.test(program)) return true;
  const [name = ''] = argv;
  if (CLIENT.test(name)) return true;
  if (!RUNTIME.test(program ?? name) && !RUNTIME.test(name)) return false;
  const script = argv.slice(1).find((argument) => !argument.startsWith('-'));
  return script !== undefined && CLIENT.test(script);
}

/** More ancestors than this are a loop in what we read: pids are used again meanwhile. */
const MOST_ANCESTORS = 256;
/** How often a process whose parent has just ended is asked for its new one. */
const MOST_TRIES = 3;

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
      found.push({ pid: Number(pid), began: Number(start), cgroup: processText(Number(pid), 'cgroup') });
  }
  return found;
}

/**
 * The namespace that tells a process of a session from others: everything of a session is in a user namespace of its
 * own, which nobody leaves; root's in a mount namespace only. Null when it may not be looked at.
 */
export function namespaceOf(pid: number | 'self'): string | null {
  return processLink(pid, `ns/${process.getuid?.() === 0 ? 'mnt' : 'user'}`);
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

/** A parent that ends meanwhile leaves its child to another process, which the child then names. */
function parentOf(pid: number, stat: ProcessStat): Above | null {
  let child: ProcessStat | null = stat;
  for (let tries = 0; child !== null && tries < MOST_TRIES; tries++) {
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
