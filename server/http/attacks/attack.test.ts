import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_API_BODY_BYTES } from '../../../shared/limits.ts';
import { rawRequest, statusOf, type TestServer, testServer } from '../../../testing/server/server.ts';
import { SECURITY_HEADERS } from '../guards.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => await t.close());

function get(address: string, lines: readonly string[], version = '1.1'): string {
  return [`GET ${address} HTTP/${version}`, ...lines, 'Connection: close', '', ''].join('\r\n');
}

describe('address', () => {
  it('is 127.0.0.1 and nothing else', () => {
    expect(t.server.http.address()).toMatchObject({ address: '127.0.0.1', family: 'IPv4' });
  });

  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map((one) => one.address)
    .filter((address) => address !== '127.0.0.1');
  it.each([...new Set(['::1', ...others])])('is not reachable at %s', async (host) => {
    await expect(rawRequest(t.server.port, get('/', []), host)).rejects.toThrow();
  });
});

describe('Host', () => {
  const port = () => String(t.server.port);
  const bad: readonly [string, (p: string) => string[]][] = [
    ['another name', () => ['Host: evil.com']],
    ['another name with our port', (p) => [`Host: evil.com:${p}`]],
    ['our address as a prefix', (p) => [`Host: 127.0.0.1.evil.com:${p}`]],
    ['localhost as a prefix', (p) => [`Host: localhost.evil.com:${p}`]],
    ['our address as user info', (p) => [`Host: 127.0.0.1:${p}@evil`]],
    ['empty', () => ['Host:']],
    ['two headers, ours first', (p) => [`Host: 127.0.0.1:${p}`, 'Host: evil.com']],
    ['two headers, ours last', (p) => ['Host: evil.com', `Host: 127.0.0.1:${p}`]],
    ['two equal headers', (p) => [`Host: 127.0.0.1:${p}`, `Host: 127.0.0.1:${p}`]],
    ['the wildcard address', (p) => [`Host: 0.0.0.0:${p}`]],
    ['IPv6 loopback', (p) => [`Host: [::1]:${p}`]],
    ['another port', () => ['Host: 127.0.0.1:1']],
    ['no port', () => ['Host: 127.0.0.1']],
    ['upper case', (p) => [`Host: LOCALHOST:${p}`]],
    ['a number for the address', (p) => [`Host: 2130706433:${p}`]],
    ['a trailing dot', (p) => [`Host: localhost.:${p}`]],
  ];
  const addresses = ['/', '/assets/app-1234.js', '/api/sessions', '/api/events'];
  it.each(bad)('refuses %s at every address', async (_name, lines) => {
    for (const address of addresses) {
      const auth = `Authorization: Bearer ${t.token}`;
      const answer = await rawRequest(t.server.port, get(address, [...lines(port()), auth]));
      expect([400, 403], `${address}: ${answer.slice(0, 200)}`).toContain(statusOf(answer));
      expect(answer).not.toContain('evil');
    }
  });

  it('refuses a request without Host', async () => {
    expect([400, 403, 0]).toContain(statusOf(await rawRequest(t.server.port, get('/', [], '1.0'))));
  });

  it('refuses an absolute request line with a foreign host, whatever Host says', async () => {
    const answer = await rawRequest(t.server.port, get('http://evil.com/', [`Host: 127.0.0.1:${port()}`]));
    expect([400, 403]).toContain(statusOf(answer));
  });

  it.each(['127.0.0.1', 'localhost'])('accepts %s with the right port', async (name) => {
    expect(statusOf(await rawRequest(t.server.port, get('/', [`Host: ${name}:${port()}`])))).toBe(200);
  });
});

describe('other origins', () => {
  it('refuses a rebound name with valid JSON and a same-origin claim', async () => {
    const body = JSON.stringify({ code: 'x' });
    const host = `evil.com:${t.server.port}`;
    const answer = await rawRequest(
      t.server.port,
      `POST /api/exchange HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nSec-Fetch-Site: same-origin\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(statusOf(answer)).toBe(403);
  });

  const post = async (
    headers: Record<string, string>,
    body = '{"scope":{"kind":"all"},"revision":"r","endProcesses":false}',
  ) =>
    await fetch(`${t.origin}/api/sessions/s1/discard`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.token}`, ...headers },
      body,
    });
  const jsonType = { 'content-type': 'application/json' };
  it.each([
    ['a foreign Origin', { ...jsonType, origin: 'http://evil.com' }],
    ['another port of localhost', { ...jsonType, origin: 'http://127.0.0.1:1' }],
    ['a null Origin', { ...jsonType, origin: 'null' }],
    ['https', { ...jsonType, origin: 'https://127.0.0.1' }],
    ['a cross-site mark', { ...jsonType, 'sec-fetch-site': 'cross-site' }],
    ['a same-site mark', { ...jsonType, 'sec-fetch-site': 'same-site' }],
  ])('refuses %s even with the credential', async (_name, headers) => {
    expect((await post(headers)).status).toBe(403);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('refuses a body of type %s', async (type) => {
    expect((await post({ 'content-type': type })).status).toBe(400);
  });

  it('refuses a body over the limit before it looks for a credential', async () => {
    const body = JSON.stringify({ scope: 'x'.repeat(MAX_API_BODY_BYTES) });
    for (const headers of [jsonType, { authorization: 'none' }])
      expect((await post(headers, body)).status).toBe(413);
  });

  it('refuses an empty object where a scope is wanted, with and without a type', async () => {
    expect((await post(jsonType, '{}')).status).toBe(400);
    expect((await post({}, '{}')).status).toBe(400);
  });

  it.each(['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])(
    'answers %s with 405 and no CORS header',
    async (method) => {
      for (const address of ['/', '/api/sessions', '/api/exchange', '/hook/PreToolUse']) {
        const answer = await rawRequest(
          t.server.port,
          `${method} ${address} HTTP/1.1\r\nHost: 127.0.0.1:${t.server.port}\r\nOrigin: http://evil.com\r\n` +
            'Access-Control-Request-Method: POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        );
        expect(statusOf(answer)).toBe(405);
        expect(answer.toLowerCase()).not.toContain('access-control-');
      }
    },
  );

  it.each([{ origin: 'http://127.0.0.1' }, { 'sec-fetch-site': 'same-origin' }])(
    'refuses a browser at the hooks’ door, even with the hook credential (%o)',
    async (headers) => {
      for (const address of ['/hook/PreToolUse', '/hook/ui-code', '/claim']) {
        const answer = await fetch(t.origin + address, {
          method: 'POST',
          headers: { authorization: `Bearer ${t.server.hook}`, ...headers },
          body: '{}',
        });
        expect(answer.status).toBe(403);
      }
    },
  );
});

describe('headers', () => {
  const kinds: readonly [string, () => Promise<Response>, number][] = [
    ['the page', () => fetch(`${t.origin}/`), 200],
    ['an asset', () => fetch(`${t.origin}/assets/app-1234.js`), 200],
    ['a list', () => t.api('/api/sessions'), 200],
    ['an unknown address', () => fetch(`${t.origin}/nothing`), 404],
    ['an unknown session', () => t.api('/api/sessions/none'), 404],
    ['a missing credential', () => fetch(`${t.origin}/api/sessions`), 401],
    ['a bad body', () => t.api('/api/exchange', {}), 400],
    ['a refused method', () => fetch(`${t.origin}/`, { method: 'PUT' }), 405],
    ['an event stream', () => t.api('/api/events'), 200],
  ];
  it.each(kinds)('are on %s', async (_name, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      expect(answer.headers.get(name)).toBe(value);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    await answer.body?.cancel();
  });

  it('are on an internal error, which says nothing of what went wrong', async () => {
    const { backend } = t.server.deps;
    const { doctor } = backend;
    backend.doctor = async () => {
      throw new Error('secret /home/u/path');
    };
    const answer = await t.api('/api/doctor');
    backend.doctor = doctor;
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(String(t.reported.pop())).toContain('secret');
  });

  it('never let the API be stored', async () => {
    expect((await t.api('/api/sessions')).headers.get('cache-control')).toBe('no-store');
  });
});

describe('static files', () => {
  it.each([
    '/../state/server.json',
    '/..%2fstate/server.json',
    '/%2e%2e/state/server.json',
    '/%252e%252e/state/server.json',
    '/..\\state\\server.json',
    '//etc/passwd',
    '/etc/passwd',
    '/assets/../../state/server.json',
    '/assets/%00app-1234.js',
    '/index.html/',
    '/./../../etc/passwd',
    `/${'a'.repeat(5_000)}`,
  ])('answer nothing at %s', async (address) => {
    const answer = await rawRequest(t.server.port, get(address, [`Host: 127.0.0.1:${t.server.port}`]));
    expect([400, 403, 404]).toContain(statusOf(answer));
    expect(answer).not.toContain(t.server.hook);
  });
});
