import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MARK_CR,
  MARK_NO_NEWLINE,
  markedParts,
  markInvisible,
  visibleOutput,
  visibleText,
} from './visible.ts';

const NOT_SEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;

const shown = (text: string): string =>
  markedParts(markInvisible(text))
    .map((part) => (typeof part === 'string' ? part : part.label))
    .join('');

describe('characters that cannot be seen', () => {
  test.each([
    ['a bare carriage return', 'a\rb', 'CR'],
    ['an escape', 'a\u001b[0m', 'ESC'],
    ['a right-to-left override', 'x\u202ey', 'RLO'],
    ['a zero-width space', 'x\u200by', 'ZWSP'],
    ['a tag character', 'x\u{e0041}', 'U+E0041'],
    ['a byte order mark', '\ufeffx', 'BOM'],
    ['a combining joiner', 'a\u034fb', 'U+034F'],
  ])('%s gets a labelled span', (_, text, label) => {
    expect(markedParts(markInvisible(text))).toContainEqual(expect.objectContaining({ label }));
    expect(shown(text)).not.toMatch(NOT_SEEN);
  });

  test('each becomes one character, so that nothing can be cut in two', () => {
    expect([...markInvisible('a\r\u202eb')]).toHaveLength(4);
  });

  test('a text that uses the private planes itself cannot pass for a mark', () => {
    const parts = markedParts(markInvisible(`${MARK_CR}${MARK_NO_NEWLINE}`));
    expect(parts).toEqual([expect.stringContaining('⟦U+F000D⟧')]);
  });

  test('tabs, letters of all scripts and emoji stay as they are', () => {
    for (const text of ['\tif x:', 'żółć', 'العربية', '⚠️ 👩‍💻 🏳️‍🌈', '漢字'])
      expect(markInvisible(text)).toBe(text);
  });

  test('nothing invisible is left of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(shown(text)).not.toMatch(NOT_SEEN);
        expect(visibleText(text)).not.toMatch(NOT_SEEN);
      }),
    );
  });

  test('different texts stay different', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-composite' }),
        fc.string({ unit: 'grapheme-composite' }),
        (a, b) => {
          fc.pre(a !== b);
          expect(markInvisible(a)).not.toBe(markInvisible(b));
        },
      ),
    );
  });
});

describe('plain places', () => {
  test('a command shows its control characters as escapes and keeps its lines', () => {
    expect(visibleText('a\nb\tc\u001b\u202e')).toBe('a\nb\tc\\x1b\\u{202e}');
  });

  test('output loses colours, also the ones that hide text, and nothing else', () => {
    expect(visibleOutput('\u001b[8mhidden\u001b[0m\r\nnext\rover')).toBe('hidden\nnext\\rover');
    expect(visibleOutput('\u001b[2J')).toBe('\\x1b[2J');
  });
});
