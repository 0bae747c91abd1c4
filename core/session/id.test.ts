import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSessionId, sessionIdOfClaude } from './dirs.ts';

describe('session ids', () => {
  it.each(['a', '0', 'my.session_1-b', 'x'.repeat(64), '6f3c1c6e-9b5e-4d5f-8a59-111111111111'])(
    'accepts %s',
    (id) => {
      expect(isSessionId(id)).toBe(true);
    },
  );

  it.each(['', '.', '..', '.hidden', '-rf', '_x', 'a/b', 'a b', 'a\n', 'ä', 'a\0', 'x'.repeat(65)])(
    'refuses %j',
    (id) => {
      expect(isSessionId(id)).toBe(false);
    },
  );
});

describe("Claude's ids", () => {
  it('stay as they are when they fit', () => {
    const uuid = '6f3c1c6e-9b5e-4d5f-8a59-111111111111';
    expect(sessionIdOfClaude(uuid)).toBe(uuid);
  });

  it('become valid ids, different ones for different ids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(isSessionId(sessionIdOfClaude(a))).toBe(true);
        expect(sessionIdOfClaude(a) === sessionIdOfClaude(b)).toBe(a === b);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['../../etc', /^etc\.[0-9a-f]{16}$/],
    ['', /^claude\.[0-9a-f]{16}$/],
    ['a/b', /^a-b\.[0-9a-f]{16}$/],
  ])('replaces what does not fit in %j', (id, expected) => {
    expect(sessionIdOfClaude(id)).toMatch(expected);
  });
});
