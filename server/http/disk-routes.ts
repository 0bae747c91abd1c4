import { Hono } from 'hono';
import { gcBody } from '../../shared/api/schema.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { valid } from './valid.ts';

/** What the sessions take on disk, and making room. */
export function diskRoutes({ backend }: AppDeps) {
  return new Hono<HttpEnv>()
    .get('/disk', async (c) => c.json(await backend.disk()))
    .get('/gc', async (c) => c.json(await backend.gcPreview()))
    .post('/gc', valid('json', gcBody), async (c) => c.json(await backend.gc(c.req.valid('json'))));
}
