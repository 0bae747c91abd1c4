import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { isClientRunning } from '../core/sandbox/client-door.ts';
import { ensureStateDir } from '../core/session/dirs.ts';
import { permitText, takeGrant } from '../core/session/grants.ts';
import { endLeftQuestions } from '../core/session/questions.ts';
import { removeServerFile, writeServerFile } from '../core/session/server-file.ts';
import { VERSION } from '../core/session/version.ts';
import { InsideDoors } from './auth/inside-doors.ts';
import { Peers } from './auth/peers/peers.ts';
import { keepRoom } from './auth/peers/sockets.ts';
import { newSecret } from './auth/secret.ts';
import { BrowserCredentials, FailureLimit, OneTimeCodes, Pairings } from './auth/sign-in.ts';
import { readLastPort, writeLastPort } from './discovery/server-lock.ts';
import { EventHub } from './events/hub.ts';
import { answerClaim } from './hooks/claim/claim.ts';
import { answerHook } from './hooks/events/dispatch.ts';
import { waitFor } from './hooks/world/within.ts';
import { contextOrNull, HookWorld } from './hooks/world/world.ts';
import { createApp } from './http/app.ts';
import type { AppDeps } from './http/deps.ts';
import { type HookDeps, hookListener, proveFirst } from './http/hook-routes.ts';
import { readStaticFiles } from './http/static-files.ts';
import { BoxNetworks, type HookListeners } from './network/box-networks.ts';
import { Desk } from './questions/desk.ts';
import { prepareDecisions } from './rules/audit.ts';
import { SessionManager } from './sessions/index/manager.ts';
import { createBackend } from './sessions/jobs/backend.ts';
import { Clients } from './sessions/jobs/clients.ts';
import { residentOf } from './sessions/jobs/resident.ts';
import { pageWith, SettingsStore } from './settings/store.ts';
import type { JobRunner } from './worker/runner.ts';

export interface ServerOptions {
  stateDir: string;
  env: NodeJS.ProcessEnv;
  /** 0 = chosen by the kernel. */
  port: number;
  webRoot: string;
  programs: readonly string[];
  runner: JobRunner;
  report: (thrown: unknown) => void;
  /** A newer version asked this one to exit. */
  onDrain: () => void;
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Cuts off a client that sends its headers a byte a second (ms). */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** A commit is finished, not cut off (ms). */
const STOP_MS = 10 * 60_000;

/** Listens on 127.0.0.1 and writes server.json. The caller holds the server lock of the state directory. */
export async function startServer(options: ServerOptions) {
  const { stateDir, env, runner, programs, report } = options;
  ensureStateDir(stateDir);
  const hub = new EventHub();
  const settings = new SettingsStore(stateDir);
  const browsers = new BrowserCredentials();
  let port = 0;
  let lastUse = Date.now();
  const context = async (session: string) => await contextOrNull(stateDir, session, env);
  const parts = { stateDir, env, hub, runner, context, report };
  const manager = new SessionManager(parts);
  const [hook, proof] = [newSecret(), newSecret()];
  const inside = new InsideDoors(stateDir, () => ({ pid: process.pid, port, version: VERSION }));
  const desk = new Desk({ stateDir, env, programs, hub, report });
  const openDoor = (id: string) => inside.open(id);
  const resident = { ...residentOf(manager, runner, report), openDoor, questions: desk };
  const world = new HookWorld({ stateDir, env, programs, server: resident });
  const clients = new Clients({
    stateDir,
    world,
    manager,
    port: () => port,
    openNetwork: async (session, stop) => await networks.begin(session, stop),
    report,
  });
  const deps: AppDeps = {
    port: () => port,
    inside,
    version: VERSION,
    hook,
    proof,
    browsers,
    codes: new OneTimeCodes(browsers),
    pairings: new Pairings(browsers),
    failures: new FailureLimit(),
    peers: new Peers(stateDir),
    hub,
    backend: createBackend({ ...parts, manager, settings, desk }),
    hookEvent: async (event, body, headers) => await answerHook(world, event, body, headers, report),
    claim: async (body, inside) => await answerClaim(world, body, report, inside),
    usePermit: async (id, name, what) => {
      const session = await world.session(id);
      if (session === null) return false;
      const typed = what ?? (await permitText(session.dir, name));
      const isOfIt = typed !== null && (typed === name || typed.startsWith(`${name} `));
      return isOfIt && (await takeGrant(session.dir, 'permit', typed));
    },
    openNetwork: async (session, pid) => await networks.open(session, pid),
    client: clients,
    answer: async (given, typed) => await desk.answerTyped(given, typed),
    expectTab: (session) => {
      void manager.prepare(session);
      prepareDecisions(() => manager.all()).catch(report);
    },
    drain: options.onDrain,
    touch: () => {
      lastUse = Date.now();
    },
    web: readStaticFiles(options.webRoot),
    page: (body) => pageWith(new TextDecoder().decode(body), settings.read().settings),
    report,
  };
  const networks: BoxNetworks = new BoxNetworks({
    stateDir,
    env,
    port: () => port,
    hooks: (session) => boxListeners(deps, session),
    askHost: async (question) => {
      const session = await world.session(question.session);
      return session === null ? 'not-asked' : await desk.askHost(session, question);
    },
    call: async (session) => await manager.get(session).runningCall(),
    report,
  });
  const app = createApp(deps);
  await manager.start();
  for (const { dir } of manager.all()) endLeftQuestions(dir);
  const listener = listenerOf(app, deps);
  const http = await listenAsBefore(listener, options.port, stateDir);
  http.on('checkContinue', proveFirst(deps, listener));
  port = portOf(http);
  await writeLastPort(stateDir, port);
  const running = manager.all().filter(({ dir }) => isClientRunning(dir));
  // First: the clients in boxes find the server at its port there.
  await Promise.all(running.map(({ id }) => networks.resume(id)));
  for (const { id } of running) {
    try {
      inside.open(id);
    } catch (error) {
      // What runs in one session can spoil its door, and no other one.
      report(error);
    }
    clients.serve(id);
  }
  writeServerFile(stateDir, { v: 1, pid: process.pid, port, version: VERSION, hook, proof });
  return {
    port,
    /** For tests; hook scripts read it from server.json. */
    hook,
    proof,
    deps,
    app,
    http,
    manager,
    desk,
    networks,
    // A client in a session cannot start a server.
    isBusy: () => hub.listeners > 0 || desk.waiting > 0 || manager.busy || runner.running > 0 || inside.inUse,
    /** Ms since 1970. */
    lastUse: () => lastUse,
    /** Emits `bye`, waits for running jobs, closes. */
    stop: async (why: string) => {
      // First: hooks then take the Node path, or find the successor's.
      removeServerFile(stateDir, process.pid);
      networks.close();
      await clients.close();
      desk.close();
      hub.emit({ type: 'bye', why });
      hub.closeAll();
      http.close();
      await waitFor(() => runner.running === 0, STOP_MS);
      await manager.close();
      await runner.close();
      http.closeAllConnections();
    },
  };
}

/** Hooks and launchers wait at every call: they take the fast path. */
function listenerOf(app: ReturnType<typeof createApp>, deps: AppDeps): RequestListener {
  const hooks = hookListener(deps);
  const others = getRequestListener(app.fetch, { hostname: '127.0.0.1' });
  return (request, response) => {
    if (!hooks(request, response)) void others(request, response);
  };
}

/** Of a server that listens in a box: events and claims of the client in it, with the credential of that session only. */
function boxListeners(deps: AppDeps, session: string): HookListeners {
  const own: HookDeps = {
    ...deps,
    // That of server.json is not good there.
    hook: newSecret(),
    inside: {
      find: (token) => {
        const door = deps.inside.find(token);
        return door?.session === session ? door : null;
      },
    },
  };
  const hooks = hookListener(own);
  const request: RequestListener = (asked, response) => {
    if (!hooks(asked, response)) response.writeHead(403, { Connection: 'close' }).end();
  };
  return { request, checkContinue: proveFirst(own, request) };
}

async function listenAsBefore(listener: RequestListener, port: number, stateDir: string): Promise<Server> {
  const before = port === 0 ? readLastPort(stateDir) : 0;
  if (before === 0) return await listen(listener, port);
  return await listen(listener, before).catch(() => listen(listener, 0));
}

async function listen(listener: RequestListener, port: number): Promise<Server> {
  const server = createServer(listener);
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  keepRoom(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Never by name: `localhost` may be ::1, and without a host Node listens on every interface.
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
  return server;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return address.port;
}
