import { Hono } from 'hono';
import { historyPathsQuery } from '../../shared/api/schema.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { valid } from './valid.ts';

/** What was committed, discarded and taken back. */
export function historyRoutes({ backend }: AppDeps) {
  return new Hono<HttpEnv>().get(
    '/sessions/:id/history-paths',
    valid('query', historyPathsQuery),
    async (c) => {
      const { of, after } = c.req.valid('query');
      const key = /^\d+$/.test(of) ? { n: Number(of) } : { trash: of };
      return c.json(await backend.historyPaths(c.req.param('id'), key, Number(after)));
    },
  );
}
