/**
 * The proxy of a box: connections that were accepted in its network namespace, each from its request to its end. What is let
 * through is copied as it comes: nothing is decrypted, and a slow side holds the other one back (backpressure).
 */
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { NetworkLog } from '../../core/box/network/network-log.ts';
import { httpAnswer, type Parsed, RequestParser, socksReply } from '../../core/box/network/requests.ts';
import type { BoxHost } from '../../shared/model/box.ts';
import type { Admitted, Gate, Reached } from './gate.ts';

export interface ProxyParts {
  gate: Pick<Gate, 'admit'>;
  log: NetworkLog;
  /** The call that runs now. */
  call: () => Promise<string | null>;
}

/** A client that sends its request a byte a minute is cut off (ms). */
const HEAD_MS = 30_000;
/** Connections of a box. */
export const MOST_CONNECTIONS = 1_024;
/** Of these, those that wait for an answer: each may hold what its client has sent already. */
const MOST_WAITING = 256;

type Asked = Extract<Parsed, { state: 'target' }>;

export class BoxProxy {
  readonly #parts: ProxyParts;
  readonly #open = new Set<Socket>();
  #waiting = 0;

  constructor(parts: ProxyParts) {
    this.#parts = parts;
  }

  get connections(): number {
    return this.#open.size;
  }

  /** A paused connection with `allowHalfOpen`. */
  accept(client: Socket): void {
    this.#keep(client);
    const parser = new RequestParser();
    const timer = setTimeout(() => client.destroy(), HEAD_MS);
    client.once('close', () => clearTimeout(timer));
    const onData = (bytes: Buffer): void => {
      let parsed = parser.push(bytes);
      if (parsed.state === 'answer') {
        client.write(parsed.bytes);
        parsed = parser.push(parsed.rest);
      }
      if (parsed.state === 'more' || parsed.state === 'answer') return;
      clearTimeout(timer);
      client.off('data', onData).off('end', onEnd).pause();
      if (parsed.state === 'wrong') client.end(parsed.bytes, () => client.destroy());
      else void this.#serve(client, parsed).catch(() => client.destroy());
    };
    // Without a request.
    const onEnd = (): void => void client.destroy();
    client.on('data', onData).on('end', onEnd).resume();
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
  }

  async #serve(client: Socket, asked: Asked): Promise<void> {
    const { gate, log, call } = this.#parts;
    const host = log.connected(asked.target, call);
    const gone = new AbortController();
    const held = holdBack(client, asked, () => gone.abort());
    let asks = 0;
    const beginsToAsk = (): boolean => {
      if (this.#waiting >= MOST_WAITING) return false;
      this.#waiting += asks = 1;
      log.set(host, 'asked');
      held.asks();
      return true;
    };
    let admitted: Admitted;
    try {
      admitted = await gate.admit(asked.target, gone.signal, beginsToAsk);
    } finally {
      this.#waiting -= asks;
      held.release();
    }
    log.set(host, admitted.state === 'forbidden' ? 'refused' : 'allowed');
    if (admitted.state !== 'connected') return refuse(client, asked, admitted);
    if (client.destroyed) return void admitted.socket.destroy();
    this.#join(client, admitted, asked, host, held.bytes());
  }

  #join(
    client: Socket,
    { socket: server, reading }: Reached,
    { protocol, first }: Asked,
    host: BoxHost,
    more: Buffer,
  ): void {
    const { log } = this.#parts;
    this.#keep(server);
    // Each direction ends by itself. A reset of one side is one of the other, lest what came so far seem to be all.
    client.prependListener('error', () => server.resetAndDestroy());
    server.prependListener('error', () => client.resetAndDestroy());
    if (protocol === 'connect') client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (protocol === 'socks') client.write(socksReply('ok'));
    const sent = Buffer.concat([first, more]);
    if (sent.length > 0) server.write(sent);
    log.count(host, { sent: sent.length });
    client.on('data', ({ length }: Buffer) => log.count(host, { sent: length }));
    pipeline(client, server, (error) => {
      if (error === null || error === undefined) return;
      client.destroy();
      server.destroy();
    });
    reading.take = (bytes) => {
      log.count(host, { received: bytes.length });
      return forwarded(client, server, bytes);
    };
    server.once('end', () => client.end()).resume();
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.once('close', () => {
        if (!server.readableEnded) other.destroy();
      });
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** True when the kernel has all of it; else the server is read on once it has, since the buffer is used again. */
function forwarded(client: Socket, server: Socket, bytes: Buffer): boolean {
  let isHeld = false;
  client.write(bytes, () => {
    if (isHeld && client.writableLength === 0) server.resume();
  });
  isHeld = client.writableLength > 0;
  return !isHeld;
}

interface HeldBack {
  /** The user is asked from now on, which takes a while. */
  asks: () => void;
  bytes: () => Buffer;
  release: () => void;
}

/**
 * Until it is known where a connection leads: holds one piece of what the client sends, and notices that it has gone. A
 * client that waits for a tunnel has gone when it ends; a request in absolute form may come with its end.
 */
function holdBack(client: Socket, { protocol }: Asked, onGone: () => void): HeldBack {
  let held: Buffer = Buffer.alloc(0);
  let isAsked = false;
  let hasEnded = false;
  const look = (): void => {
    if (isAsked && hasEnded && protocol !== 'http') client.destroy();
  };
  const onData = (bytes: Buffer): void => {
    held = bytes;
    client.pause();
  };
  const onEnd = (): void => {
    hasEnded = true;
    look();
  };
  client.on('data', onData).on('end', onEnd).once('close', onGone).resume();
  return {
    asks: () => {
      isAsked = true;
      look();
    },
    bytes: () => held,
    release: () => void client.off('data', onData).off('end', onEnd).off('close', onGone).pause(),
  };
}

function refuse(
  client: Socket,
  { protocol }: Asked,
  { state, text }: Exclude<Admitted, { state: 'connected' }>,
): void {
  const isForbidden = state === 'forbidden';
  // Of a tunnel that is refused programs show the status line at most (pip, npm).
  const bytes =
    protocol === 'socks'
      ? socksReply(isForbidden ? 'forbidden' : 'unreachable')
      : httpAnswer(`${isForbidden ? 403 : 502} ${text}`, text);
  // Read to its end: closing with unread bytes would be a reset, which overtakes the answer.
  client.resume().end(bytes, () => client.destroySoon());
}
