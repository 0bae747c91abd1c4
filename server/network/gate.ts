/**
 * Whether a connection from a box may be made, and making it:
 *
 *     the target by its name or address     shared/network/pattern.ts; the user is asked about an unknown one
 *     its addresses                         resolved once, here, and only after that; each is judged by itself
 *     the connection                        to exactly an address that was judged
 */
import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { errorCode } from '../../core/kernel/fs/port.ts';
import { filled } from '../../shared/format.ts';
import { type Address, addressText, parseAddress } from '../../shared/network/address.ts';
import {
  judgeAddress,
  judgeTarget,
  type Machine,
  type NetworkRules,
  type Target,
  targetText,
  type Verdict,
} from '../../shared/network/pattern.ts';
import { KINDS, REFUSED } from '../messages/network.ts';

/** What the user said about an unknown host; `late`: nothing. */
export type Reply = 'yes' | 'no' | 'late' | 'not-asked' | 'many';

export interface GateParts {
  /** As they are now. */
  rules: () => NetworkRules;
  machine: () => Machine;
  ask: (target: Target, signal: AbortSignal) => Promise<Reply>;
  /** For tests: the addresses of a name, as texts. */
  resolve?: (name: string) => Promise<string[]>;
}

/** Paused; see `reading`. */
export interface Reached {
  socket: Socket;
  /** Gets what comes, in a buffer that is used again: true when it is done with it, else it resumes the socket later. */
  reading: { take: (bytes: Buffer) => boolean };
}

export type Admitted =
  | ({ state: 'connected' } & Reached)
  /** `forbidden`: by trai; `failed`: by the network. For the program: the text. */
  | { state: 'forbidden' | 'failed'; text: string };

/** For an answer of the user (ms). */
export const ASK_MS = 30_000;
const RESOLVE_MS = 10_000;
const CONNECT_MS = 10_000;
const MOST_ADDRESSES = 4;

export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** @param asks called when the user is to be asked; false: too many wait for that already */
  async admit(target: Target, signal: AbortSignal, asks: () => boolean): Promise<Admitted> {
    const { rules, machine, ask } = this.#parts;
    const verdict = judgeTarget(target, rules(), machine());
    if (verdict.state === 'unknown') {
      const reply = asks() ? await ask(target, signal) : 'many';
      if (reply !== 'yes') return forbidden(reply, target);
    } else if (verdict.state !== 'allowed') return refused(verdict, target, target.address);
    return await this.#reach(target, signal);
  }

  async #reach(target: Target, signal: AbortSignal): Promise<Admitted> {
    const found = target.address === null ? await this.#addresses(target.host) : [target.address];
    if (typeof found === 'string') return failed('unresolved', target, found);
    let last: Admitted = failed('unresolved', target, 'it has no address');
    for (const address of found.slice(0, MOST_ADDRESSES)) {
      if (signal.aborted) break;
      // Those of now: the user may have answered a while ago.
      const verdict = judgeAddress(address, target.port, this.#parts.rules(), this.#parts.machine());
      if (verdict.state !== 'allowed') {
        last = refused(verdict, target, address);
        continue;
      }
      try {
        return { state: 'connected', ...(await connected(address, target.port, signal)) };
      } catch (error) {
        last = failed('unreachable', target, errorCode(error));
      }
    }
    return last;
  }

  async #addresses(name: string): Promise<Address[] | string> {
    const resolve = this.#parts.resolve ?? addressesOf;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string[]>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), RESOLVE_MS);
    });
    try {
      const texts = await Promise.race([resolve(name), late]);
      return texts.flatMap((text) => parseAddress(text) ?? []);
    } catch (error) {
      return errorCode(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function addressesOf(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** Of a connection; memory only as far as it is used (bytes). */
const PIECE = 128 * 1024;

async function connected(address: Address, port: number, signal: AbortSignal): Promise<Reached> {
  const reading: Reached['reading'] = { take: () => false };
  const socket = connect({
    // An address is not looked up again.
    host: addressText(address),
    port,
    allowHalfOpen: true,
    keepAlive: true,
    noDelay: true,
    // In place of a new buffer for each piece: a quarter less work, and 40 MB less after 1 GB.
    onread: {
      buffer: Buffer.allocUnsafeSlow(PIECE),
      callback: (length, buffer) => reading.take(Buffer.from(buffer.buffer, buffer.byteOffset, length)),
    },
  });
  socket.pause();
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })),
    CONNECT_MS,
  );
  const stop = (): void => void socket.destroy(new Error('the client has gone'));
  signal.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return { socket, reading };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function refused(
  verdict: Exclude<Verdict, { state: 'allowed' | 'unknown' }>,
  target: Target,
  address: Address | null,
): Admitted {
  if (verdict.state === 'denied') return forbidden('denied', target);
  const { kind } = verdict;
  if (address === null) return forbidden('local', target, { address: `127.0.0.1:${target.port}` });
  const values = { address: addressText(address), kind: KINDS[kind] };
  return forbidden(kind === 'unspecified' ? 'never' : 'address', target, values);
}

function forbidden(
  why: Exclude<Reply, 'yes'> | 'denied' | 'address' | 'local' | 'never',
  target: Target,
  more: Record<string, string> = {},
): Admitted {
  const values = { target: targetText(target), seconds: ASK_MS / 1_000, count: MOST_ASKED, ...more };
  return { state: 'forbidden', text: filled(REFUSED[why], values) };
}

/** Hosts of one box about which the user is asked at a time. */
export const MOST_ASKED = 20;

function failed(how: 'unresolved' | 'unreachable', target: Target, why: string): Admitted {
  return { state: 'failed', text: filled(REFUSED[how], { target: targetText(target), why }) };
}
