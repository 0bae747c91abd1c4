/**
 * Who is behind a process: the user at a terminal, a Claude client, or a call of a session. Only what the kernel says
 * counts, and what no process can take away from itself. Pure: what /proc says comes in as data.
 */

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
