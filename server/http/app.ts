import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { TraiError, toErrorBody } from '../../shared/errors.ts';
import { MAX_API_BODY_BYTES, MAX_HOOK_BODY_BYTES } from '../../shared/limits.ts';
import { apiRoutes } from './api-routes.ts';
import { browserAuth, hookAuth } from './authenticate.ts';
import type { AppDeps } from './deps.ts';
import { diskRoutes } from './disk-routes.ts';
import { doctorRoute } from './doctor-route.ts';
import type { HttpEnv } from './env.ts';
import { errorResponse } from './errors.ts';
import { eventsRoute } from './events-route.ts';
import { fileRoutes } from './file-routes.ts';
import { hostGuard, methodGuard, noBrowserGuard, originGuard, peerGuard } from './guards.ts';
import { securityHeaders } from './headers.ts';
import { historyRoutes } from './history-routes.ts';
import { hookRoutes } from './hook-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

/**
 * The whole HTTP surface. Order of the guards: host, method, headers, body limit, credential, origin, process, validators,
 * handler. Nothing below /api but the ways to sign in, and nothing below /hook, answers without a credential.
 */
export function createApp(deps: AppDeps) {
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

  return app
    .route('/api', signInRoutes(deps))
    .route('/api', eventsRoute(deps))
    .route('/api', apiRoutes(deps))
    .route('/api', fileRoutes(deps))
    .route('/api', historyRoutes(deps))
    .route('/api', doctorRoute(deps))
    .route('/api', diskRoutes(deps))
    .route('/api', settingsRoutes(deps));
}

/** The rest of the body is not read: the connection can't be used again, and the answer says so. */
function tooLarge(c: Context<HttpEnv>): never {
  c.header('Connection', 'close');
  throw new TraiError('too-large', 'the request is too large');
}

/** For `hc<AppType>` in the web app: types only, nothing of the server is bundled there. */
export type AppType = ReturnType<typeof createApp>;
