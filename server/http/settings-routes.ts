import { Hono } from 'hono';
import { settingsBody } from '../../shared/api/settings-schema.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { valid } from './valid.ts';

/** How the dashboard looks: one set for all tabs of all browsers. */
export function settingsRoutes({ backend }: AppDeps) {
  return new Hono<HttpEnv>()
    .get('/settings', async (c) => c.json(await backend.settings()))
    .post('/settings', valid('json', settingsBody), async (c) =>
      c.json(await backend.saveSettings(c.req.valid('json'))),
    );
}
