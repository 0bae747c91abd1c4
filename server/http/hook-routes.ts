import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Hono } from 'hono';
import type { Caller } from '../../core/kernel/proc/caller.ts';
import { isSessionId } from '../../core/session/dirs.ts';
import { INPUTS } from '../../shared/api/inputs.ts';
import { TraiError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-lines.ts';
import { MAX_HOOK_BODY_BYTES } from '../../shared/limits.ts';
import { asksItself } from '../auth/peers/peers.ts';
import { bearerToken, sameSecret } from '../auth/secret.ts';
import { type HookEvent, isHookEvent, readHookHeaders } from '../hooks/world/answer.ts';
import { refusal } from '../messages/refusals.ts';
import type { AppDeps, HttpEnv } from './deps.ts';
import { ownHosts } from './guards.ts';

/**
 * Routes for scripts and the command line that no call waits for, with the credential of server.json. A
 * process that reads the state directory has that credential, so nothing here reads or changes a session's
 * files, and what only the user may have (a code for the dashboard, a confirmed number, a permit) depends on
 * the process at the other end.
 */
export function hookRoutes(deps: AppDeps) {
  const app = new Hono<HttpEnv>();
  app.post('/ui-code', async (c) => {
    deps.touch();
    const { caller, keys } = deps.peers.program(c.env.incoming.socket);
    const body = await jsonObject(c.req.raw);
    await wantUser(deps, caller, { session: body['session'], name: 'ui', what: null });
    deps.peers.noteOpener(keys);
    if (typeof body['session'] === 'string') deps.expectTab(body['session']);
    return c.json({ proof: deps.proof, ...deps.codes.make() });
  });
  app.post('/pair', async (c) => {
    deps.touch();
    const body = await jsonObject(c.req.raw);
    const number = body['number'];
    if (typeof number !== 'string' || !/^\d{6}$/.test(number)) {
      throw new TraiError('bad-input', 'expected a number of six digits');
    }
    const { caller } = deps.peers.program(c.env.incoming.socket);
    await wantUser(deps, caller, { session: body['session'], name: 'ui', what: `ui ${number}` });
    deps.pairings.confirm(number);
    return c.json({ proof: deps.proof });
  });
  // `trai answer`. The questions are files of the state directory, which the user's own process can read.
  app.post('/answer', async (c) => {
    deps.touch();
    const { session, what, ...given } = await jsonObject(c.req.raw);
    const input = INPUTS.answerQuestion.safeParse(given);
    if (!input.success) throw new TraiError('bad-input', 'expected an answer to a question');
    const { caller } = deps.peers.program(c.env.incoming.socket);
    const typed = caller.kind === 'user' ? null : String(what);
    // Not of a call: the permit is for one answer, and a call could give another one first.
    if (caller.kind === 'call') throw refusal('not-the-user-answers', { who: caller.found });
    await wantUser(deps, caller, { session, name: 'answer', what: typed }, 'not-the-user-answers');
    return c.json({ proof: deps.proof, ...(await deps.answer(input.data, typed)) });
  });
  // `trai box --net list`, before anything runs in the box.
  app.post('/box-network', async (c) => {
    deps.touch();
    const { session, pid } = await jsonObject(c.req.raw);
    if (
      typeof session !== 'string' ||
      !isSessionId(session) ||
      typeof pid !== 'number' ||
      !Number.isSafeInteger(pid)
    )
      throw new TraiError('bad-input', 'expected a session and a process');
    expectTerminal(deps, c.env.incoming.socket);
    await deps.openNetwork(session, pid);
    return c.json({ proof: deps.proof });
  });
  // Of a client that Node has made, and that `bin/trai` is about to start; null: whether one would be served.
  app.post('/client-made', async (c) => {
    deps.touch();
    const { session } = await jsonObject(c.req.raw);
    if (session !== null && (typeof session !== 'string' || !isSessionId(session)))
      throw new TraiError('bad-input', 'expected a session');
    expectTerminal(deps, c.env.incoming.socket);
    if (session !== null) deps.client.serve(session);
    return c.json({ proof: deps.proof });
  });
  // Identifies the server of server.json; does not restart the idle clock.
  app.post('/hello', (c) => c.text(`${deps.proof}\n0\nout\n`));
  app.post('/drain', (c) => {
    deps.drain();
    return c.text(`${deps.proof}\n0\nout\n`);
  });
  return app;
}

/** No permit is one: what a call starts is no terminal of the user's. */
function expectTerminal(deps: AppDeps, socket: Socket): void {
  const { caller } = deps.peers.program(socket);
  if (caller.kind !== 'user') throw refusal('not-the-user-boxes', { who: caller.found });
}

interface WantedPermit {
  session: unknown;
  /** Of the command. */
  name: string;
  /** Its exact text; null = the last one. */
  what: string | null;
}

/** A terminal of the user's; or a permit. */
async function wantUser(
  deps: AppDeps,
  caller: Caller,
  { session, name, what }: WantedPermit,
  otherwise: 'not-the-user' | 'not-the-user-answers' = 'not-the-user',
): Promise<void> {
  if (caller.kind === 'user') return;
  const isBelow = caller.kind === 'client' || caller.kind === 'call';
  if (isBelow && typeof session === 'string' && (await deps.usePermit(session, name, what))) return;
  throw refusal(otherwise, { who: caller.found });
}

async function jsonObject(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TraiError('bad-input', 'expected JSON');
  }
  if (!isObject(value)) throw new TraiError('bad-input', 'expected a JSON object');
  return value;
}

export type HookDeps = Pick<
  AppDeps,
  'port' | 'hook' | 'proof' | 'touch' | 'hookEvent' | 'claim' | 'client' | 'report' | 'peers'
> & { inside: Pick<AppDeps['inside'], 'find'> };

/** Of `bin/trai`: before it would start Node, and after Claude Code has ended. */
const CLIENT_STEPS = { 'client-start': 'start', 'client-end': 'end' } as const;
type ClientStep = keyof typeof CLIENT_STEPS;
const isClientStep = (name: string): name is ClientStep => Object.hasOwn(CLIENT_STEPS, name);

type Asked = HookEvent | ClientStep | 'claim';

/**
 * Hook events and claims, for which every tool call waits, and what `bin/trai` waits for. True = handled. It
 * takes only requests that no guard would refuse: our name, once; the hook credential, once; a body of known
 * length within the limit; nothing that a browser sends. All others go to the app, which refuses them: it has no such routes.
 */
export function hookListener(
  deps: HookDeps,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const event = eventOf(request);
    const asker = event === null ? null : askerOf(request, deps);
    if (event === null || asker === null) return false;
    // Not for what runs in a session.
    if (isClientStep(event) && asker.session !== null) return false;
    deps.touch();
    void answer({ ...deps, ...asker }, event, request, response).catch((error: unknown) => {
      // Nobody waits where the request itself was cut off.
      if (error !== request.errored) deps.report(error);
      response.destroy();
    });
    return true;
  };
}

function eventOf({ method, url = '' }: IncomingMessage): Asked | null {
  if (method !== 'POST') return null;
  const name = url.startsWith('/hook/') ? url.slice('/hook/'.length) : '';
  return url === '/claim' ? 'claim' : isHookEvent(name) || isClientStep(name) ? name : null;
}

interface Asker {
  proof: string;
  /** The session in which the asking client runs; null: a script or launcher outside of sessions. */
  session: string | null;
}

/** Null unless the request is beyond doubt. */
function askerOf(request: IncomingMessage, deps: HookDeps): Asker | null {
  // `headers` has joined or dropped repeated ones.
  const known = new Map<string, string>();
  const { rawHeaders } = request;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    if (known.has(name) || NOT_OURS.has(name)) return null;
    known.set(name, rawHeaders[i + 1] ?? '');
  }
  const token = bearerToken(known.get('authorization'));
  const length = known.get('content-length') ?? '';
  const isOurs =
    ownHosts(deps.port()).includes(known.get('host') ?? '') &&
    /^\d{1,10}$/.test(length) &&
    Number(length) <= MAX_HOOK_BODY_BYTES;
  if (!isOurs || token === null) return null;
  return sameSecret(token, deps.hook) ? { proof: deps.proof, session: null } : deps.inside.find(token);
}

/** A browser sends one of the first two; the others mean a body of unknown length, or another protocol. */
const NOT_OURS: ReadonlySet<string> = new Set(['origin', 'sec-fetch-site', 'transfer-encoding', 'upgrade']);

/** `Expect: 100-continue`: scripts send the body after the proof; a killed server's port may be anybody's. */
export function proveFirst(deps: HookDeps, listener: RequestListener): RequestListener {
  return (request, response) => {
    const asker = /^\/(hook\/|claim$)/.test(request.url ?? '') ? askerOf(request, deps) : null;
    if (asker !== null) request.socket.write(`HTTP/1.1 100 Continue\r\nProof: ${asker.proof}\r\n\r\n`);
    else response.writeContinue();
    listener(request, response);
  };
}

async function answer(
  deps: HookDeps & Asker,
  event: Asked,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  const inTwoSteps = request.headers.expect !== undefined;
  let missing = Number(request.headers['content-length']);
  // Not `for await`, which costs more than all the rest.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      missing -= chunk.length;
      // bash writes what follows the last line feed apart. The kernel holds that piece back until the first is
      // acknowledged (Nagle's algorithm): with an answer at once, without one after 40 ms (delayed acknowledgement).
      if (inTwoSteps && missing > 0) response.writeProcessing();
    });
    request.once('end', resolve);
    request.once('error', reject);
  });
  const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  const said = isClientStep(event)
    ? await saidToClient(deps, event, response, body)
    : await saidTo(deps, event, { request, response }, body);
  const text = Buffer.from(said ?? 'no\n');
  // Only what the scripts read, and in one write: of an answer that has begun bash awaits the end without a time limit.
  response.sendDate = false;
  response.writeHead(said === null ? 409 : 200, { 'Content-Length': text.length });
  response.end(text);
}

async function saidTo(
  deps: HookDeps & Asker,
  event: HookEvent | 'claim',
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  body: Buffer,
): Promise<string> {
  const { session, peers } = deps;
  const outside = (pid: number) => peers.numberOutside(request.socket, pid);
  if (event === 'claim')
    return `${deps.proof}\n${await deps.claim(body, session === null ? null : { session, outside })}`;
  const header = (name: string): string | undefined => {
    const value = request.headers[`x-trai-${name}`];
    return typeof value === 'string' ? value : undefined;
  };
  const headers = {
    ...readHookHeaders(header, () => peers.program(request.socket).caller),
    inside: session,
    isClientOf: (launcher: number) => peers.isClientOf(request.socket, launcher),
    outside,
    whenGone: (told: () => void) => void response.once('close', told),
  };
  const { exit, stream, text } = await deps.hookEvent(event, body, headers);
  return `${deps.proof}\n${exit}\n${stream}\n${text}`;
}

/** Asked with a pid, the name that this process has given itself, and words, each with a NUL behind it. Null = not done. */
async function saidToClient(
  { client, proof }: HookDeps & Asker,
  event: ClientStep,
  response: ServerResponse,
  body: Buffer,
): Promise<string | null> {
  const [pid = '', name = '', ...words] = body.toString('latin1').split('\0').slice(0, -1);
  const isIt = /^[1-9]\d{0,9}$/.test(pid) && /^trai-\d{1,10}$/.test(name) && asksItself(Number(pid), name);
  if (!isIt) return null;
  const said = await client[CLIENT_STEPS[event]]({
    pid: Number(pid),
    words,
    hasLeft: () => response.destroyed,
  });
  return said === null ? null : `${proof}\n${said}`;
}
