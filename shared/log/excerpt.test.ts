import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from './lines.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

describe('excerpt', () => {
  it.each([
    ['an empty output', '', 4, { head: '', tail: '', cut: 0 }],
    ['an output of twice the limit', 'abcdefgh', 4, { head: 'abcdefgh', tail: '', cut: 0 }],
    ['one byte more', 'abcdefghi', 4, { head: 'abcd', tail: 'fghi', cut: 1 }],
    ['characters on both borders', 'abc🦊xx🦊def', 5, { head: 'abc', tail: 'def', cut: 10 }],
    ['a byte order mark, which is kept', '\ufeffab', 4, { head: '\ufeffab', tail: '', cut: 0 }],
  ])('of %s', (_name, output, limit, expected) => {
    expect(excerpt(output, limit)).toEqual(expected);
  });

  it('keeps beginning and end, whole characters, and accounts for every byte', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (text, limit) => {
          const { head, tail, cut } = excerpt(text, limit);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect(bytes(head) + cut + bytes(tail)).toBe(bytes(text));
          if (cut > 0) expect(Math.max(bytes(head), bytes(tail))).toBeLessThanOrEqual(limit);
          if (cut > 0) expect(cut).toBeLessThan(bytes(text) - 2 * limit + 7);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
