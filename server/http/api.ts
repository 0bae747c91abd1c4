/** The routes below /api: a route for each row of the contract table, files, sign-in, and events. */
import { zValidator } from '@hono/zod-validator';
import { type Context, Hono, type ValidationTargets } from 'hono';
import { streamSSE } from 'hono/streaming';
import * as z from 'zod';
import { API, API_NAMES, type ApiName, type BytesName, type Input } from '../../shared/api/contract.ts';
import { INPUTS } from '../../shared/api/inputs.ts';
import type { ServerEvent } from '../../shared/api/types.ts';
import { toDisplay } from '../../shared/bytes.ts';
import { ERROR_TABLE, TraiError } from '../../shared/errors.ts';
import { MAX_DOWNLOAD_BYTES, MAX_IMAGE_BYTES } from '../../shared/limits.ts';
import { rasterType, SNIFF_BYTES } from '../../shared/text/sniff.ts';
import { downloadName, type OpenContent, piecesOf } from '../content/contents.ts';
import { refusal } from '../messages/refusals.ts';
import type { AppDeps, HttpEnv, ServerBackend } from './deps.ts';
import { originRequired } from './guards.ts';

const NO_BODY = z.strictObject({});

export function apiRoutes({ backend }: Pick<AppDeps, 'backend'>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  for (const name of API_NAMES) {
    const { verb, path, about } = API[name];
    const target = verb === 'GET' ? 'query' : 'json';
    const schema = name in INPUTS ? INPUTS[name as keyof typeof INPUTS] : verb === 'POST' ? NO_BODY : null;
    const handler = async (c: Context<HttpEnv>): Promise<Response> => {
      const id = about === 'session' ? [c.req.param('id')] : [];
      const input = schema === null || schema === NO_BODY ? [] : [c.req.valid(target as never)];
      if (isBytes(name)) return await answerContent(c, name, backend, [...id, ...input] as never);
      // `Handlers` types both, and the schema's type is that of the table.
      const work = backend[name] as (...args: unknown[]) => Promise<unknown>;
      return c.json((await work(...id, ...input)) as object);
    };
    if (schema === null) app.on(verb, path, handler);
    else app.on(verb, path, valid(target, schema), handler);
  }
  return app;
}

function isBytes(name: ApiName): name is BytesName {
  return API[name].bytes === true;
}

/** zod-validator with our error form: the field and what was expected, never the value that was sent. */
function valid<T extends z.ZodType, Target extends keyof ValidationTargets>(target: Target, schema: T) {
  return zValidator(target, schema, (result) => {
    if (result.success) return;
    const [issue] = result.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? 'the request' : issue.path.join('.');
    throw new TraiError('bad-input', `${where}: ${issue?.code ?? 'invalid'}`);
  });
}

const secret = z.string().min(1).max(200);

export function signInRoutes(deps: AppDeps) {
  return new Hono<HttpEnv>()
    .post('/exchange', originRequired, valid('json', z.strictObject({ code: secret })), async (c) => {
      try {
        return c.json({ token: deps.codes.exchange(c.req.valid('json').code) });
      } catch (error) {
        if (error instanceof TraiError && ERROR_TABLE[error.code].http === 401) await deps.failures.hold();
        throw error;
      }
    })
    .post('/pair', originRequired, valid('json', NO_BODY), (c) => c.json(deps.pairings.open()))
    .post('/pair/poll', originRequired, valid('json', z.strictObject({ id: secret })), (c) => {
      const token = deps.pairings.poll(c.req.valid('json').id);
      return c.json(token === null ? { state: 'waiting' as const } : { state: 'paired' as const, token });
    });
}

/** A comment this often (ms) keeps the connection alive and detects that the tab is gone. */
const HEARTBEAT_MS = 20_000;

const SIGNED_OUT: ServerEvent = { type: 'signed-out' };

/** `hello` has no id, so that a replay never goes backwards. */
export function eventsRoute(deps: AppDeps) {
  return new Hono<HttpEnv>().get('/events', (c) => {
    const subscription = deps.hub.subscribe(lastEventId(c.req.header('last-event-id')));
    if (subscription === null) throw refusal('many-tabs');
    deps.touch();
    let isGone = false;
    const forget = deps.browsers.whenGone(c.get('credential'), () => {
      isGone = true;
      subscription.close();
    });
    const response = streamSSE(c, async (stream) => {
      stream.onAbort(() => subscription.close());
      try {
        const hello: ServerEvent = { type: 'hello', version: deps.version };
        await stream.writeSSE({ data: JSON.stringify(hello) });
        while (!stream.aborted) {
          const next = await subscription.next(HEARTBEAT_MS);
          if (isGone) await stream.writeSSE({ data: JSON.stringify(SIGNED_OUT) });
          if (next === null) break;
          if (next === 'idle') await stream.write(': still here\n\n');
          else await stream.writeSSE({ id: String(next.id), data: JSON.stringify(next.event) });
        }
      } finally {
        forget();
        subscription.close();
        deps.touch();
      }
    });
    // streamSSE sets its own; nothing of the API may be stored.
    response.headers.set('Cache-Control', 'no-store');
    return response;
  });
}

function lastEventId(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** An attachment without a type, or a raster image of the type found; the policy forbids everything. */
async function answerContent(
  c: Context<HttpEnv>,
  name: BytesName,
  backend: Pick<ServerBackend, 'openContent'>,
  [id, { entry, side }]: [id: string, Input<BytesName>],
): Promise<Response> {
  const content = await backend.openContent(id, entry, side);
  const { type, body } = name === 'image' ? await imageOf(content) : await downloadOf(content, c.req.method);
  c.header('Content-Security-Policy', "default-src 'none'; sandbox");
  c.header('Content-Type', type);
  if (name === 'download') {
    const { plain, encoded } = downloadName(content.path);
    c.header('Content-Disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`);
  }
  return body === null ? c.body(null, 200) : c.body(body, 200);
}

interface Body {
  type: string;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

async function downloadOf(content: OpenContent, method: string): Promise<Body> {
  const isTooLarge = content.size > MAX_DOWNLOAD_BYTES;
  if (isTooLarge || method === 'HEAD') await content.file.close();
  if (isTooLarge) throw tooLarge(content, 'downloaded', MAX_DOWNLOAD_BYTES);
  return { type: 'application/octet-stream', body: method === 'HEAD' ? null : streamOf(content) };
}

/** By content, never by name: an SVG can run scripts. */
async function imageOf(content: OpenContent): Promise<Body> {
  try {
    if (content.size > MAX_IMAGE_BYTES) throw tooLarge(content, 'shown', MAX_IMAGE_BYTES);
    const body = Buffer.alloc(content.size);
    let at = 0;
    for await (const piece of piecesOf(content)) {
      body.set(piece, at);
      at += piece.length;
    }
    const type = rasterType(body.subarray(0, SNIFF_BYTES));
    if (type === null) throw refusal('no-image', {}, { path: toDisplay(content.path) });
    return { type, body };
  } finally {
    await content.file.close();
  }
}

function streamOf(content: OpenContent): ReadableStream<Uint8Array> {
  const pieces = piecesOf(content);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value } = await pieces.next().catch(async (error: unknown) => {
        await content.file.close();
        throw error;
      });
      if (value !== undefined) return controller.enqueue(value);
      await content.file.close();
      controller.close();
    },
    cancel: async () => {
      await content.file.close();
    },
  });
}

function tooLarge({ path, size }: OpenContent, done: string, most: number): TraiError {
  return refusal('too-large', { size, done, most }, { path: toDisplay(path) });
}
