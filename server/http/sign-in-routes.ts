import { Hono } from 'hono';
import * as z from 'zod';
import { ERROR_TABLE, TraiError } from '../../shared/errors.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { originRequired } from './guards.ts';
import { valid } from './valid.ts';

const secret = z.string().min(1).max(200);
const exchangeBody = z.strictObject({ code: secret });
const pairBody = z.strictObject({});
const pairPollBody = z.strictObject({ id: secret });

/** How a tab gets its credential: with the code in the address that `trai ui` opened, or with a number. */
export function signInRoutes(deps: AppDeps) {
  const counted = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      if (error instanceof TraiError && ERROR_TABLE[error.code].http === 401) await deps.failures.hold();
      throw error;
    }
  };
  return new Hono<HttpEnv>()
    .post('/exchange', originRequired, valid('json', exchangeBody), async (c) => {
      const { code } = c.req.valid('json');
      return c.json({ token: await counted(() => deps.codes.exchange(code)) });
    })
    .post('/pair', originRequired, valid('json', pairBody), (c) => c.json(deps.pairings.open()))
    .post('/pair/poll', originRequired, valid('json', pairPollBody), (c) => {
      const token = deps.pairings.poll(c.req.valid('json').id);
      return c.json(token === null ? { state: 'waiting' as const } : { state: 'paired' as const, token });
    });
}
