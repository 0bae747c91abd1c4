import type { MiddlewareHandler } from 'hono';
import { TraiError } from '../../shared/errors.ts';
import { bearerToken } from '../auth/bearer.ts';
import { sameSecret } from '../auth/secret.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';

/** The addresses where a tab that has no credential yet gets one; each asks for a code or a number instead. */
const SIGN_IN: ReadonlySet<string> = new Set(['/api/exchange', '/api/pair', '/api/pair/poll']);

/** /api: the credential of a tab. The hook credential is not enough here, and the reverse. */
export function browserAuth(deps: AppDeps): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (c.req.method === 'POST' && SIGN_IN.has(c.req.path)) return next();
    const token = bearerToken(c.req.header('authorization'));
    const id = token === null ? null : deps.browsers.check(token);
    if (id === null) {
      await deps.failures.hold();
      throw new TraiError('unauthorised', 'this tab is not signed in', {
        hint: 'Type /trai:ui in Claude Code, or run `trai ui` in a terminal.',
      });
    }
    c.set('credential', id);
    return next();
  };
}

/** /hook and /claim: the credential of server.json. */
export function hookAuth(deps: AppDeps): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const token = bearerToken(c.req.header('authorization'));
    if (token === null || !sameSecret(token, deps.hook)) {
      await deps.failures.hold();
      throw new TraiError('unauthorised', 'the hook credential is wrong');
    }
    return next();
  };
}
