/**
 * IP addresses: their texts, every spelling that the C library takes for one, and what an address is of. Pure.
 *
 * `addressIn` reads a host as the proxy of a box gets it. What it takes for a name can only be one: `2130706433`, `0x7f.1`
 * and `::ffff:127.0.0.1` are 127.0.0.1 here, as they would be for getaddrinfo(3).
 */

/** IPv4 in IPv6 (mapped) is IPv4. */
export interface Address {
  family: 4 | 6;
  value: bigint;
}

/** Addresses with the same first `bits`. */
export interface AddressBlock {
  base: Address;
  bits: number;
}

/**
 * - `public`: of the internet. `private`: of a local network (also the CGNAT of a provider, and IPv6's unique local ones).
 * - `unspecified`: connecting to it is connecting to this machine. `reserved`: of nobody.
 */
export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'multicast'
  | 'unspecified'
  | 'reserved';

const BITS = { 4: 32, 6: 128 } as const;
const MAPPED = 0xffffn << 32n;

/** Null unless it is one in the usual form: `127.0.0.1`, `::1`. */
export function parseAddress(text: string): Address | null {
  const four = parseDotted(text);
  if (four !== null) return four;
  const value = parseSix(text);
  if (value === null) return null;
  return value >> 32n === MAPPED >> 32n ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

function parseDotted(text: string): Address | null {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return null;
  const bytes = text.split('.').map(Number);
  if (bytes.some((byte) => byte > 255)) return null;
  return { family: 4, value: bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) };
}

function parseSix(text: string): bigint | null {
  const [, before = text, tail] = /^(.*:)([^:]*\.[^:]*)$/.exec(text) ?? [];
  const four = tail === undefined ? null : parseDotted(tail);
  if (tail !== undefined && four === null) return null;
  const low = four?.value ?? 0n;
  const whole =
    four === null ? text : `${before}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  const halves = whole.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [left = [], right] = halves;
  const groups = [...left, ...(right ?? [])];
  const isRight = right === undefined ? groups.length === 8 : groups.length < 8;
  if (halves.length > 2 || !isRight || !groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  const zeros = Array.from({ length: 8 - groups.length }, () => '0');
  return [...left, ...zeros, ...(right ?? [])].reduce(
    (sum, group) => (sum << 16n) | BigInt(`0x${group}`),
    0n,
  );
}

/**
 * The address that a host stands for; `invalid` where it could only be a wrong one; null for a name.
 * @param host in lower case, without brackets
 */
export function addressIn(host: string): Address | 'invalid' | null {
  const usual = parseAddress(host);
  if (usual !== null) return usual;
  if (host.includes(':')) return 'invalid';
  const parts = host.replace(/\.$/, '').split('.');
  // A name whose last label is a number is none (WHATWG URL, "ends in a number").
  if (!/^(?:\d+|0x[0-9a-f]*)$/.test(parts.at(-1) ?? '')) return null;
  return legacyFour(parts) ?? 'invalid';
}

/** inet_aton(3): one to four numbers, decimal, octal or hexadecimal; the last one fills the rest. */
function legacyFour(parts: readonly string[]): Address | null {
  const numbers = parts.map((part) => {
    if (/^0x[0-9a-f]*$/.test(part)) return part === '0x' ? 0n : BigInt(part);
    if (/^0[0-7]*$/.test(part)) return BigInt(`0o${part}`);
    return /^[1-9]\d{0,19}$/.test(part) ? BigInt(part) : null;
  });
  const last = numbers.pop();
  const room = 8n * BigInt(4 - numbers.length);
  if (numbers.length > 3 || last === undefined || last === null || last >= 1n << room) return null;
  let value = 0n;
  for (const number of numbers) {
    if (number === null || number > 255n) return null;
    value = (value << 8n) | number;
  }
  return { family: 4, value: (value << room) | last };
}

/** In the usual form; of IPv6 as in RFC 5952. */
export function addressText({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  const text = groups.join(':');
  const runs = text.match(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const at = text.search(new RegExp(`(?<![0-9a-f])${longest}(?![0-9a-f])`));
  const [before, after] = [text.slice(0, at), text.slice(at + longest.length)];
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
}

/** `10.0.0.0/8`, `fd00::/8`, or one address. Null unless the bits behind the first ones are zero. */
export function parseBlock(text: string): AddressBlock | null {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const base = parseAddress(address);
  if (base === null) return null;
  const most = BITS[base.family];
  const bits = length === undefined ? most : Number(length);
  if (bits > most || base.value & ((1n << BigInt(most - bits)) - 1n)) return null;
  return { base, bits };
}

export function isIn({ family, value }: Address, { base, bits }: AddressBlock): boolean {
  const rest = BigInt(BITS[family] - bits);
  return family === base.family && value >> rest === base.value >> rest;
}

/** Made when asked for: every command loads this file for the form of config.json, and few judge an address. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const block = (text: string): AddressBlock => {
  const made = parseBlock(text);
  if (made === null) throw new Error(`expected addresses: ${text}`);
  return made;
};
const kinds = (kind: AddressKind, texts: string): (readonly [AddressBlock, AddressKind])[] =>
  texts.split(' ').map((text) => [block(text), kind] as const);

/** IANA's special-purpose registries; the first that has the address counts. All else of IPv6 outside of 2000::/3 is reserved. */
const KINDS = once(() => [
  ...kinds('unspecified', '0.0.0.0/8 ::/128'),
  ...kinds('loopback', '127.0.0.0/8 ::1/128'),
  ...kinds('link-local', '169.254.0.0/16 fe80::/10'),
  // Azure's own services for a machine, at an address that is public by its number.
  ...kinds('link-local', '168.63.129.16/32'),
  ...kinds(
    'private',
    '10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10 64:ff9b:1::/48',
  ),
  ...kinds('multicast', '224.0.0.0/4 ff00::/8'),
  ...kinds(
    'reserved',
    '192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4',
  ),
  // With Teredo, whose IPv4 address is another server's affair.
  ...kinds('reserved', '2001::/23 2001:db8::/32 3fff::/20'),
]);
/** IPv6 that leads to an IPv4 address: IPv4-compatible, NAT64, 6to4; and how far the address is from the end. */
const LEADS_TO_FOUR = once(
  () =>
    [
      [block('::/96'), 0n],
      [block('64:ff9b::/96'), 0n],
      [block('2002::/16'), 80n],
    ] as const,
);
const GLOBAL_SIX = once(() => block('2000::/3'));

/** The IPv4 address to which an IPv6 one leads; null: none is known. */
export function fourOf(address: Address): Address | null {
  const found = LEADS_TO_FOUR().find(([one]) => isIn(address, one));
  return found === undefined ? null : { family: 4, value: (address.value >> found[1]) & 0xffffffffn };
}

export function kindOf(address: Address): AddressKind {
  const found = KINDS().find(([one]) => isIn(address, one));
  if (found !== undefined) return found[1];
  const four = fourOf(address);
  if (four !== null) return kindOf(four);
  return address.family === 4 || isIn(address, GLOBAL_SIX()) ? 'public' : 'reserved';
}
