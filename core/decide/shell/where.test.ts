import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { squeeze } from './where.ts';

test('a path that is left as it is has nothing to normalise', () => {
  const part = fc.constantFrom('a', '.', '..', '...', '.a', 'a.', '', 'b c', '\n', '..b');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.constantFrom('', '/', 'a'), (parts, start) => {
      const path = [start, ...parts].join('/');
      expect(squeeze(path)).toBe(posix.resolve('/', path));
    }),
    { numRuns: 5_000 },
  );
});
