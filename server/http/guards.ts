/**
 * The guards before every handler, in the order of app.ts. They keep out pages of another name that resolves
 * to 127.0.0.1 (Host), forms and preflights (method), and other origins (Origin, Sec-Fetch-Site,
 * Content-Type). Only the bearer token authenticates.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { TraiError } from '../../shared/errors.ts';
import type { Peers } from '../auth/peers/peers.ts';
import { bearerToken, sameSecret } from '../auth/secret.ts';
import { refusal } from '../messages/refusals.ts';
import type { AppDeps, HttpEnv } from './deps.ts';

export function ownHosts(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Node takes the first of two Host headers and accepts an absolute request line: both are checked. */
export function hostGuard(port: () => number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const hosts = rawValues(c, 'host');
    const [host] = hosts;
    const asked = new URL(c.req.url).host;
    if (hosts.length !== 1 || host === undefined || !ownHosts(port()).includes(host) || asked !== host) {
      return c.text('trai: this name is not mine\n', 403);
    }
    return next();
  };
}

/** From the raw headers: `req.headers` has dropped or joined repeated ones. */
function rawValues(c: Context<HttpEnv>, name: string): string[] {
  const raw = c.env.incoming.rawHeaders;
  const values: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2)
    if (raw[i]?.toLowerCase() === name) values.push(raw[i + 1] ?? '');
  return values;
}

/** No OPTIONS: without a preflight answer another origin cannot send JSON or an Authorization header. */
export const methodGuard: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return c.text('trai: method not allowed\n', 405, { Allow: 'GET, HEAD, POST' });
  return next();
};

/** For /api: Origin and Sec-Fetch-Site, where sent, must be ours. */
export function originGuard(port: () => number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    const ours = ownHosts(port()).map((host) => `http://${host}`);
    if (origin !== undefined && !ours.includes(origin)) throw foreign();
    if (site !== undefined && site !== 'same-origin') throw foreign();
    // zod-validator reads a body of another type as {}; text/plain needs no preflight.
    if (c.req.method === 'POST' && !isJson(c.req.header('content-type'))) {
      throw new TraiError('bad-input', 'expected Content-Type: application/json');
    }
    return next();
  };
}

/** For sign-in, which has no credential: browsers always send Origin with a POST. */
export const originRequired: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header('origin') === undefined) throw new TraiError('forbidden', 'expected an Origin header');
  return next();
};

/** For /api: a POST depends on the process that asks, since a token may have been read. */
export function peerGuard(peers: Peers): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (c.req.method === 'POST') peers.wantBrowser(c.env.incoming.socket);
    return next();
  };
}

/** For /hook and /claim: scripts send neither header, every browser sends one. */
export const noBrowserGuard: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') !== undefined) throw foreign();
  return next();
};

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(;|$)/i.test(type);
}

function foreign(): TraiError {
  return new TraiError('forbidden', 'this request comes from another origin');
}

const SIGN_IN: ReadonlySet<string> = new Set(['/api/exchange', '/api/pair', '/api/pair/poll']);

/** A tab's token. The hook credential does not work here, nor the reverse. */
export function browserAuth(deps: AppDeps): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (c.req.method === 'POST' && SIGN_IN.has(c.req.path)) return next();
    const token = bearerToken(c.req.header('authorization'));
    const id = token === null ? null : deps.browsers.check(token);
    if (id === null) {
      await deps.failures.hold();
      throw refusal('not-signed-in');
    }
    c.set('credential', id);
    return next();
  };
}

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

export const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // web/diff/rows/highlighter.ts: the one worker. No HTML is put into the page.
  'trusted-types trai-worker',
].join('; ');

/** On every answer, errors and streams included. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CSP,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-DNS-Prefetch-Control': 'off',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

/** Before the handler runs, so that errors carry them too. */
export const securityHeaders: MiddlewareHandler<HttpEnv> = async (c, next) => {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
  c.header('Cache-Control', 'no-store');
  return next();
};
