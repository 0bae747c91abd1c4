import { describe, expect, it } from 'vitest';
import { mergeTexts } from './merge-text.ts';

const lines = (...all: (number | string)[]): string => all.map((line) => `${line}\n`).join('');

describe('a three-way merge', () => {
  it.each([
    [
      'changes apart',
      lines(1, 2, 3, 4, 5),
      lines('one', 2, 3, 4, 5),
      lines(1, 2, 3, 4, 'five'),
      lines('one', 2, 3, 4, 'five'),
    ],
    ['the same change', lines(1, 2, 3), lines(1, 'two', 3), lines(1, 'two', 3), lines(1, 'two', 3)],
    ['a removal and an addition', lines(1, 2, 3, 4), lines(2, 3, 4), lines(1, 2, 3, 4, 5), lines(2, 3, 4, 5)],
    ['no line feed at the end', '1\n2\n3', '0\n1\n2\n3', '1\n2\n3\n4', '0\n1\n2\n3\n4'],
    [
      'line ends of both kinds',
      'a\r\nb\r\nc\r\nd\r\n',
      'A\r\nb\r\nc\r\nd\r\n',
      'a\r\nb\r\nc\r\nD\n',
      'A\r\nb\r\nc\r\nD\n',
    ],
    ['bytes that are no text', '\xff\n1\n2\n', '\xff\n1\nx\n', '\xfe\n1\n2\n', '\xfe\n1\nx\n'],
    ['one side emptied nothing', '', '', 'a\n', 'a\n'],
  ])('puts %s together', (_, base, host, sandbox, text) => {
    expect(mergeTexts(base, host, sandbox)).toEqual({ text, conflicts: 0 });
  });

  it('marks what both changed, each marker on a line of its own', () => {
    const base = lines('a', 1, 'b', 2) + 'end';
    expect(mergeTexts(base, lines('a', 'x', 'b', 2) + 'mine', lines('a', 'y', 'b', 2) + 'yours')).toEqual({
      conflicts: 2,
      text:
        lines('a', '<<<<<<< host', 'x', '||||||| base', 1, '=======', 'y', '>>>>>>> sandbox', 'b', 2) +
        lines('<<<<<<< host', 'mine', '||||||| base', 'end', '=======', 'yours', '>>>>>>> sandbox'),
    });
  });

  it('does not begin what would take minutes', () => {
    const many = 'same\n'.repeat(100_000);
    expect(mergeTexts(many, `a\n${many}`, `${many}b\n`)).toBeNull();
  });
});
