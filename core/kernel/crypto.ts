/**
 * Node's crypto for what every start of a client loads: it is loaded when it is first used, since that takes 4 ms. What a
 * start itself needs is made without it.
 */
import type { Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const crypto = () => process.getBuiltinModule('node:crypto');

/** In hex. */
export const hash = (algorithm: 'sha256', data: string | Uint8Array): string =>
  crypto().hash(algorithm, data);
export const createHash = (algorithm: string): Hash => crypto().createHash(algorithm);
export const randomBytes = (size: number): Buffer => crypto().randomBytes(size);

/** Of the kernel. */
export const randomUuid = (): string => readFileSync('/proc/sys/kernel/random/uuid', 'latin1').trim();

/** The first 32 bits of the fractional part of a root of a prime number. */
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n);
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** In hex; for short texts. FIPS 180-4. */
export function sha256(data: Uint8Array): string {
  const blocks = Buffer.alloc(Math.ceil((data.length + 9) / 64) * 64);
  blocks.set(data);
  blocks[data.length] = 0x80;
  blocks.writeBigUInt64BE(BigInt(data.length) * 8n, blocks.length - 8);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.readInt32BE(at + 4 * i);
    mix(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** One block, whose first 16 words are there. */
function mix(state: Int32Array, words: Int32Array): void {
  const word = (i: number): number => words[i] ?? 0;
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    if (i >= 16) {
      const [x, y] = [word(i - 15), word(i - 2)];
      const low = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
      const high = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
      words[i] = word(i - 16) + low + word(i - 7) + high;
    }
    const chosen = (e & f) ^ (~e & g);
    const one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + chosen + (ROUND[i] ?? 0) + word(i);
    const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + value;
}
