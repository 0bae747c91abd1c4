/** Raw bytes against the routes of hooks and launchers, fast path or app. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_HOOK_BODY_BYTES } from '../../../shared/limits.ts';
import { rawRequest, type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
  // Tested elsewhere.
  Object.assign(t.server.deps.failures, { hold: async () => {} });
});
afterAll(async () => await t.close());

const ADDRESSES = ['/claim', '/hook/PreToolUse'];
/** Below any test's own limit, and above what a busy machine needs. */
const WAIT_MS = 40_000;

interface Request {
  first?: string;
  host?: string;
  token?: string | null;
  length?: string | null;
  more?: readonly string[];
  body?: string;
  close?: boolean;
}

function bytesOf(address: string, request: Request = {}): string {
  const { first = `POST ${address} HTTP/1.1`, host = `127.0.0.1:${t.server.port}`, body = 'body' } = request;
  const { token = t.server.hook, length = String(body.length), more = [], close = true } = request;
  const lines = [
    first,
    `Host: ${host}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...(length === null ? [] : [`Content-Length: ${length}`]),
    ...more,
    ...(close ? ['Connection: close'] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const send = (text: string) => rawRequest(t.server.port, text, '127.0.0.1', WAIT_MS);
const statuses = (said: string) => [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
const proofs = (said: string) => said.split(t.server.proof).length - 1;

describe.each(ADDRESSES)('%s', (address) => {
  it('answers what a script sends, in one piece or byte by byte', async () => {
    const whole = await send(bytesOf(address));
    expect([statuses(whole), proofs(whole)]).toEqual([[200], 1]);
    const slow = await new Promise<string>((resolve, reject) => {
      let said = '';
      const socket = connect(t.server.port, '127.0.0.1').setNoDelay(true);
      socket.on('data', (chunk) => {
        said += chunk.toString('latin1');
      });
      socket.on('error', reject).on('close', () => resolve(said));
      const left = [...bytesOf(address)];
      const next = (): void => {
        const char = left.shift();
        if (char !== undefined) socket.write(char, () => setImmediate(next));
      };
      socket.on('connect', next);
    });
    expect([statuses(slow), proofs(slow)]).toEqual([[200], 1]);
  }, 60_000);

  const refused: readonly [name: string, request: () => Request, expected: readonly number[]][] = [
    ['no credential', () => ({ token: null }), [401]],
    ['the credential of a tab', () => ({ token: t.token }), [401]],
    ['a part of the credential', () => ({ token: t.server.hook.slice(0, -1) }), [401]],
    ['two credentials', () => ({ more: [`Authorization: Bearer ${t.server.hook}`], token: 'x' }), [401]],
    ['another name', () => ({ host: `evil.test:${t.server.port}` }), [403]],
    ['another port', () => ({ host: '127.0.0.1:1' }), [403]],
    ['no port', () => ({ host: '127.0.0.1' }), [403]],
    ['upper case', () => ({ host: `LOCALHOST:${t.server.port}` }), [403]],
    ['the wildcard address', () => ({ host: `0.0.0.0:${t.server.port}` }), [403]],
    ['two names', () => ({ more: [`Host: 127.0.0.1:${t.server.port}`] }), [400, 403]],
    ['our own origin', () => ({ more: [`Origin: http://127.0.0.1:${t.server.port}`] }), [403]],
    ['an empty origin', () => ({ more: ['Origin:'] }), [403]],
    ['what browsers send', () => ({ more: ['Sec-Fetch-Site: none'] }), [403]],
    ['a body over the limit', () => ({ length: String(MAX_HOOK_BODY_BYTES + 1) }), [413]],
    ['a length of no number', () => ({ length: '+4' }), [400]],
    ['two lengths', () => ({ more: ['Content-Length: 5'] }), [400]],
    [
      'a length and pieces',
      () => ({ more: ['Transfer-Encoding: chunked'], body: '4\r\nbody\r\n0\r\n\r\n' }),
      [400],
    ],
    [
      'pieces over the limit',
      () => ({
        length: null,
        more: ['Transfer-Encoding: chunked'],
        body: `${(MAX_HOOK_BODY_BYTES + 1).toString(16)}\r\n${'x'.repeat(MAX_HOOK_BODY_BYTES + 1)}\r\n0\r\n\r\n`,
      }),
      [413],
    ],
    ['GET', () => ({ first: `GET ${address} HTTP/1.1` }), [404]],
    ['PUT', () => ({ first: `PUT ${address} HTTP/1.1` }), [405]],
    ['OPTIONS', () => ({ first: `OPTIONS ${address} HTTP/1.1` }), [405]],
    ['a name in the request line', () => ({ first: `POST http://evil.test${address} HTTP/1.1` }), [400, 403]],
  ];
  it.each(refused)(
    'refuses %s',
    async (_name, request, expected) => {
      const said = await send(bytesOf(address, request()));
      expect(proofs(said)).toBe(0);
      expect(expected).toContain(statuses(said)[0]);
    },
    60_000,
  );

  const spellings = ['/', '//', '?x', ';x', '%20', '/.', '/..', '%00', '#x'];
  it('is behind the credential in every spelling', async () => {
    const others = [
      `/.${address}`,
      `//x${address}`,
      `/hook/..${address}`,
      `/api/..${address}`,
      `/%2e${address}`,
    ];
    const coded = address.replace(/.$/, (char) => `%${char.charCodeAt(0).toString(16)}`);
    for (const url of [...spellings.map((end) => address + end), ...others, `/${address}`, coded]) {
      const said = await send(bytesOf(address, { first: `POST ${url} HTTP/1.1`, token: null }));
      expect([url, proofs(said)]).toEqual([url, 0]);
      expect([400, 401, 403, 404], `${url}: ${said.slice(0, 80)}`).toContain(statuses(said)[0]);
    }
  });

  it('asks each request of a connection by itself', async () => {
    const good = bytesOf(address, { close: false });
    const first = await send(good + bytesOf(address, { token: null }));
    expect([statuses(first), proofs(first)]).toEqual([[200, 401], 1]);
    const second = await send(bytesOf(address, { token: null, close: false }) + bytesOf(address));
    expect([statuses(second), proofs(second)]).toEqual([[401, 200], 1]);
    const browser = `GET /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${t.server.port}\r\nConnection: close\r\n\r\n`;
    expect(statuses(await send(good + browser))).toEqual([200, 401]);
  });

  it('takes a request within a body for text, and what follows a body for no request', async () => {
    const inner = bytesOf(address);
    const within = await send(bytesOf(address, { body: inner }));
    expect([statuses(within), proofs(within)]).toEqual([[200], 1]);
    const after = await send(bytesOf(address, { length: '4', body: 'bodyX', close: false }));
    // Node may close before it has sent the first answer.
    expect(statuses(after).at(-1)).toBe(400);
    expect(proofs(after)).toBeLessThanOrEqual(1);
  });

  it('decides nothing on half a body, and is there for the next', async () => {
    const { deps } = t.server;
    const { claim, hookEvent } = deps;
    let asked = 0;
    deps.claim = async (body, inside) => {
      asked++;
      return await claim(body, inside);
    };
    deps.hookEvent = async (...given) => {
      asked++;
      return await hookEvent(...given);
    };
    try {
      const reported = t.reported.length;
      const socket = connect(t.server.port, '127.0.0.1').resume();
      socket.on('error', () => {});
      const closed = once(socket, 'close');
      socket.end(bytesOf(address, { length: '8' }));
      await closed;
      // Nobody waits for an answer.
      expect([asked, t.reported.length]).toEqual([0, reported]);
      expect(proofs(await send(bytesOf(address)))).toBe(1);
      expect(asked).toBe(1);
    } finally {
      Object.assign(deps, { claim, hookEvent });
      t.reported.length = 0;
    }
  });

  it('lives on when whoever asked has left before the answer', async () => {
    const { deps } = t.server;
    const { claim, hookEvent } = deps;
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    let begun = (): void => {};
    const asked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    deps.claim = async (body, inside) => {
      begun();
      await gone;
      return await claim(body, inside);
    };
    deps.hookEvent = async (...given) => {
      begun();
      await gone;
      return await hookEvent(...given);
    };
    try {
      const socket = connect(t.server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(bytesOf(address));
      await asked;
      socket.resetAndDestroy();
      const count = () =>
        new Promise<number>((resolve) => t.server.http.getConnections((_error, found) => resolve(found)));
      await expect.poll(count, { timeout: WAIT_MS }).toBe(0);
    } finally {
      left();
      Object.assign(deps, { claim, hookEvent });
    }
    expect(proofs(await send(bytesOf(address)))).toBe(1);
  });
});
