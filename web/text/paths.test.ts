import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytePath, toDisplay } from '../../shared/bytes.ts';
import { displayBelow, displayPath } from './paths.ts';

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

it.each([
  ['/home/kim/shop/src/a.ts', '/home/kim/shop', 'src/a.ts'],
  ['/home/kim/shop', '/home/kim/shop', '/home/kim/shop'],
  ['/home/kim/shop-old/a.ts', '/home/kim/shop', '/home/kim/shop-old/a.ts'],
  ['/etc/hosts', '/home/kim/shop', '/etc/hosts'],
  ['/etc/hosts', '/', '/etc/hosts'],
  ['/etc/hosts', undefined, '/etc/hosts'],
])('%s below %s is shown as %s', (path, root, shown) => {
  expect(displayBelow(bytePath(path), root === undefined ? undefined : bytePath(root))).toBe(shown);
});
