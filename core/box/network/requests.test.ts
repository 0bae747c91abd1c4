import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { targetText } from '../../../shared/network/pattern.ts';
import { MAX_HEAD, type Parsed, RequestParser } from './requests.ts';

/** What comes of it, with the answers on the way. */
function parsed(pieces: readonly Buffer[]): { said: string; end: Parsed } {
  const parser = new RequestParser();
  let said = '';
  let end: Parsed = { state: 'more' };
  for (const [at, piece] of pieces.entries()) {
    end = parser.push(piece);
    if (end.state === 'answer') {
      said += end.bytes.toString('hex');
      end = parser.push(end.rest);
    }
    // What follows a request is the target's.
    if (end.state === 'target') end.first = Buffer.concat([end.first, ...pieces.slice(at + 1)]);
    if (end.state !== 'more') break;
  }
  return { said, end };
}

const of = (text: string): Parsed => parsed([Buffer.from(text, 'latin1')]).end;
const shown = (found: Parsed): string =>
  found.state === 'target'
    ? `${found.protocol} ${targetText(found.target)} ${JSON.stringify(found.first.toString('latin1'))}`
    : found.state === 'wrong'
      ? (found.bytes.toString('latin1').split('\r\n')[0] ?? '')
      : found.state;

const socks = (type: number, address: Buffer, port: number, command = 1): Buffer =>
  Buffer.concat([Buffer.from([5, command, 0, type]), address, Buffer.from([port >> 8, port & 255])]);
const named = (name: string): Buffer =>
  Buffer.concat([Buffer.from([name.length]), Buffer.from(name, 'latin1')]);
const GREETING = Buffer.from([5, 1, 0]);

describe('a request', () => {
  it.each([
    ['CONNECT a.example:443 HTTP/1.1\r\nHost: x\r\n\r\nmore', 'connect a.example:443 "more"'],
    ['CONNECT [::1]:22 HTTP/1.0\r\n\r\n', 'connect [::1]:22 ""'],
    ['CONNECT 0x7f.1:443 HTTP/1.1\r\n\r\n', 'connect 127.0.0.1:443 ""'],
    [
      'GET http://A.example/x?y HTTP/1.1\r\nHost: evil\r\nProxy-Connection: keep-alive\r\nConnection: X-Own, close\r\nX-Own: 1\r\nAccept: */*\r\n\r\n',
      'http a.example:80 "GET /x?y HTTP/1.1\\r\\nHost: a.example\\r\\nAccept: */*\\r\\nConnection: close\\r\\n\\r\\n"',
    ],
    [
      'POST http://a.example:8080 HTTP/1.0\r\nContent-Length: 2\r\n\r\nab',
      'http a.example:8080 "POST / HTTP/1.0\\r\\nHost: a.example:8080\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nab"',
    ],
    [
      'GET http://a.example?q HTTP/1.1\r\n\r\n',
      'http a.example:80 "GET /?q HTTP/1.1\\r\\nHost: a.example\\r\\nConnection: close\\r\\n\\r\\n"',
    ],
  ])('%j leads to %s', (text, result) => {
    expect(shown(of(text))).toBe(result);
  });

  it.each([
    ...['GET / HTTP/1.1\r\n\r\n', 'GET https://a/ HTTP/1.1\r\n\r\n', 'CONNECT a HTTP/1.1\r\n\r\n'],
    ...[
      'CONNECT a:0 HTTP/1.1\r\n\r\n',
      'CONNECT a:65536 HTTP/1.1\r\n\r\n',
      'CONNECT user@a:1 HTTP/1.1\r\n\r\n',
    ],
    ...[
      'CONNECT ::1:443 HTTP/1.1\r\n\r\n',
      'CONNECT [a]:443 HTTP/1.1\r\n\r\n',
      'CONNECT a:443 HTTP/2.0\r\n\r\n',
    ],
    ...[
      'CONNECT a:443\r\n\r\n',
      'CONNECT  a:443 HTTP/1.1\r\n\r\n',
      'CONNECT a:443 HTTP/1.1\r\nX : 1\r\n\r\n',
    ],
    ...['CONNECT a:443 HTTP/1.1\r\n X: folded\r\n\r\n', 'CONNECT a:443 HTTP/1.1\nX: 1\r\n\r\n'],
    ...[
      'GET http://u:p@a/ HTTP/1.1\r\n\r\n',
      'GET http://a\\@b/ HTTP/1.1\r\n\r\n',
      'GET http:/a HTTP/1.1\r\n\r\n',
    ],
    ...[
      'GET http://a/\x01 HTTP/1.1\r\n\r\n',
      'GET http://a/ HTTP/1.1\r\nX: a\x00b\r\n\r\n',
      '\x16\x03\x01',
      '\x04\x01',
    ],
    ...[
      'GET http://a/#x HTTP/1.1\r\n\r\n',
      'CONNECT a\x00.b:443 HTTP/1.1\r\n\r\n',
      'get http://a/ HTTP/1.1\r\n\r\n',
    ],
  ])('%j is wrong', (text) => {
    expect(shown(of(text))).toBe('HTTP/1.1 400 Bad Request');
  });

  it('with a head that does not end is wrong', () => {
    expect(shown(of(`GET http://a/${'x'.repeat(MAX_HEAD - 20)}`))).toBe('more');
    expect(shown(of(`GET http://a/${'x'.repeat(MAX_HEAD)}`))).toBe(
      'HTTP/1.1 431 Request Header Fields Too Large',
    );
  });

  it.each([
    ['a name', socks(3, named('a.example'), 443), 'socks a.example:443 ""'],
    ['a name that is an address', socks(3, named('0177.1'), 22), 'socks 127.0.0.1:22 ""'],
    ['IPv4', socks(1, Buffer.from([127, 0, 0, 1]), 80), 'socks 127.0.0.1:80 ""'],
    ['IPv6', socks(4, Buffer.alloc(16, 1), 80), 'socks [101:101:101:101:101:101:101:101]:80 ""'],
    [
      'mapped IPv4',
      socks(4, Buffer.from(`${'00'.repeat(10)}ffff7f000001`, 'hex'), 80),
      'socks 127.0.0.1:80 ""',
    ],
  ])('of SOCKS5 with %s', (_, request, result) => {
    const { said, end } = parsed([GREETING, request]);
    expect(said).toBe('0500');
    expect(shown(end)).toBe(result);
  });

  it.each([
    ['no method that is open', [Buffer.from([5, 1, 2])], '05ff'],
    [
      'another protocol behind the greeting',
      [GREETING, Buffer.from('GET http://a/ HTTP/1.1\r\n\r\n')],
      '0501',
    ],
    ['no method', [Buffer.from([5, 0])], '05ff'],
    ['BIND', [GREETING, socks(1, Buffer.alloc(4, 1), 1, 2)], '0507'],
    ['UDP', [GREETING, socks(1, Buffer.alloc(4, 1), 1, 3)], '0507'],
    ['another type of address', [GREETING, socks(2, Buffer.alloc(4, 1), 1)], '0508'],
    ['an empty name', [GREETING, socks(3, named(''), 1)], '0508'],
    ['a name with a NUL', [GREETING, socks(3, named('a\0b'), 1)], '0508'],
    ['port 0', [GREETING, socks(1, Buffer.alloc(4, 1), 0)], '0508'],
  ] as const)('of SOCKS5 with %s is refused', (_, pieces, reply) => {
    const { end } = parsed(pieces);
    expect(end.state === 'wrong' ? end.bytes.toString('hex').slice(0, 4) : end.state).toBe(reply);
  });

  it('means the same in whatever pieces it comes', () => {
    const whole = fc.oneof(
      fc.domain().map((name) => Buffer.from(`CONNECT ${name}:443 HTTP/1.1\r\nA: b\r\n\r\nrest`)),
      fc.domain().map((name) => Buffer.from(`GET http://${name}/ HTTP/1.1\r\nHost: x\r\n\r\nrest`)),
      fc.domain().map((name) => Buffer.concat([GREETING, socks(3, named(name), 443), Buffer.from('rest')])),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.concat([GREETING, bytes])),
    );
    fc.assert(
      fc.property(whole, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (bytes, sizes) => {
        const pieces: Buffer[] = [];
        let at = 0;
        for (const size of sizes) {
          if (at < bytes.length) pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        if (at < bytes.length) pieces.push(bytes.subarray(at));
        const single = [...bytes].map((byte) => Buffer.from([byte]));
        expect(shownAll(pieces)).toBe(shownAll(single));
      }),
      { numRuns: 500 },
    );
  });
});

function shownAll(pieces: readonly Buffer[]): string {
  const { said, end } = parsed(pieces);
  return `${said} ${shown(end)}`;
}
