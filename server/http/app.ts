/**
 * The HTTP surface. Every request passes the same guards in this order:
 *
 *     host, method, headers, body limit, credential, origin, process, validators, handler
 *
 * Nothing below /api except sign-in, and nothing below /hook, answers without a credential. api.ts makes a
 * route of each row of shared/api/contract.ts; hook-routes.ts answers hook events and claims before any of
 * this; static-files.ts has the page.
 */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { ERROR_TABLE, TraiError, toErrorBody } from '../../shared/errors.ts';
import { MAX_API_BODY_BYTES, MAX_HOOK_BODY_BYTES } from '../../shared/limits.ts';
import { apiRoutes, eventsRoute, signInRoutes } from './api.ts';
import type { AppDeps, HttpEnv } from './deps.ts';
import {
  browserAuth,
  hookAuth,
  hostGuard,
  methodGuard,
  noBrowserGuard,
  originGuard,
  peerGuard,
  securityHeaders,
} from './guards.ts';
import { hookRoutes } from './hook-routes.ts';

export function createApp(deps: AppDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError((thrown, c) => errorResponse(c, thrown, deps.report));
  app.notFound((c) =>
    c.json(toErrorBody(new TraiError('not-found', 'there is nothing at this address')), 404),
  );

  app.use(securityHeaders);
  app.use(hostGuard(deps.port));
  app.use(methodGuard);
  app.use('/api/*', bodyLimit({ maxSize: MAX_API_BODY_BYTES, onError: tooLarge }));
  app.use('/hook/*', bodyLimit({ maxSize: MAX_HOOK_BODY_BYTES, onError: tooLarge }));
  app.use('/claim', bodyLimit({ maxSize: MAX_HOOK_BODY_BYTES, onError: tooLarge }));
  app.use('/api/*', browserAuth(deps));
  app.use('/api/*', originGuard(deps.port), peerGuard(deps.peers));
  app.use('/hook/*', hookAuth(deps), noBrowserGuard);
  app.use('/claim', hookAuth(deps), noBrowserGuard);

  app.route('/hook', hookRoutes(deps));
  app.get('/*', (c, next) => {
    if (c.req.path.startsWith('/api/')) return next();
    const file = deps.web.get(c.req.path);
    if (file === undefined) {
      if (c.req.path === '/') return c.text('trai: the web app is not built (npm run build)\n', 503);
      return next();
    }
    c.header('Cache-Control', file.cache);
    const page = file.type.startsWith('text/html') ? deps.page(file.body) : file.body;
    return c.body(page, 200, { 'Content-Type': file.type });
  });

  app.route('/api', signInRoutes(deps));
  app.route('/api', eventsRoute(deps));
  app.route('/api', apiRoutes(deps));
  return app;
}

/** The rest of the body stays unread, so the connection cannot be reused. */
function tooLarge(c: Context<HttpEnv>): never {
  c.header('Connection', 'close');
  throw new TraiError('too-large', 'the request is too large');
}

/** The text of unknown errors is not sent: it may hold anything. */
function errorResponse(c: Context<HttpEnv>, thrown: unknown, report: (thrown: unknown) => void): Response {
  if (thrown instanceof TraiError && thrown.code !== 'internal') {
    return c.json(toErrorBody(thrown), ERROR_TABLE[thrown.code].http);
  }
  if (thrown instanceof HTTPException && thrown.status < 500) {
    return c.json(toErrorBody(new TraiError('bad-input', 'the request could not be read')), thrown.status);
  }
  // Nobody waits where the request itself was cut off.
  if (thrown !== c.env.incoming.errored) report(thrown);
  const said = new TraiError('internal', 'something went wrong in the server; its log says what');
  return c.json(toErrorBody(said), 500);
}
