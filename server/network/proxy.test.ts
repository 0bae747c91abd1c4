/** The proxy of a box at real sockets; names are resolved by a table. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NetworkLog, readBoxHosts } from '../../core/box/network/network-log.ts';
import { parseAddress } from '../../shared/network/address.ts';
import { networkRules, type Target, targetText } from '../../shared/network/pattern.ts';
import { Gate, type Reply } from './gate.ts';
import { BoxProxy } from './proxy.ts';

interface World {
  allow: string[];
  deny: string[];
  names: Record<string, string[]>;
  /** In the order of the questions. */
  asked: { target: string; signal: AbortSignal }[];
  reply: (target: Target) => Promise<Reply>;
  resolved: string[];
  serverPort: number;
}

let world: World;
let dir: string;
let log: NetworkLog;
let proxy: BoxProxy;
let listener: Server;
const servers: Server[] = [];
const sockets: Socket[] = [];

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listening(use: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    use(socket);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return portOf(server);
}

/** Says what it was sent, once that has ended. */
const echo = (socket: Socket): void => {
  const chunks: Buffer[] = [];
  socket
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => socket.end(Buffer.concat([Buffer.from('echo '), ...chunks])));
};

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trai-proxy-'));
  log = new NetworkLog(dir);
  world = {
    allow: [],
    deny: [],
    names: {},
    asked: [],
    reply: async () => 'late',
    resolved: [],
    serverPort: 1,
  };
  const gate = new Gate({
    rules: () => networkRules(world.allow, world.deny),
    machine: () => ({
      addresses: ['127.0.0.1'].flatMap((text) => parseAddress(text) ?? []),
      serverPort: world.serverPort,
    }),
    ask: async (target, signal) => {
      world.asked.push({ target: targetText(target), signal });
      return await world.reply(target);
    },
    resolve: async (name) => {
      world.resolved.push(name);
      const found = world.names[name];
      if (found === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      return found;
    },
  });
  proxy = new BoxProxy({ gate, log, call: async () => 'c1' });
  listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => proxy.accept(socket));
  await once(listener.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  vi.useRealTimers();
  proxy.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of [listener, ...servers.splice(0)]) await new Promise((done) => server.close(done));
  log.write();
  rmSync(dir, { recursive: true });
});

function opened(): Socket {
  const socket = connect({ port: portOf(listener), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  return socket;
}

/** All that comes until the end; `ends`: whether this side ends after its bytes. */
async function said(bytes: string | Buffer, ends = false): Promise<string> {
  const socket = opened();
  if (ends) socket.end(bytes);
  else socket.write(bytes);
  return await rest(socket);
}

/** Its own side stays open. */
async function rest(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  await new Promise<void>((resolve) => {
    socket.once('end', resolve).once('close', () => resolve());
  });
  return text;
}

/** One second, which it is otherwise, is soon over on a machine that does much else. */
const until = async (check: () => void): Promise<void> => await vi.waitFor(check, { timeout: 30_000 });

const connectTo = (host: string, port: number): string => `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`;
const socksTo = (name: string, port: number): Buffer =>
  Buffer.concat([
    Buffer.from([5, 1, 0, 5, 1, 0, 3, name.length]),
    Buffer.from(name, 'latin1'),
    Buffer.from([port >> 8, port & 255]),
  ]);
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const SOCKS_OK = '\x05\0\x05\0\0\x01\0\0\0\0\0\0';
const hosts = () => {
  log.write();
  return readBoxHosts(dir);
};

describe('what is allowed is reached', () => {
  it('by CONNECT, SOCKS5 and absolute addresses; hosts, ports, bytes and the call are on the record', async () => {
    const port = await listening(echo);
    world.allow = [`127.0.0.1:${port}`, `a.example:${port}`];
    world.names = { 'a.example': ['127.0.0.1'] };
    expect(await said(`${connectTo('127.0.0.1', port)}one`, true)).toBe(`${ESTABLISHED}echo one`);
    expect(await said(Buffer.concat([socksTo('a.example', port), Buffer.from('two')]), true)).toBe(
      `${SOCKS_OK}echo two`,
    );
    expect(
      await said(`GET http://a.example:${port}/x HTTP/1.0\r\nProxy-Authorization: x\r\n\r\nbody`, true),
    ).toBe(`echo GET /x HTTP/1.0\r\nHost: a.example:${port}\r\nConnection: close\r\n\r\nbody`);
    expect(hosts()).toEqual([
      expect.objectContaining({
        host: '127.0.0.1',
        port,
        state: 'allowed',
        connections: 1,
        received: 8,
        sent: 3,
        call: 'c1',
      }),
      expect.objectContaining({ host: 'a.example', port, state: 'allowed', connections: 2, call: 'c1' }),
    ]);
    expect(world.asked).toEqual([]);
  });

  it('names are resolved once, and exactly an address that was judged is reached', async () => {
    const port = await listening(echo);
    world.allow = [`a.example:${port}`, `127.0.0.1:${port}`];
    // As of a server that answers with another address each time.
    const answers = [['10.0.0.9', '0.0.0.0', '127.0.0.1'], ['127.0.0.2']];
    Object.defineProperty(world.names, 'a.example', { get: () => answers.shift() });
    expect(await said(`${connectTo('a.example', port)}x`, true)).toBe(`${ESTABLISHED}echo x`);
    expect(world.resolved).toEqual(['a.example']);
    expect(await said(connectTo('a.example', port))).toContain('403');
    expect(world.resolved).toEqual(['a.example', 'a.example']);
  });

  it('either side may end first, and the other one goes on', async () => {
    const port = await listening((socket) => {
      socket.end('mine is over');
      socket.on('data', (chunk) => received.push(chunk.toString()));
    });
    const received: string[] = [];
    world.allow = [`127.0.0.1:${port}`];
    const socket = opened();
    socket.write(connectTo('127.0.0.1', port));
    expect(await rest(socket)).toBe(`${ESTABLISHED}mine is over`);
    socket.end('and mine goes on');
    await until(() => expect(received.join('')).toBe('and mine goes on'));
    await until(() => expect(proxy.connections).toBe(0));
  });

  it('a reset of one side is one of the other: what came so far is not all', async () => {
    const port = await listening((socket) => socket.once('data', () => socket.resetAndDestroy()));
    world.allow = [`127.0.0.1:${port}`];
    const socket = opened();
    const failed = once(socket, 'error').then(([error]) => error.code);
    socket.resume().write(`${connectTo('127.0.0.1', port)}x`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(await failed).toBe('ECONNRESET');
    await until(() => expect(proxy.connections).toBe(0));
  });
});

describe('what is not allowed is not reached', () => {
  type Attack = [what: string, host: string, addresses?: string[]];
  const ATTACKS: Attack[] = [
    ['this machine', '127.0.0.1'],
    ['another address of it', '127.9.9.9'],
    ['a name that resolves there', 'a.example', ['127.0.0.1']],
    ['a name with a good and a bad address', 'a.example', ['::1', '127.0.0.1']],
    ['localhost, though it is listed', 'localhost', ['127.0.0.1']],
    ['a name of this machine, of which nobody is asked', 'a.localhost'],
    ['IPv6', '::1'],
    ['mapped IPv4', '::ffff:127.0.0.1'],
    ['mapped IPv4, in hexadecimal', '::ffff:7f00:1'],
    ['a name with mapped IPv4', 'a.example', ['::ffff:127.0.0.1']],
    ['compatible IPv4', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['the unspecified address', '0.0.0.0'],
    ['the unspecified address of IPv6', '::'],
    ['a short 0', '0'],
    ['a decimal number', '2130706433'],
    ['a hexadecimal number', '0x7f000001'],
    ['an octal spelling', '0177.0.0.1'],
    ['a short one', '127.1'],
    ['a dot at the end', '127.0.0.1.'],
    ['the metadata service', '169.254.169.254'],
    ['a name of the metadata service', 'a.example', ['169.254.169.254']],
    ['a private address', '10.0.0.1'],
    ['the network of a provider', '100.64.0.1'],
    ['a local address of IPv6', 'fd00::1'],
  ];

  it.each(ATTACKS)('%s: %s', async (...[, host, addresses]) => {
    let reached = 0;
    const port = await listening(() => reached++);
    world.allow = [`a.example:${port}`, `localhost:${port}`, '127.0.0.1:9', '*.example'];
    if (addresses !== undefined) world.names = { [host]: addresses };
    const bracketed = host.includes(':') ? `[${host}]` : host;
    const answer = await said(connectTo(bracketed, port));
    // Programs that are refused a tunnel show this line, as ASCII or not at all.
    expect(answer).toMatch(/^HTTP\/1\.1 403 trai: \S+ is refused: [\x20-\x7e]+\r\n/);
    expect(answer).toMatch(/trai: \S+ is refused: \S+ is an address of /);
    expect(await said(`GET http://${bracketed}:${port}/ HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
    expect((await said(socksTo(host, port))).slice(2, 4)).toBe('\x05\x02');
    expect([reached, world.asked]).toEqual([0, []]);
    expect(hosts().map(({ state }) => state)).toEqual(['refused']);
  });

  it('another port of an allowed host is asked about, and of a listed address refused', async () => {
    let reached = 0;
    const port = await listening(() => reached++);
    world.allow = ['a.example', '127.0.0.1'];
    world.names = { 'a.example': ['127.0.0.1'] };
    expect(await said(connectTo('a.example', port))).toContain(`403`);
    expect(world.asked.map(({ target }) => target)).toEqual([`a.example:${port}`]);
    expect(await said(connectTo('127.0.0.1', port))).toContain('an address of this machine');
    expect([reached, world.resolved]).toEqual([0, []]);
  });

  it('the server’s own port, whatever is listed: from there a box would seem to be the server', async () => {
    let reached = 0;
    const port = await listening(() => reached++);
    world.serverPort = port;
    world.allow = ['127.0.0.0/8', `127.0.0.1:${port}`, `a.example:${port}`, '0.0.0.0/0'];
    world.names = { 'a.example': ['127.0.0.1'] };
    for (const host of ['127.0.0.1', 'a.example', '0.0.0.0', '[::ffff:127.0.0.1]'])
      expect([host, await said(connectTo(host, port))]).toEqual([host, expect.stringContaining('403')]);
    expect(reached).toBe(0);
  });

  it('what deny names, though allow names it too', async () => {
    let reached = 0;
    const port = await listening(() => reached++);
    world.allow = [`a.example:${port}`, `127.0.0.1:${port}`];
    world.names = { 'a.example': ['127.0.0.1'] };
    world.deny = ['*.example'];
    expect(await said(connectTo('a.example', port))).toContain('box.network.deny');
    world.deny = ['127.0.0.1'];
    expect(await said(connectTo('a.example', port))).toContain('403');
    expect(reached).toBe(0);
  });

  it('what is not there is said to be not there', async () => {
    world.allow = ['a.example', '127.0.0.1:9', 'b.example'];
    world.names = { 'b.example': [] };
    expect(await said(connectTo('a.example', 443))).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*a\.example:443 could not be resolved/,
    );
    expect(await said(connectTo('b.example', 443))).toMatch(/^HTTP\/1\.1 502 /);
    expect(await said(connectTo('127.0.0.1', 9))).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*127\.0\.0\.1:9 could not be reached/,
    );
    expect((await said(socksTo('a.example', 443))).slice(2, 4)).toBe('\x05\x04');
  });
});

describe('an unknown host', () => {
  it('is asked about before it is resolved; then the connection goes on with what was sent meanwhile', async () => {
    const port = await listening(echo);
    world.allow = [`127.0.0.1:${port}`];
    world.names = { 'new.example': ['127.0.0.1'] };
    let answer: (reply: Reply) => void = () => undefined;
    world.reply = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const socket = opened();
    socket.write(connectTo('new.example', port));
    await until(() => expect(world.asked).toHaveLength(1));
    expect([world.resolved, hosts()[0]?.state]).toEqual([[], 'asked']);
    socket.write('early');
    answer('yes');
    const text = rest(socket);
    await until(() => expect(hosts()[0]?.state).toBe('allowed'));
    socket.end();
    expect(await text).toBe(`${ESTABLISHED}echo early`);
  });

  it.each([
    ['no', 'the user was asked and said no'],
    ['late', 'did not answer within 30 seconds'],
    ['not-asked', 'the user cannot be asked now'],
    ['many', 'about 20 other hosts already'],
  ] as const)('is refused when the answer is %s, with a text that names it', async (reply, text) => {
    world.reply = async () => reply;
    const answer = await said(connectTo('new.example', 8443));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain(`trai: new.example:8443 is refused: `);
    expect(answer).toContain(text);
    expect((await said(socksTo('new.example', 443))).slice(2, 4)).toBe('\x05\x02');
    expect(world.resolved).toEqual([]);
  });

  it('is not asked about any more when the program has gone', async () => {
    world.reply = () => new Promise(() => undefined);
    const socket = opened();
    socket.write(connectTo('new.example', 443));
    await until(() => expect(world.asked).toHaveLength(1));
    expect(world.asked[0]?.signal.aborted).toBe(false);
    socket.destroy();
    await until(() => expect(world.asked[0]?.signal.aborted).toBe(true));
  });
});

describe('whatever a program does', () => {
  it.each([
    ['of no proxy', 'GET / HTTP/1.1\r\n\r\n'],
    ['of TLS', '\x16\x03\x01\0\x05'],
    ['without a port', 'CONNECT a HTTP/1.1\r\n\r\n'],
    ['of SOCKS5 with a password', '\x05\x01\x02'],
    ['without an end', `GET http://a/${'x'.repeat(20_000)}`],
  ])('a wrong request gets an answer and the end: %s', async (_, bytes) => {
    expect(await said(Buffer.from(bytes, 'latin1'))).not.toBe('');
    await until(() => expect(proxy.connections).toBe(0));
  });

  it('a request that comes too slowly is cut off', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = opened();
    socket.resume().write('CONNECT a.example:443 HT');
    while (proxy.connections === 0) await new Promise(setImmediate);
    const closed = once(socket, 'close');
    await vi.advanceTimersByTimeAsync(29_000);
    expect(socket.destroyed).toBe(false);
    socket.write('TP');
    await vi.advanceTimersByTimeAsync(2_000);
    // No half-open rest of it.
    socket.end();
    await closed;
    expect(proxy.connections).toBe(0);
  });

  it('a connection without a request ends with its client', async () => {
    opened().end();
    await until(() => expect(proxy.connections).toBe(0));
  });

  it('a reader that does not read holds the sender back, and gets every byte in the end', async () => {
    const whole = 256 * 1024 * 1024;
    // No two pieces are alike: one that was overwritten before it was read would be seen.
    const chunk = randomBytes(1024 * 1024 + 7);
    const [sent, got] = [createHash('sha1'), createHash('sha1')];
    let sender: Socket | undefined;
    const port = await listening((socket) => {
      sender = socket;
      let left = whole;
      const send = (): void => {
        while (left > 0) {
          const piece = Buffer.from(chunk.subarray(0, left));
          piece.writeUInt32BE(left);
          left -= piece.length;
          sent.update(piece);
          if (!socket.write(piece)) return void socket.once('drain', send);
        }
        socket.end();
      };
      send();
    });
    world.allow = [`127.0.0.1:${port}`];
    const socket = opened();
    socket.end(connectTo('127.0.0.1', port));
    const looks: number[] = [];
    await until(() => {
      looks.push(hosts()[0]?.received ?? 0);
      const last = looks.slice(-5);
      expect(last.length === 5 && (last[0] ?? 0) > 0 && new Set(last).size === 1).toBe(true);
    });
    // What the kernel holds of a connection, and no more.
    expect(hosts()[0]?.received).toBeLessThan(whole / 4);
    expect(sender?.writableNeedDrain).toBe(true);
    let received = 0;
    let head = ESTABLISHED.length;
    for await (const piece of socket as AsyncIterable<Buffer>) {
      received += piece.length;
      got.update(piece.subarray(head));
      head = Math.max(0, head - piece.length);
    }
    expect(received).toBe(whole + ESTABLISHED.length);
    expect(got.digest('hex')).toBe(sent.digest('hex'));
  });

  it('a thousand connections work at once, and nothing of them is left', async () => {
    const port = await listening(echo);
    world.allow = [`127.0.0.1:${port}`];
    const all = Array.from({ length: 1_000 }, (_, i) => {
      const socket = opened();
      socket.write(`${connectTo('127.0.0.1', port)}${i}`);
      return socket;
    });
    await until(() => expect(proxy.connections).toBe(2_000));
    const texts = await Promise.all(
      all.map((socket) => {
        socket.end();
        return rest(socket);
      }),
    );
    expect(texts.filter((text, i) => text !== `${ESTABLISHED}echo ${i}`)).toEqual([]);
    await until(() => expect(proxy.connections).toBe(0));
    expect(hosts()).toEqual([expect.objectContaining({ connections: 1_000, state: 'allowed' })]);
  });
});
