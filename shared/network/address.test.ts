import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, addressIn, addressText, isIn, kindOf, parseAddress, parseBlock } from './address.ts';

const four = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((value): Address => ({ family: 4, value }));
const six = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    // With runs of zeros.
    fc
      .array(fc.constantFrom(0n, 0n, 1n, 0xffffn), { minLength: 8, maxLength: 8 })
      .map((groups) => groups.reduce<bigint>((sum, group) => (sum << 16n) | group, 0n)),
  )
  .filter((value) => value >> 32n !== 0xffffn)
  .map((value): Address => ({ family: 6, value }));

/** As inet_aton(3) takes it: how many parts, and the base of each. */
const spelled = fc
  .tuple(
    four,
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
  )
  .map(([address, count, bases]) => {
    const parts = Array.from({ length: count - 1 }, (_, i) => (address.value >> BigInt(24 - 8 * i)) & 255n);
    parts.push(address.value & ((1n << BigInt(8 * (5 - count))) - 1n));
    const text = parts.map((part, i) => {
      const base = bases[i] ?? 10;
      return `${base === 8 ? '0' : base === 16 ? '0x' : ''}${part.toString(base)}`;
    });
    return { address, text: text.join('.') };
  });

describe('an address', () => {
  it('is read as it is written', () => {
    fc.assert(
      fc.property(fc.oneof(four, six), (address) => {
        expect(parseAddress(addressText(address))).toEqual(address);
      }),
    );
  });

  it('is the same in every spelling that the C library takes', () => {
    fc.assert(
      fc.property(spelled, ({ address, text }) => {
        expect([text, addressIn(text)]).toEqual([text, address]);
      }),
    );
  });

  it('is the same when it is mapped into IPv6', () => {
    fc.assert(
      fc.property(four, (address) => {
        expect(parseAddress(`::ffff:${addressText(address)}`)).toEqual(address);
        const [high, low] = [address.value >> 16n, address.value & 0xffffn].map((part) => part.toString(16));
        expect(parseAddress(`0:0:0:0:0:FFFF:${high}:${low}`)).toEqual(address);
      }),
    );
  });

  it('is what the WHATWG’s own parser takes a host for, or nothing', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '0',
        '1',
        '127',
        '0x7f',
        '0177',
        '255',
        '256',
        '08',
        '0x',
        '4294967295',
        '4294967296',
        'a',
        '',
      ),
      fc.stringMatching(/^[0-9a-fx]{0,12}$/),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.join('.');
        const url = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`).hostname : null;
        const found = addressIn(text);
        if (found === null) expect(url === null || parseAddress(url) === null).toBe(true);
        else if (found !== 'invalid') expect(url).toBe(addressText(found));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['::', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['fe80:0:0:0:0:0:0:0', 'fe80::'],
    ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
  ])('of IPv6 %s is shown as %s', (text, shown) => {
    const address = parseAddress(text);
    expect(address === null ? null : addressText(address)).toBe(shown);
  });

  it.each([
    ...['1.2.3', '01.2.3.4', '1.2.3.256', '1.2.3.4.5', ' 1.2.3.4', '1.2.3.4 ', ':', ':::', '1::2::3', '::g'],
    ...['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '::1%lo', '::ffff:1.2.3', '12345::', 'x', ''],
  ])('is not %j', (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it.each([
    '1.2.3.4.5',
    '256.1.1.1',
    'a.0x',
    '1.2.3.08',
    '0x100000000',
    '::1%lo',
    'example.0177',
    '1.2.3.4294967296',
  ])('can be meant by %s, and is wrong: it is no name', (text) => {
    expect(addressIn(text) === 'invalid' || addressIn(text) !== null).toBe(true);
  });
});

it.each([
  ['public', '1.1.1.1 8.8.8.8 172.32.0.1 100.128.0.1 2606:4700::1111 64:ff9b::101:101 2002:0101:0101::'],
  ['loopback', '127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1'],
  [
    'private',
    '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255 fd00::1 64:ff9b::a00:1',
  ],
  ['link-local', '169.254.169.254 fe80::1 ::ffff:169.254.169.254 2002:a9fe:a9fe:: 168.63.129.16'],
  ['multicast', '224.0.0.1 239.255.255.255 ff02::1'],
  ['unspecified', '0.0.0.0 0.1.2.3 ::'],
  [
    'reserved',
    '255.255.255.255 240.0.0.1 192.0.2.1 198.18.0.1 203.0.113.9 2001:db8::1 2001::1 4000::1 100::1',
  ],
])('of kind %s: %s', (kind, texts) => {
  for (const text of texts.split(' ')) {
    const address = parseAddress(text);
    expect([text, address === null ? null : kindOf(address)]).toEqual([text, kind]);
  }
});

describe('a block', () => {
  it('has the addresses that begin as it does', () => {
    fc.assert(
      fc.property(four, fc.integer({ min: 0, max: 32 }), four, (address, bits, other) => {
        const rest = BigInt(32 - bits);
        const base = { family: 4 as const, value: (address.value >> rest) << rest };
        const block = parseBlock(`${addressText(base)}/${bits}`);
        expect(block).toEqual({ base, bits });
        if (block === null) return;
        expect(isIn(address, block)).toBe(true);
        expect(isIn(other, block)).toBe(other.value >> rest === base.value >> rest);
      }),
    );
  });

  it.each(['10.0.0.1/8', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '/8', '::/129', 'example.org/8'])(
    'is not %s',
    (text) => {
      expect(parseBlock(text)).toBeNull();
    },
  );
});
