import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENTRY_TYPES } from '../../../shared/model/change.ts';
import { birthOf, fingerprint, identityOf, isBornAs, isSame, isStillOurs, typeOf } from './fingerprint.ts';
import type { Stat } from './port.ts';

const big = fc.bigInt({ min: 0n, max: 2n ** 63n });
const number = fc.integer({ min: 0, max: 2 ** 32 });
const stats: fc.Arbitrary<Stat> = fc.record({
  type: fc.constantFrom(...ENTRY_TYPES),
  mode: fc.integer({ min: 0, max: 0o7777 }),
  uid: number,
  gid: number,
  size: fc.maxSafeNat(),
  nlink: number,
  disk: number,
  dev: big,
  ino: big,
  rdev: big,
  birthNs: big,
  mtimeNs: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
  ctimeNs: big,
});

test('the text of a fingerprint says all of it', () => {
  fc.assert(
    fc.property(stats, (stat) => {
      const text = identityOf(stat);
      const { disk, rdev, ...rest } = stat;
      expect(fingerprint(text)).toEqual(rest);
      expect(identityOf(fingerprint(text))).toBe(text);
      expect([typeOf(text), typeOf(birthOf(stat))]).toEqual([stat.type, stat.type]);
    }),
  );
});

test('an entry is the same until something of it moves', () => {
  fc.assert(
    fc.property(
      stats,
      fc.constantFrom('mode', 'uid', 'gid', 'size', 'ino', 'dev', 'birthNs'),
      (stat, field) => {
        expect(isSame(identityOf(stat), stat)).toBe(true);
        const value = stat[field];
        const other = typeof value === 'bigint' ? value + 1n : value + 1;
        expect(isSame(identityOf(stat), { ...stat, [field]: other })).toBe(false);
      },
    ),
  );
});

test('what is ours is found on another device, but not where there are no birth times', () => {
  fc.assert(
    fc.property(stats, (stat) => {
      const moved = { ...stat, dev: stat.dev + 1n };
      expect(isBornAs(birthOf(stat), moved)).toBe(false);
      expect(isStillOurs(birthOf(stat), moved)).toBe(stat.birthNs !== 0n);
    }),
  );
});
