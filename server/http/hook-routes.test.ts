import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_HOOK_BODY_BYTES } from '../../shared/limits.ts';
import { InsideDoors } from '../auth/inside-doors.ts';
import { Peers } from '../auth/peers/peers.ts';
import { hookListener, proveFirst } from './hook-routes.ts';

const HOOK = 'hook-credential';
let server: Server;
let port = 0;
const reported: unknown[] = [];

beforeAll(async () => {
  const deps = {
    port: () => port,
    inside: new InsideDoors('/nowhere', () => ({ pid: 1, port: 1, version: '' })),
    hook: HOOK,
    proof: 'the-proof',
    peers: new Peers('/nonexistent'),
    touch: () => {},
    hookEvent: async (event, body, { env, session }) => {
      if (body.toString() === 'fail') throw new Error('failed inside');
      return { exit: 2, stream: 'err', text: `${event} ${session} ${env} ${body.length}` };
    },
    claim: async (body) => `claim of ${body.length} bytes`,
    client: { start: async () => null, end: async () => null, serve: () => undefined },
    report: (thrown: unknown) => reported.push(thrown),
  } satisfies Parameters<typeof hookListener>[0];
  const hooks = hookListener(deps);
  const listener: RequestListener = (request, response) => {
    if (!hooks(request, response)) response.end('left to the app');
  };
  server = createServer(listener).on('checkContinue', proveFirst(deps, listener));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    socket.on('data', (chunk) => {
      said += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
  });
}

const lines = (): Record<string, string> => ({
  'Host': `127.0.0.1:${port}`,
  'Authorization': `Bearer ${HOOK}`,
  'Content-Length': '4',
  'Connection': 'close',
});

function request(
  first: string,
  headers: Record<string, string>,
  more: readonly string[] = [],
  body = 'body',
) {
  const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${first} HTTP/1.1`, ...text, ...more, '', body].join('\r\n');
}

describe('a request in two steps', () => {
  const EXPECT = 'Expect: 100-continue';
  const PROVEN = 'HTTP/1.1 100 Continue\r\nProof: the-proof\r\n\r\n';

  it('gets the proof first, and its answer after the body', async () => {
    const said = await send(request('POST /hook/PreToolUse', lines(), ['X-Trai-Session: s1', EXPECT]));
    expect(said.startsWith(`${PROVEN}HTTP/1.1 200 OK`)).toBe(true);
    expect(said).toMatch(/the-proof\n2\nerr\nPreToolUse s1 {2}4$/);
    expect(await send(request('POST /claim', lines(), [EXPECT]))).toMatch(/\nclaim of 4 bytes$/);
    const hello = async (...more: string[]) =>
      (await send(request('POST /hook/hello', lines(), more))).replace(/^Date: .*\r\n/m, '');
    expect(await hello(EXPECT)).toBe(`${PROVEN}${await hello()}`);
  });

  it('is acknowledged piece by piece, as the sender waits for that', async () => {
    const parts = ['one\n', 'two\n', 'end'];
    const headers = { ...lines(), 'Content-Length': String(parts.join('').length) };
    const said = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(request('POST /claim', headers, [EXPECT], '')),
      );
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (/(100 Continue|102 Processing)\r\n(.+\r\n)*\r\n$/.test(text)) socket.write(parts.shift() ?? '');
      });
      socket.on('close', () => resolve(text));
    });
    const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
    expect(said.startsWith(`${PROVEN}${processing}${processing}HTTP/1.1 200 OK`)).toBe(true);
    expect(said).toMatch(/\nclaim of 11 bytes$/);
  });

  it.each([
    ['without a credential', '/claim', { Authorization: '' }],
    ['with a wrong one', '/hook/hello', { Authorization: `Bearer ${HOOK}x` }],
    ['by another name', '/claim', { Host: 'evil.test' }],
    ['at an address of the browser’s', '/api/pair', {}],
    ['from a page', '/claim', { Origin: 'http://evil.test' }],
  ])('%s gets none', async (_, address, headers) => {
    const said = await send(request(`POST ${address}`, { ...lines(), ...headers }, [EXPECT]));
    expect(said).not.toContain('the-proof');
    expect(said).toMatch(/left to the app$/);
  });
});

describe('the short way for hooks and launchers', () => {
  it('answers an event, with what the script said of its caller', async () => {
    const more = ['X-Trai-Session: s1', 'X-Trai-Env: ok'];
    const said = await send(request('POST /hook/PreToolUse', lines(), more));
    expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const [head = '', body = ''] = said.split('\r\n\r\n');
    expect(body).toBe('the-proof\n2\nerr\nPreToolUse s1 ok 4');
    // The script compares the length. Nothing else: every byte costs the caller system calls.
    const headers = head.split('\r\n').slice(1);
    expect(headers).toEqual([`Content-Length: ${body.length}`, 'Connection: close']);
  });

  it('answers a claim, in one piece or many', async () => {
    const { Host, ...rest } = lines();
    const body = 'x'.repeat(300_000);
    const claim = {
      Host: `localhost:${port}`,
      ...rest,
      'Content-Length': String(body.length),
      Host2: Host ?? '',
    };
    expect(await send(request('POST /claim', claim, [], body))).toMatch(/the-proof\nclaim of 300000 bytes$/);
  });

  it('gives no answer at all where answering failed: the script takes the Node path', async () => {
    expect(await send(request('POST /hook/PreToolUse', lines(), [], 'fail'))).toBe('');
    expect(String(reported)).toContain('failed inside');
  });

  it('reports no request that is cut off', async () => {
    reported.length = 0;
    await send(request('POST /claim', { ...lines(), 'Content-Length': '9' }, [], 'half'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reported).toEqual([]);
  });

  it.each([
    ['another method', () => request('GET /hook/PreToolUse', lines())],
    ['an event that there is not', () => request('POST /hook/Stop', lines())],
    ['another address', () => request('POST /hook/hello', lines())],
    ['a query', () => request('POST /claim?x=1', lines())],
    ['an absolute request line', () => request(`POST http://127.0.0.1:${port}/claim`, lines())],
    ['another name', () => request('POST /claim', { ...lines(), Host: `evil.test:${port}` })],
    ['another port', () => request('POST /claim', { ...lines(), Host: `127.0.0.1:${port + 1}` })],
    ['no credential', () => request('POST /claim', { ...lines(), Authorization: '' })],
    ['a wrong credential', () => request('POST /claim', { ...lines(), Authorization: `Bearer ${HOOK}x` })],
    ['another scheme', () => request('POST /claim', { ...lines(), Authorization: HOOK })],
    ['two credentials', () => request('POST /claim', lines(), [`authorization: Bearer ${HOOK}`])],
    ['an origin', () => request('POST /claim', lines(), [`Origin: http://127.0.0.1:${port}`])],
    ['what browsers send', () => request('POST /claim', lines(), ['Sec-Fetch-Site: same-origin'])],
    [
      'a body that is too large',
      () => request('POST /claim', { ...lines(), 'Content-Length': String(MAX_HOOK_BODY_BYTES + 1) }),
    ],
    [
      'a body of unknown length',
      () => {
        const { 'Content-Length': _, ...rest } = lines();
        return request('POST /claim', rest, ['Transfer-Encoding: chunked'], '4\r\nbody\r\n0\r\n\r\n');
      },
    ],
  ])('leaves %s to the app and its guards', async (_, text) => {
    expect(await send(text())).toMatch(/left to the app$/);
  });

  it('never answers two Host headers', async () => {
    expect(await send(request('POST /claim', lines(), [`Host: 127.0.0.1:${port}`]))).not.toContain(
      'the-proof',
    );
  });
});
