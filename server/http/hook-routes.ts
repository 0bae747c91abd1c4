import { Hono } from 'hono';
import { TraiError } from '../../shared/errors.ts';
import { isHookEvent, readHookHeaders } from '../hooks/answer.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';

/**
 * What hook scripts and the command line ask, with the credential of server.json. That credential is readable for
 * every process of the user, so nothing here reads or changes a session's files. A code for the dashboard is the one
 * thing of value: from below a Claude client it wants the permit that only a typed `/trai:ui` leaves. Whether it is
 * below one is what the caller says (`bin/trai` looks at its ancestors): a program that reads server.json and lies
 * gets a code. README names this as what can't be stopped between processes of one user.
 */
export function hookRoutes(deps: AppDeps) {
  const app = new Hono<HttpEnv>();
  app.post('/ui-code', async (c) => {
    deps.touch();
    await wantPermit(deps, await jsonObject(c.req.raw), null);
    return c.json({ proof: deps.proof, ...deps.codes.make() });
  });
  app.post('/pair', async (c) => {
    deps.touch();
    const body = await jsonObject(c.req.raw);
    const number = body['number'];
    if (typeof number !== 'string' || !/^\d{6}$/.test(number)) {
      throw new TraiError('bad-input', 'expected a number of six digits');
    }
    await wantPermit(deps, body, `ui ${number}`);
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
      readHookHeaders((name) => c.req.header(`x-trai-${name}`)),
    );
    return c.text(`${deps.proof}\n${answer.exit}\n${answer.stream}\n${answer.text}`);
  });
  return app;
}

/**
 * `{ terminal: true }` = no Claude client among the caller's ancestors; otherwise `session` names whose permit for `ui`
 * it is. `what` = the exact text that was typed, null = whatever stands behind `ui`.
 */
async function wantPermit(deps: AppDeps, body: Record<string, unknown>, what: string | null): Promise<void> {
  if (body['terminal'] === true) return;
  const session = body['session'];
  if (typeof session === 'string' && (await deps.useUiPermit(session, what))) return;
  throw new TraiError('needs-permit', 'only the person can open the dashboard', {
    hint: 'Type /trai:ui in Claude Code, or run `trai ui` in a terminal of your own.',
  });
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
