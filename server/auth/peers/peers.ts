/**
 * The process at the other end of a connection. Whatever only the user may give or do is checked here: a
 * credential only shows that its sender could read a file, and a call may have read it.
 */
import type { Socket } from 'node:net';
import {
  type Caller,
  type ClientSigns,
  callerFrom,
  isHere,
  isOfTheUser,
  type Lineage,
  lineageOf,
  namespaceOf,
  registeredClients,
} from '../../../core/kernel/proc/caller.ts';
import {
  childrenOf,
  processLink,
  processProgram,
  processStat,
  processText,
} from '../../../core/kernel/proc/proc.ts';
import { refusal } from '../../messages/refusals.ts';
import { holdersOf, type PeerSocket, peerSockets, uidOf } from './sockets.ts';

const MOST_OPENERS = 32;

export class Peers {
  readonly #stateDir: string;
  /** `PID.START` of programs to which a code went: the browser that they start is the user's. */
  #openers: string[] = [];
  /** Connections that have been checked. */
  readonly #known = new WeakSet<Socket>();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** Several processes may hold the socket: the least trusted one counts. `keys` are for `noteOpener`. */
  program(socket: Socket): { caller: Caller; keys: readonly string[] } {
    const peer = peerSockets([socket]).get(socket);
    if (peer === undefined) return { caller: UNSEEN, keys: [] };
    if (peer.uid !== process.getuid?.()) {
      const found = `a process of another user (uid ${peer.uid})`;
      return { caller: { kind: 'elsewhere', found }, keys: [] };
    }
    const { pids } = holdersOf(peer);
    const clients = registeredClients(this.#stateDir);
    const lineages = pids.map((pid) => lineageOf(pid, clients));
    const keys = lineages.flatMap(({ chain }) => chain.slice(0, 1)).map(keyOf);
    if (isServer(pids)) return { caller: { kind: 'user', found: 'the server itself' }, keys };
    const callers = lineages.map((lineage) => callerFrom(lineage, clients));
    const caller =
      callers.find((one) => !isOfTheUser(one)) ??
      callers.find(({ kind }) => kind === 'client') ??
      callers[0] ??
      UNSEEN;
    return { caller, keys };
  }

  /**
   * True if all that hold the socket run in the user (as root: mount) namespace of the one process that this
   * launcher has become: the client of `trai claude`, or of `trai box`, whose calls run in namespaces below it.
   */
  isClientOf(socket: Socket, launcher: number): boolean {
    const peer = peerSockets([socket]).get(socket);
    const client = clientOf(launcher);
    if (peer === undefined || peer.uid !== process.getuid?.() || client === null) return false;
    const own = namespaceOf(client);
    const { pids } = holdersOf(peer);
    if (own === null || own === namespaceOf('self') || pids.length === 0) return false;
    return pids.every((pid) => namespaceOf(pid) === own);
  }

  /**
   * The number here of the process that the sender, or one of its ancestors in the same table of processes, knows
   * itself by as `inner`. Null = not found.
   */
  numberOutside(socket: Socket, inner: number): number | null {
    const peer = peerSockets([socket]).get(socket);
    if (peer === undefined || peer.uid !== process.getuid?.()) return null;
    const [first] = holdersOf(peer).pids;
    const table = first === undefined ? null : processLink(first, 'ns/pid');
    for (let pid = first; pid !== undefined && pid > 1; pid = processStat(pid)?.parent) {
      if (table === null || processLink(pid, 'ns/pid') !== table) return null;
      if (numberInside(pid) === inner) return pid;
    }
    return null;
  }

  /** A code went to that program, which may start a browser now. */
  noteOpener(keys: readonly string[]): void {
    this.#openers = [...this.#openers, ...keys].slice(-MOST_OPENERS);
  }

  /**
   * Admits a browser. It may have its own namespaces (Flatpak), or be a tunnel whose process is not readable
   * (sshd). Whatever comes from a session, or may, is refused.
   * @throws TraiError `forbidden`
   */
  wantBrowser(socket: Socket): void {
    if (this.#known.has(socket)) return;
    const peer = peerSockets([socket]).get(socket);
    const why = peer === undefined ? UNSEEN.found : this.#whyNoBrowser(peer);
    if (why !== null) throw refusal('not-your-browser', { who: why });
    this.#known.add(socket);
  }

  #whyNoBrowser(peer: PeerSocket): string | null {
    const own = process.getuid?.() ?? -1;
    // A tunnel of the system (WSL, container): no process of a session is root's, unless trai runs as root.
    if (peer.uid === 0 && own !== 0) return null;
    if (peer.uid !== own) return `a process of another user (uid ${peer.uid})`;
    const { pids, hidden } = holdersOf(peer);
    if (isServer(pids)) return null;
    const clients = registeredClients(this.#stateDir);
    if (pids.length === 0) return whyNoTunnel(hidden, clients);
    for (const pid of pids) {
      const why = this.#whyNotTheUsers(pid, clients);
      if (why !== null) return why;
    }
    return null;
  }

  #whyNotTheUsers(pid: number, clients: readonly ClientSigns[]): string | null {
    const lineage = lineageOf(pid, clients);
    const { chain } = lineage;
    const caller = callerFrom({ ...lineage, isHere: true }, clients);
    // Whatever a user's command opened is below it until that ends.
    const isOpened = chain.some((one) => this.#openers.includes(keyOf(one)));
    if (caller.kind === 'call' && !isOpened) return caller.found;
    if (lineage.isHere) return null;
    // With its own namespaces: the process that created them must exist, and be outside of a session.
    const maker = chain.slice(1).find((one) => isHere(one.pid, clients));
    if (maker !== undefined && !chain.some((one) => hasOurMounts(one.pid))) return null;
    return `${caller.found}, in a namespace that is a session’s, or of which nobody can say whose it is`;
  }
}

/**
 * Whether that process of this user's is outside of sessions and of other roots, and asks itself: the kernel lets no
 * process name another one. One that repeats a name it has seen asks for what that name's owner asks for. (To find the
 * owner of a connection takes the kernel 14 ms where its table is large.)
 */
export function asksItself(pid: number, name: string): boolean {
  const same = ['ns/mnt', 'ns/user', 'ns/pid', 'root'];
  return (
    uidOf(pid) === process.getuid?.() &&
    processText(pid, 'comm') === `${name}\n` &&
    same.every((one) => processLink(pid, one) === (processLink('self', one) ?? ''))
  );
}

/** What the launcher has become; of a box (bwrap) the first process in it. Null unless it is one process. */
function clientOf(launcher: number): number | null {
  const [client, ...more] = childrenOf(launcher);
  if (client === undefined || more.length > 0) return null;
  if (!/(^|\/)bwrap$/.test(processProgram(client) ?? '')) return client;
  const [first, ...others] = childrenOf(client);
  return first === undefined || others.length > 0 ? null : first;
}

/** In the innermost table of processes that it is in. */
function numberInside(pid: number): number | null {
  const numbers = /^NSpid:\t(.*)$/m.exec(processText(pid, 'status') ?? '')?.[1];
  return numbers === undefined ? null : Number(numbers.split('\t').at(-1));
}

const UNSEEN: Caller = { kind: 'unknown', found: 'a process that could not be seen' };

/** Only tests connect from the server's own process. */
function isServer(pids: readonly number[]): boolean {
  return pids.length > 0 && pids.every((pid) => pid === process.pid);
}

function hasOurMounts(pid: number): boolean {
  return / - overlay trai:|^\d+ \d+ \S+ \S*\/mask /m.test(processText(pid, 'mountinfo') ?? '');
}

function keyOf({ pid, began }: Lineage['chain'][number]): string {
  return `${pid}.${began}`;
}

/** No hidden holder may be a session's, and one must have a parent of root's, as sshd's login process has. */
function whyNoTunnel(hidden: readonly number[], clients: readonly ClientSigns[]): string | null {
  let isTunnel = false;
  for (const pid of hidden) {
    const lineage = lineageOf(pid, clients);
    const caller = callerFrom({ ...lineage, isHere: true }, clients);
    if (!isOfTheUser(caller)) return `a process that could not be seen; it may be ${caller.found}`;
    const [, parent] = lineage.chain;
    isTunnel ||= parent !== undefined && uidOf(parent.pid) === 0;
  }
  return isTunnel ? null : UNSEEN.found;
}
