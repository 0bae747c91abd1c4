import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { lookIdentity } from './identity.ts';

const MANY = 20_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('an identity takes little more memory than its characters: a list keeps 300,000 of them', () => {
  const time = 1_763_800_000_000_000_000n;
  const look = (i: bigint) =>
    lookIdentity({
      type: 'file',
      mode: 0o644,
      uid: 1,
      gid: 1,
      size: 12,
      nlink: 1,
      rdev: 0n,
      ino: 1_000_000n + i,
      mtimeNs: time + i,
      ctimeNs: time + 2n * i,
      birthNs: time + 3n * i,
    });
  const kept = Array.from({ length: MANY }, () => '');
  const before = heapUsed();
  for (let i = 0; i < MANY; i++) kept[i] = look(BigInt(i));
  const each = (heapUsed() - before) / MANY;
  expect(kept.at(-1)).toBe(
    '1019999.12.1763800000000019999.1763800000000039998.420.file.1.1763800000000059997',
  );
  // As a tree of parts it would be 500.
  expect(each).toBeLessThan(250);
});
