import { Hono } from 'hono';
import { doctorQuery } from '../../shared/api/settings-schema.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { valid } from './valid.ts';

/** Whether the sandbox works here; with a session, in its project too. */
export function doctorRoute({ backend }: AppDeps) {
  return new Hono<HttpEnv>().get('/doctor', valid('query', doctorQuery), async (c) =>
    c.json(await backend.doctor(c.req.valid('query').session ?? null)),
  );
}
