import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BytePath, bytePath, fromText, toDisplay } from '../../../shared/bytes.ts';
import { makeChange, side } from '../../../testing/dashboard/make.ts';
import { entriesWith } from './filter.ts';
import { byPathOf } from './lists.ts';

const listOf = (paths: readonly BytePath[]) =>
  [...new Set(paths)].sort().map((path) => makeChange(path, 'added', { pending: side() }));
/** Bytes that make lines, escapes, partial characters and look-alikes of each. */
const bytes = fc.constantFrom(0x0a, 0x2f, 0x41, 0x61, 0x5c, 0x6e, 0xc3, 0x84, 0xa4, 0xff);
const paths = fc.array(
  fc.array(bytes, { maxLength: 8 }).map((codes) => bytePath(`/${String.fromCharCode(...codes)}`)),
  { maxLength: 20 },
);

describe('the entries whose path holds a text', () => {
  it('are the ones that a look at each path finds, whatever bytes the names have', () => {
    const text = fc.array(fc.constantFrom('\n', '/', 'a', '\\', 'n', 'ä', 'x'), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(paths, text, (all, letters) => {
        const changes = listOf(all);
        const wanted = letters.join('');
        const expected = changes.filter(({ path }) => toDisplay(path).toLowerCase().includes(wanted));
        expect(entriesWith(changes, wanted)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found once each, also where it is in a path several times', () => {
    const changes = listOf(['/aa/aa', '/b', '/aaa'].map(fromText));
    expect(entriesWith(changes, 'a').map(({ path }) => path)).toEqual(['/aa/aa', '/aaa']);
  });

  it('are none where the text would reach from one path to the next', () => {
    expect(entriesWith(listOf(['/a', '/b'].map(fromText)), 'a\n/b')).toEqual([]);
  });
});

it('an entry is found by its path, and none by a path that is not listed', () => {
  fc.assert(
    fc.property(paths, paths, (all, others) => {
      const changes = listOf(all);
      const byPath = byPathOf(changes);
      for (const change of changes) expect(byPath(change.path)).toBe(change);
      const listed = new Set(changes.map(({ path }) => path));
      for (const path of others) expect(byPath(path) !== undefined).toBe(listed.has(path));
    }),
  );
});
