import { Hono } from 'hono';
import type { Caller } from '../../core/kernel/proc/caller.ts';
import { TraiError } from '../../shared/errors.ts';
import { isHookEvent, readHookHeaders } from '../hooks/world/answer.ts';
import type { AppDeps, HttpEnv } from './deps.ts';

/**
 * What hook scripts and the command line ask, with the credential of server.json. A process that gets at the state
 * directory has that credential, so nothing here reads or changes a session's files, and what only the user may have (a
 * code for the dashboard, a number confirmed, a permit) goes by the process at the other end of the connection.
 */
export function hookRoutes(deps: AppDeps) {
  const app = new Hono<HttpEnv>();
  app.post('/ui-code', async (c) => {
    deps.touch();
    const { socket } = c.env.incoming;
    await wantUser(deps, deps.peers.caller(socket), await jsonObject(c.req.raw), null);
    deps.peers.noteOpener(socket);
    return c.json({ proof: deps.proof, ...deps.codes.make() });
  });
  app.post('/pair', async (c) => {
    deps.touch();
    const body = await jsonObject(c.req.raw);
    const number = body['number'];
    if (typeof number !== 'string' || !/^\d{6}$/.test(number)) {
      throw new TraiError('bad-input', 'expected a number of six digits');
    }
    await wantUser(deps, deps.peers.caller(c.env.incoming.socket), body, `ui ${number}`);
    deps.pairings.confirm(number);
    return c.json({ proof: deps.proof });
  });
  // Only says that this is the server of server.json; not a use that keeps it from leaving when idle.
  app.post('/hello', (c) => c.text(`${deps.proof}\n0\nout\n`));
  app.post('/drain', (c) => {
    deps.drain();
    return c.text(`${deps.proof}\n0\nout\n`);
  });
  app.post('/:event', async (c) => {
    deps.touch();
    const event = c.req.param('event');
    if (!isHookEvent(event)) throw new TraiError('not-found', 'no such hook event');
    const body = Buffer.from(await c.req.arrayBuffer());
    const answer = await deps.hookEvent(
      event,
      body,
      readHookHeaders(
        (name) => c.req.header(`x-trai-${name}`),
        () => deps.peers.caller(c.env.incoming.socket),
      ),
    );
    return c.text(`${deps.proof}\n${answer.exit}\n${answer.stream}\n${answer.text}`);
  });
  return app;
}

/**
 * A terminal of the user's may; below a Claude client it takes the permit of `session` for `ui`, since a typed command
 * runs as a call of that client. `what` = the exact text that was typed, null = whatever stands behind `ui`.
 */
async function wantUser(
  deps: AppDeps,
  caller: Caller,
  { session }: Record<string, unknown>,
  what: string | null,
): Promise<void> {
  if (caller.kind === 'user') return;
  const isBelow = caller.kind === 'client' || caller.kind === 'call';
  if (isBelow && typeof session === 'string' && (await deps.useUiPermit(session, what))) return;
  throw new TraiError(
    'needs-permit',
    `only the user can open the dashboard: this was asked by ${caller.found}`,
    {
      hint: 'Type /trai:ui in Claude Code, or run `trai ui` in a terminal of your own.',
    },
  );
}

async function jsonObject(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TraiError('bad-input', 'expected JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TraiError('bad-input', 'expected a JSON object');
  }
  return Object.fromEntries(Object.entries(value));
}
