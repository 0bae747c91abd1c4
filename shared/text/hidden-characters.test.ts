import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addsHidden, hasBidi, replaceHidden } from './hidden-characters.ts';

const named = (text: string): string => replaceHidden(text, (code) => `<${code.toString(16)}>`);

/** Ordinary text, with emoji and their joiners. */
const VISIBLE = fc.oneof(
  fc.string({ unit: 'grapheme-ascii' }),
  fc.constantFrom('\t', '\n', '\r\n', '  ', 'żółć', 'العربية', '漢字', 'é', '…', '\ue0b0', '\u{f0001}'),
  fc.constantFrom('⚠️', '👩‍💻', '🏳️‍🌈', '👩🏽‍🚀', '👁️‍🗨️', '👩🏽‍❤️‍💋‍👨🏻', '1️⃣', '#️⃣', '™︎', '🇵🇱'),
);
const TEXT = fc.array(VISIBLE, { maxLength: 30 }).map((parts) => parts.join(''));
const ODD = fc.constantFrom(
  ...['\u202e', '\u2066', '\u200b', '\u200d', '\u00ad', '\u2060', '\u034f', '\u001b', '\u{e0041}', '\u3164'],
);

describe('what a change adds of hidden characters', () => {
  it('visible text never counts, whatever the host had', () => {
    fc.assert(fc.property(TEXT, TEXT, (before, after) => !addsHidden(before, after)));
  });

  it('a hidden character between letters counts, wherever it comes in', () => {
    fc.assert(
      fc.property(TEXT, TEXT, ODD, (before, after, odd) => {
        expect(addsHidden(`${before}${after}`, `${before}a${odd}b${after}`)).toBe(true);
      }),
    );
  });

  it('what the host had counts neither when other lines change nor when all of it moves', () => {
    fc.assert(
      fc.property(TEXT, TEXT, TEXT, ODD, (above, other, below, odd) => {
        const line = `\nif (admin${odd}) {\n`;
        expect(addsHidden(above + line + below, other + line)).toBe(false);
      }),
    );
  });

  it('taking them out counts as nothing', () => {
    expect(addsHidden('a\u202eb\u200bc', 'abc')).toBe(false);
  });

  it.each([
    ['one more of the same', 'x\u200by\n', 'x\u200by\nx\u200by\n', true],
    ['one that went elsewhere', 'if (a) {} // end \u202e\nb', 'if (\u202ea) {} // end \nb', true],
    ['a byte order mark at the beginning', 'a\n', '\ufeffa\n', false],
    ['one within', 'a\n', 'a\ufeff\n', true],
    ['line ends of CR LF', 'a\u200b\nb\n', 'a\u200b\r\nb\r\n', false],
    ['a bare carriage return', 'safe\n', 'rm -rf ~\rsafe\n', true],
    ['a terminal escape', '', 'echo \u001b[8m', true],
  ])('%s', (_, before, after, adds) => {
    expect(addsHidden(before, after)).toBe(adds);
  });
});

describe('what belongs to a picture', () => {
  it.each([
    ['a joiner after a digit', '1\u200d2', '1<200d>2'],
    ['a joiner after a picture with nothing to join', '👩\u200dx', '👩<200d>x'],
    ['a selector after a digit that is no key', '1\ufe0f2', '1<fe0f>2'],
    ['a second selector, and a third', '⚠\ufe0f\ufe0f\ufe0f', '⚠\ufe0f<fe0f><fe0f>'],
    ['a joiner after a loose selector', 'a\ufe0f\u200d👩', 'a<fe0f><200d>👩'],
  ])('%s does not', (_, text, shown) => {
    expect(named(text)).toBe(shown);
  });
});

it('direction changes are told from harmless marks', () => {
  expect(hasBidi('a\u202eb')).toBe(true);
  expect(hasBidi('a\u200bb')).toBe(false);
});
