/**
 * The networks of boxes with `--net list`. In the network namespace of each the server listens twice: as the proxy of the
 * box (PROXY_PORT), and at its own port for the hooks and calls of the client in it, which find no other way out.
 *
 *     open      `trai box` has made the namespace, and nothing runs in it yet
 *     begin     the same, where no Node waits for that namespace
 *     resume    the server has started, and the box has been running
 *     end       the first process of the box is gone. Without the server nothing in the box reaches anything
 *
 * inside-listener.ts gets the sockets, proxy.ts has the connections, gate.ts says where they may lead, and host-questions.ts
 * asks the user.
 */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { endUnopened, firstProcess, holdGate } from '../../core/box/gate.ts';
import { runFiles } from '../../core/box/instance.ts';
import { currentRules } from '../../core/box/network/network-config.ts';
import { NetworkLog } from '../../core/box/network/network-log.ts';
import { PROXY_PORT, readNetworkRecord, writeNetworkRecord } from '../../core/box/network/network-record.ts';
import { processLink, processProgram, processStat } from '../../core/kernel/proc/proc.ts';
import { knownBoxRecord } from '../../core/sandbox/box-record.ts';
import { isClientRunning, readClientRecord } from '../../core/sandbox/client-door.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { messageOf } from '../../shared/errors.ts';
import { parseAddress } from '../../shared/network/address.ts';
import type { Machine } from '../../shared/network/pattern.ts';
import { acceptedIn, keepRoom, uidOf } from '../auth/peers/sockets.ts';
import { refusal } from '../messages/refusals.ts';
import { Gate } from './gate.ts';
import { type AskHost, HostQuestions } from './host-questions.ts';
import { type Inner, listenInside } from './inside-listener.ts';
import { BoxProxy, MOST_CONNECTIONS } from './proxy.ts';

export interface NetworkParts {
  stateDir: string;
  env: NodeJS.ProcessEnv;
  port: () => number;
  /** For the hooks of a client in this session. */
  hooks: (session: string) => HookListeners;
  askHost: AskHost;
  /** The call of the session that runs, the newest of several. */
  call: (session: string) => Promise<string | null>;
  report: (thrown: unknown) => void;
}

export interface HookListeners {
  request: RequestListener;
  checkContinue: RequestListener;
}

interface Network extends Inner {
  servers: Server[];
  proxy: BoxProxy;
  log: NetworkLog;
}

/** How often it is looked whether a box has ended: a listening socket keeps its namespace (ms). */
const LOOK_MS = 1_000;
const MOST_LEVELS = 32;

export class BoxNetworks {
  readonly #parts: NetworkParts;
  readonly #open = new Map<string, Network>();
  #look: NodeJS.Timeout | null = null;
  #closed = false;
  /** One after the other: a second request for a box finds what the first one made. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Errors: `forbidden` unless it is the first process of a box of that session; `io`. */
  async open(session: string, pid: number): Promise<void> {
    const dir = sessionDir(this.#parts.stateDir, session);
    const start = processStat(pid)?.start;
    if (start === undefined || !isBoxOf(dir, pid)) throw refusal('not-a-box', { pid });
    writeNetworkRecord(dir, { v: 1, pid, start, allow: [], deny: [] });
    try {
      await this.#listen(session, { pid, start });
    } catch (error) {
      writeNetworkRecord(dir, null);
      throw refusal('no-box-network', { why: messageOf(error) }, { cause: error });
    }
  }

  /**
   * Of a box that `bin/trai` is starting: once its first process is there, opens its network, and lets it begin. Nothing where no box
   * waits for that. Errors: `not-entered` where it cannot be opened; then the box is ended, and nothing has run in it.
   */
  async begin(session: string, stop: AbortSignal): Promise<void> {
    const dir = sessionDir(this.#parts.stateDir, session);
    const [client, box] = [readClientRecord(dir), knownBoxRecord(dir)];
    if (client === null || box?.net !== 'list') return;
    const { status } = runFiles(box.instance, session, client.pid);
    const gate = holdGate(status);
    if (gate === null) return;
    try {
      const pid = await firstProcess(status, () => stop.aborted || !isClientRunning(dir));
      const start = pid === null ? undefined : processStat(pid)?.start;
      if (pid === null || start === undefined) return;
      try {
        await this.open(session, pid);
      } catch (error) {
        throw endUnopened(pid, start, error);
      }
      gate.open();
    } finally {
      gate.close();
    }
  }

  /** Of a box that has been running. Never throws: without it the network of that box stays closed. */
  async resume(session: string): Promise<void> {
    const dir = sessionDir(this.#parts.stateDir, session);
    const record = readNetworkRecord(dir);
    if (record === null || !isBoxOf(dir, record.pid)) return;
    await this.#listen(session, record).catch(this.#parts.report);
  }

  #listen(session: string, inner: Inner): Promise<void> {
    const done = this.#last.then(() => this.#listenNow(session, inner));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #listenNow(session: string, { pid, start }: Inner): Promise<void> {
    const before = this.#open.get(session);
    if (before?.pid === pid && before.start === start) return;
    this.#end(session);
    const dir = sessionDir(this.#parts.stateDir, session);
    const [atProxy, atHooks] = await listenInside({ pid, start }, [PROXY_PORT, this.#parts.port()]);
    const log = new NetworkLog(dir);
    const questions = new HostQuestions(session, { pid, start }, this.#parts.askHost);
    const gate = new Gate({
      rules: () => currentRules(this.#parts.env, readNetworkRecord(dir)),
      machine: () => this.#machine(),
      ask: (target, signal) => questions.ask(target, signal),
    });
    const proxy = new BoxProxy({ gate, log, call: () => this.#parts.call(session) });
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) =>
      proxy.accept(client),
    );
    server.maxConnections = MOST_CONNECTIONS;
    server.listen(atProxy);
    const hooks = this.#hookServer(session, pid).listen(atHooks);
    const network = { pid, start, servers: [server, hooks], proxy, log };
    // As of accept(2), when there are no descriptors left.
    for (const one of network.servers) one.on('error', this.#parts.report);
    if (this.#closed) return close(network);
    this.#open.set(session, network);
    this.#look ??= setInterval(() => this.#lookAtAll(), LOOK_MS).unref();
  }

  #hookServer(session: string, pid: number): Server {
    const { request, checkContinue } = this.#parts.hooks(session);
    const server = createHttpServer({ keepAlive: true }, request);
    server.on('checkContinue', checkContinue);
    server.prependListener('connection', (socket: Socket) => acceptedIn(socket, pid));
    keepRoom(server);
    return server;
  }

  #machine(): Machine {
    const interfaces = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
    const addresses = interfaces.flatMap(({ address }) => parseAddress(address.replace(/%.*/, '')) ?? []);
    return { addresses, serverPort: this.#parts.port() };
  }

  #lookAtAll(): void {
    for (const [session, { pid, start }] of this.#open) {
      if (processStat(pid)?.start === start) continue;
      this.#end(session);
      writeNetworkRecord(sessionDir(this.#parts.stateDir, session), null);
    }
  }

  #end(session: string): void {
    const network = this.#open.get(session);
    if (network === undefined) return;
    this.#open.delete(session);
    close(network);
    if (this.#open.size > 0 || this.#look === null) return;
    clearInterval(this.#look);
    this.#look = null;
  }

  close(): void {
    this.#closed = true;
    for (const session of [...this.#open.keys()]) this.#end(session);
  }
}

function close({ servers, proxy, log }: Network): void {
  for (const server of servers) server.close();
  proxy.close();
  log.write();
}

/**
 * Whether a process is the first one in the box that the running client of the session is: of this user, made by bwrap in
 * other namespaces than ours, below the `trai box` that the session's client record names.
 */
function isBoxOf(dir: string, pid: number): boolean {
  const client = readClientRecord(dir);
  if (client === null || !isClientRunning(dir) || knownBoxRecord(dir)?.net !== 'list') return false;
  const parent = processStat(pid)?.parent ?? 0;
  const isBoxed =
    uidOf(pid) === process.getuid?.() &&
    ['net', 'pid', 'user'].every((name) => isElsewhere(pid, name)) &&
    !isElsewhere(parent, 'net') &&
    (processProgram(parent) ?? '').endsWith('/bwrap');
  if (!isBoxed) return false;
  let above = parent;
  for (let level = 0; level < MOST_LEVELS && above > 1; level++) {
    if (above === client.pid) return true;
    above = processStat(above)?.parent ?? 0;
  }
  return false;
}

/** True only for a namespace that is seen. */
function isElsewhere(pid: number, name: string): boolean {
  const link = processLink(pid, `ns/${name}`);
  return link !== null && link !== processLink('self', `ns/${name}`);
}
