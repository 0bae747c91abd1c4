import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { MAX_HOOK_BODY_BYTES } from '../../shared/limits.ts';
import { bearerToken, sameSecret } from '../auth/secret.ts';
import { isHookEvent, readHookHeaders } from '../hooks/world/answer.ts';
import type { AppDeps } from './deps.ts';

/**
 * The short way for what every tool call waits for: an event of a hook, a launcher's claim. Gives true when it has taken
 * the request. It takes only one that is beyond doubt, so that there is nothing to refuse here: our name, once; the hook
 * credential, once; a body of known length within the limit; nothing that a browser sends. Whatever else comes, all that
 * has to be refused included, is left to the app with its guards.
 */
export function hookListener(
  deps: Pick<AppDeps, 'port' | 'hook' | 'proof' | 'touch' | 'hookEvent' | 'claim' | 'report' | 'peers'>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const event = eventOf(request);
    if (event === null || !isBeyondDoubt(request, deps)) return false;
    deps.touch();
    void answer(deps, event, request, response).catch((error: unknown) => {
      deps.report(error);
      // The hook's script finds no proof, and takes the Node path.
      response.destroy();
    });
    return true;
  };
}

/** A hook event's name, or empty for a claim; null = the request is for neither. */
function eventOf({ method, url }: IncomingMessage): string | null {
  if (method !== 'POST' || url === undefined) return null;
  if (url === '/claim') return '';
  const name = url.startsWith('/hook/') ? url.slice(6) : '';
  return isHookEvent(name) ? name : null;
}

function isBeyondDoubt(request: IncomingMessage, deps: Pick<AppDeps, 'port' | 'hook'>): boolean {
  // `headers` has joined or dropped what came twice.
  const known = new Map<string, string>();
  const { rawHeaders } = request;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    if (known.has(name) || NOT_OURS.has(name)) return false;
    known.set(name, rawHeaders[i + 1] ?? '');
  }
  const host = known.get('host');
  const token = bearerToken(known.get('authorization'));
  const length = known.get('content-length') ?? '';
  return (
    (host === `127.0.0.1:${deps.port()}` || host === `localhost:${deps.port()}`) &&
    /^\d{1,10}$/.test(length) &&
    Number(length) <= MAX_HOOK_BODY_BYTES &&
    token !== null &&
    sameSecret(token, deps.hook)
  );
}

/** Every browser sends one of the first two; the others make a body of unknown length, or something else of the connection. */
const NOT_OURS: ReadonlySet<string> = new Set(['origin', 'sec-fetch-site', 'transfer-encoding', 'upgrade']);

/**
 * Answers `Expect: 100-continue`. The scripts send what they have to say only to whoever shows the proof first: after the
 * server was killed its port may be anybody's. Who has no credential of hooks gets an ordinary answer, without it.
 */
export function proveFirst(
  deps: Pick<AppDeps, 'port' | 'hook' | 'proof'>,
  listener: RequestListener,
): RequestListener {
  return (request, response) => {
    const isOurs = /^\/(hook\/|claim$)/.test(request.url ?? '') && isBeyondDoubt(request, deps);
    if (isOurs) request.socket.write(`HTTP/1.1 100 Continue\r\nProof: ${deps.proof}\r\n\r\n`);
    else response.writeContinue();
    listener(request, response);
  };
}

async function answer(
  deps: Pick<AppDeps, 'proof' | 'hookEvent' | 'claim' | 'peers'>,
  event: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  // Not `for await`: it costs more than the rest of this.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', resolve);
    request.once('error', reject);
  });
  const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  const text = Buffer.from(`${deps.proof}\n${await said(deps, event, request, body)}`);
  // Only what the scripts look at: bash pays some system calls for each byte that it reads with a time limit, and no
  // browser ever gets an answer from here.
  response.sendDate = false;
  response.writeHead(200, { 'Content-Length': text.length });
  response.end(text);
}

async function said(
  deps: Pick<AppDeps, 'hookEvent' | 'claim' | 'peers'>,
  event: string,
  request: IncomingMessage,
  body: Buffer,
): Promise<string> {
  if (event === '') return await deps.claim(body);
  const header = (name: string): string | undefined => {
    const value = request.headers[`x-trai-${name}`];
    return typeof value === 'string' ? value : undefined;
  };
  const headers = readHookHeaders(header, () => deps.peers.caller(request.socket));
  const { exit, stream, text } = await deps.hookEvent(event, body, headers);
  return `${exit}\n${stream}\n${text}`;
}
