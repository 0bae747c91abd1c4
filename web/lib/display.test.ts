import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytePath, toDisplay } from '../../shared/bytes.ts';
import { displayPath } from './display.ts';

it('the fast way gives the same text as the slow one', () => {
  const bytes = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.constant(0x5c),
  );
  fc.assert(
    fc.property(fc.array(bytes), (codes) => {
      const path = bytePath(String.fromCharCode(...codes));
      expect(displayPath(path)).toBe(toDisplay(path));
    }),
  );
});
