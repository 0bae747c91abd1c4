/**
 * The HTTP surface. Every request passes the same guards in this order:
 *
 *     host, method, headers, body limit, credential, origin, process, validators, handler
 *
 * Nothing below /api except the ways to sign in, and nothing below /hook, answers without a credential. api-routes.ts makes
 * a route of each row of shared/api/contract.ts; hook-listener.ts is the short way for hook scripts, which takes only what
 * is beyond doubt; errors.ts turns an error code into a status; static-files.ts sends the page with its CSP.
 */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { TraiError, toErrorBody } from '../../shared/errors.ts';
import { MAX_API_BODY_BYTES, MAX_HOOK_BODY_BYTES } from '../../shared/limits.ts';
import { apiRoutes } from './api-routes.ts';
import { browserAuth, hookAuth } from './authenticate.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { errorResponse } from './errors.ts';
import { eventsRoute } from './events-route.ts';
import { hostGuard, methodGuard, noBrowserGuard, originGuard, peerGuard } from './guards.ts';
import { securityHeaders } from './headers.ts';
import { hookRoutes } from './hook-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

/**
 * The whole HTTP surface. Order of the guards: host, method, headers, body limit, credential, origin, process, validators,
 * handler. Nothing below /api but the ways to sign in, and nothing below /hook, answers without a credential.
 */
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
  app.post('/claim', async (c) => {
    deps.touch();
    return c.text(`${deps.proof}\n${await deps.claim(Buffer.from(await c.req.arrayBuffer()))}`);
  });
  app.get('/*', async (c, next) => {
    if (c.req.path.startsWith('/api/')) return next();
    const file = deps.web.get(c.req.path);
    if (file === undefined) {
      if (c.req.path === '/') return c.text('trai: the web app is not built (npm run build)\n', 503);
      return next();
    }
    c.header('Cache-Control', file.cache);
    const page = file.type.startsWith('text/html') ? await deps.page(file.body) : file.body;
    return c.body(page, 200, { 'Content-Type': file.type });
  });

  app.route('/api', signInRoutes(deps));
  app.route('/api', eventsRoute(deps));
  app.route('/api', apiRoutes(deps));
  return app;
}

/** The rest of the body is not read: the connection can't be used again, and the answer says so. */
function tooLarge(c: Context<HttpEnv>): never {
  c.header('Connection', 'close');
  throw new TraiError('too-large', 'the request is too large');
}
