/**
 * What a program in a box says to the proxy: SOCKS5 (RFC 1928), HTTP CONNECT, or a request in absolute form (RFC 9112), told
 * apart by the first byte. Incremental, and pure: bytes in, a target or an answer out. What is not beyond doubt is refused.
 *
 *     parser.push(bytes)    `more`: more bytes are needed. `answer`: to be sent, then push what came behind it (`rest`).
 *                           `wrong`: to be sent, then the end. `target`: where it is to lead
 */
import { type Target, targetOf, targetText } from '../../../shared/network/pattern.ts';

/** A larger head is refused (bytes). */
export const MAX_HEAD = 16 * 1024;

export type Protocol = 'connect' | 'http' | 'socks';

export type Parsed =
  | { state: 'more' }
  | { state: 'answer'; bytes: Buffer; rest: Buffer }
  | { state: 'wrong'; bytes: Buffer }
  | {
      state: 'target';
      protocol: Protocol;
      target: Target;
      /** For the target: the head of a forwarded request, and what came behind the head. */
      first: Buffer;
    };

const MORE: Parsed = { state: 'more' };
const SOCKS_VERSION = 5;
const END = Buffer.from('\r\n\r\n');

export class RequestParser {
  #held: Buffer = Buffer.alloc(0);
  #isGreeted = false;

  /** Not any more after `wrong` and `target`. */
  push(bytes: Buffer): Parsed {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const [first] = this.#held;
    if (first === undefined) return MORE;
    if (this.#isGreeted)
      return first === SOCKS_VERSION
        ? parseSocks(this.#held)
        : { state: 'wrong', bytes: socksReply('failed') };
    if (first === SOCKS_VERSION) return this.#greet();
    const end = this.#held.subarray(0, MAX_HEAD + END.length).indexOf(END);
    if (end !== -1)
      return parseHttp(this.#held.toString('latin1', 0, end), this.#held.subarray(end + END.length));
    // Something else than HTTP is not waited for.
    if (!/^[A-Z]/.test(String.fromCharCode(first))) return wrong('400 Bad Request', NO_PROXY_REQUEST);
    return this.#held.length > MAX_HEAD ? wrong('431 Request Header Fields Too Large', TOO_LONG) : MORE;
  }

  #greet(): Parsed {
    const [, count = 256] = this.#held;
    const length = 2 + count;
    if (this.#held.length < length) return MORE;
    const isOpen = this.#held.subarray(2, length).includes(0);
    const rest = this.#held.subarray(length);
    this.#held = Buffer.alloc(0);
    this.#isGreeted = true;
    if (!isOpen) return { state: 'wrong', bytes: Buffer.from([SOCKS_VERSION, 0xff]) };
    return { state: 'answer', bytes: Buffer.from([SOCKS_VERSION, 0]), rest };
  }
}

const NO_PROXY_REQUEST =
  'This is the proxy of a trai box: it takes CONNECT, absolute addresses (http://) and SOCKS5.';
const TOO_LONG = `The head of the request has more than ${MAX_HEAD} bytes.`;

function wrong(status: string, text: string): Parsed {
  return { state: 'wrong', bytes: httpAnswer(status, text) };
}

/** A whole answer, after which the connection ends. */
export function httpAnswer(status: string, text: string): Buffer {
  const body = Buffer.from(`${text}\n`);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** Reply codes of RFC 1928. */
export const SOCKS_REPLIES = {
  ok: 0,
  failed: 1,
  forbidden: 2,
  unreachable: 4,
  refused: 5,
  command: 7,
  address: 8,
};

/** With the address 0.0.0.0:0, as it is of no use to anybody. */
export function socksReply(reply: keyof typeof SOCKS_REPLIES): Buffer {
  return Buffer.from([SOCKS_VERSION, SOCKS_REPLIES[reply], 0, 1, 0, 0, 0, 0, 0, 0]);
}

/** Bytes of the address by its type; a name has its length in front. */
const ADDRESS_BYTES = new Map([
  [1, 4],
  [4, 16],
]);
const NAME_TYPE = 3;

function parseSocks(bytes: Buffer): Parsed {
  const [, command, , type = 0, first] = bytes;
  if (command === undefined) return MORE;
  if (command !== 1) return { state: 'wrong', bytes: socksReply('command') };
  if (bytes.length < 5) return MORE;
  const isName = type === NAME_TYPE;
  const length = isName ? first : ADDRESS_BYTES.get(type);
  if (length === undefined) return { state: 'wrong', bytes: socksReply('address') };
  const from = isName ? 5 : 4;
  const end = from + length;
  if (bytes.length < end + 2) return MORE;
  const address = bytes.subarray(from, end);
  const host = isName ? address.toString('latin1') : type === 1 ? [...address].join('.') : groupsOf(address);
  const target = targetOf(host, bytes.readUInt16BE(end));
  if (target === null) return { state: 'wrong', bytes: socksReply('address') };
  return { state: 'target', protocol: 'socks', target, first: bytes.subarray(end + 2) };
}

function groupsOf(address: Buffer): string {
  return Array.from({ length: 8 }, (_, i) => address.readUInt16BE(2 * i).toString(16)).join(':');
}

function parseHttp(head: string, rest: Buffer): Parsed {
  const [line = '', ...fields] = head.split('\r\n');
  const [, method = '', where = '', version = ''] = /^([A-Z]{1,20}) (\S+) (HTTP\/1\.[01])$/.exec(line) ?? [];
  const headers = fields.map((field) =>
    /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(field),
  );
  if (method === '' || !/^[\x21-\x7e]+$/.test(where) || headers.includes(null))
    return wrong('400 Bad Request', NO_PROXY_REQUEST);
  if (method === 'CONNECT') {
    const target = authority(where, null);
    if (target === null) return wrong('400 Bad Request', NO_TARGET);
    return { state: 'target', protocol: 'connect', target, first: rest };
  }
  const [, named = '', path = ''] = /^http:\/\/([^/?#]+)([/?][^#]*)?$/i.exec(where) ?? [];
  const target = authority(named, HTTP_PORT);
  if (target === null) return wrong('400 Bad Request', named === '' ? NO_PROXY_REQUEST : NO_TARGET);
  const pairs = headers.flatMap((found) =>
    found === null ? [] : [[found[1] ?? '', found[2] ?? ''] as const],
  );
  const request = forwarded(
    { method, path: path.startsWith('/') ? path : `/${path}`, version },
    target,
    pairs,
  );
  return { state: 'target', protocol: 'http', target, first: Buffer.concat([request, rest]) };
}

const HTTP_PORT = 80;
const NO_TARGET = 'Expected the name or the address of a host, and a port.';

/** `host:port`, `[v6]:port`; without a port where `usual` is one. Null with a user name in front, or anything else. */
function authority(text: string, usual: number | null): Target | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^@:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? usual : Number(port);
  if (host === undefined || number === null || (bracketed !== undefined && !bracketed.includes(':')))
    return null;
  return targetOf(host, number);
}

/** About this connection only (RFC 9110, 7.6.1), or replaced. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'proxy-connection',
    'proxy-authorization',
    'proxy-authenticate',
    'keep-alive',
    'te',
    'upgrade',
  ],
  'host',
]);

/** One request a connection: what comes behind it goes to the same target. */
function forwarded(
  { method, path, version }: { method: string; path: string; version: string },
  target: Target,
  headers: readonly (readonly [string, string])[],
): Buffer {
  const named = headers.flatMap(([name, value]) =>
    name.toLowerCase() === 'connection' ? value.split(',').map((one) => one.trim().toLowerCase()) : [],
  );
  const kept = headers.filter(([name]) => ![...HOP_BY_HOP, ...named].includes(name.toLowerCase()));
  const host = target.port === HTTP_PORT ? targetText(target).replace(/:80$/, '') : targetText(target);
  const lines = [
    `${method} ${path} ${version}`,
    `Host: ${host}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
