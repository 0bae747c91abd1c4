import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLOURED } from './text.ts';
import { visible, visibleJson } from './visible.ts';

const DRIVES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const odd = fc
  .array(
    fc.constantFrom(
      '\x1b[31m',
      '\x1b]0;t\x07',
      '\x1b[2J',
      '\r',
      '\u009b',
      '\u202e',
      '\u2066',
      'a',
      '\n',
      '\t',
      'é',
      '❤️',
    ),
  )
  .map((parts) => parts.join(''));

describe('what goes to a terminal', () => {
  it('drives nothing and turns no line around', () => {
    fc.assert(fc.property(odd, (text) => !DRIVES.test(visible(text, false))));
  });

  it('keeps our own colours, and nothing else that begins like one', () => {
    const ours = Object.values(COLOURED)
      .map((paint) => paint('x'))
      .join('');
    expect(visible(ours, true)).toBe(ours);
    expect(visible('\x1b[31mred\x1b[2J\x1b[5m', true)).toBe('\x1b[31mred\\x1b[2J\\x1b[5m');
    expect(visible('a\tb\n❤️', true)).toBe('a\tb\n❤️');
  });

  it('JSON says the same as before', () => {
    fc.assert(
      fc.property(odd, (text) => {
        const json = visibleJson(JSON.stringify({ text }));
        expect(json).not.toMatch(DRIVES);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
