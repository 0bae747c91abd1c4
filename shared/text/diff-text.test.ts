import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextComparison } from '../model/diff.ts';
import { compareTexts } from './diff-text.ts';
import { type Line, rawOf, splitLines } from './lines.ts';

/** As a patch tool does: by line numbers, checking every line that it passes. */
function applyHunks(oldText: string, { hunks }: TextComparison): string {
  const old = splitLines(oldText);
  const out: Line[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    while (at < start) out.push(old[at++] ?? { text: 'missing', end: 'lf' });
    expect(out.length).toBe(hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1);
    for (const line of hunk.lines) {
      if (line.kind !== 'added') {
        expect(old[at]).toEqual({ text: line.text, end: line.end });
        expect(line.oldNumber).toBe(++at);
      }
      if (line.kind !== 'removed') {
        out.push(line);
        expect(line.newNumber).toBe(out.length);
      }
    }
  }
  out.push(...old.slice(at));
  return out.map(rawOf).join('');
}

const piece = fc.constantFrom(
  'a',
  'b',
  '',
  ' ',
  'long line',
  '\r',
  '\n',
  '\n',
  '\r\n',
  '\n\r',
  '\u2028',
  '\ufeff',
  '\\ No newline at end of file',
  '-',
  '+',
  '@@ -1 +1 @@',
  '🙂',
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('text diffs', () => {
  test('lines joined are the text again', () => {
    fc.assert(fc.property(text, (one) => splitLines(one).map(rawOf).join('') === one));
  });

  test('applying the hunks to the old text gives the new one, whatever the line ends', () => {
    fc.assert(
      fc.property(text, text, fc.nat(4), (before, after, context) => {
        const compared = compareTexts(before, after, { context });
        expect(applyHunks(before, compared)).toBe(after);
        expect(compared.approximate).toBe(false);
        expect(compared.hunks.length === 0).toBe(before === after);
      }),
    );
  });

  test('a comparison that is cut short is right and says that it is approximate', () => {
    const before = Array.from({ length: 3_000 }, (_, i) => `old ${i}\n`).join('');
    const after = Array.from({ length: 3_000 }, (_, i) => `new ${i}\n`).join('');
    const compared = compareTexts(`same\n${before}end`, `same\n${after}end`, { timeoutMs: 0 });
    expect(compared.approximate).toBe(true);
    expect(applyHunks(`same\n${before}end`, compared)).toBe(`same\n${after}end`);
    expect(compared.hunks[0]?.lines[0]).toMatchObject({ kind: 'context', text: 'same' });
  });

  test('a bare CR is content, so nothing hides behind it', () => {
    const { hunks } = compareTexts('', 'echo safe\rrm -rf ~\n');
    expect(hunks[0]?.lines).toEqual([
      { kind: 'added', text: 'echo safe\rrm -rf ~', oldNumber: null, newNumber: 1, end: 'lf' },
    ]);
  });

  test('CRLF against LF shows as two lines that differ in their ends', () => {
    const { hunks } = compareTexts('a\r\n', 'a\n');
    expect(hunks[0]?.lines.map(({ kind, end }) => [kind, end])).toEqual([
      ['removed', 'crlf'],
      ['added', 'lf'],
    ]);
  });

  test('a missing newline at the end is a difference of the last line', () => {
    const { hunks } = compareTexts('a\nb', 'a\nb\n');
    expect(hunks[0]?.lines.map(({ kind, end }) => [kind, end])).toEqual([
      ['context', 'lf'],
      ['removed', 'none'],
      ['added', 'lf'],
    ]);
  });

  test('hunk headers count as in a unified diff', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `${i}\n`);
    const changed = lines.with(2, 'x\n').toSpliced(20, 1);
    const { hunks } = compareTexts(lines.join(''), changed.join(''));
    expect(
      hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines]),
    ).toEqual([
      [1, 6, 1, 6],
      [18, 7, 18, 6],
    ]);
    expect(compareTexts('', 'a\n').hunks[0]).toMatchObject({
      oldStart: 0,
      oldLines: 0,
      newStart: 1,
      newLines: 1,
    });
  });
});

describe('white space', () => {
  const kinds = (before: string, after: string, spaces: 'exact' | 'amount' | 'ignored'): string =>
    compareTexts(before, after, { spaces })
      .hunks.flatMap((hunk) => hunk.lines.map(({ kind }) => kind[0]))
      .join('');

  test.each([
    ['more of it', 'if (a) {\n', 'if  (a)\t{ \n', 'ra', '', ''],
    ['none where there was some', 'if (a) {\n', 'if(a){\n', 'ra', 'ra', ''],
    ['at the beginning', 'a\n', '\ta\n', 'ra', 'ra', ''],
    ['another line end', 'a\n', 'a\r\n', 'ra', '', ''],
    ['a missing line feed at the end', 'a\n', 'a', 'ra', 'ra', 'ra'],
    ['a CR in the line', 'echo safe\n', 'echo safe\rrm\n', 'ra', 'ra', 'ra'],
    ['an invisible character', 'a b\n', 'a\u00a0b\n', 'ra', 'ra', 'ra'],
    ['an empty line', 'a\n', 'a\n\n', 'ca', 'ca', 'ca'],
  ])('%s', (_name, before, after, exact, amount, ignored) => {
    expect(kinds(before, after, 'exact')).toBe(exact);
    expect(kinds(before, after, 'amount')).toBe(amount);
    expect(kinds(before, after, 'ignored')).toBe(ignored);
  });

  test('what is left out is counted, and shown as it is now', () => {
    const found = compareTexts('a\nb\nc\n', '  a\nB\nc\n', { spaces: 'ignored' });
    expect(found.spacesHidden).toBe(1);
    expect(found.hunks[0]?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      ...['context   a', 'removed b', 'added B', 'context c'],
    ]);
    expect(compareTexts('a\n', 'b\n').spacesHidden).toBe(0);
  });

  test('every line of the new text is there, whatever is left out', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), fc.constantFrom('amount', 'ignored'), (a, b, spaces) => {
        const whole = { context: Number.POSITIVE_INFINITY, spaces } as const;
        const { hunks, added, removed } = compareTexts(a.join(''), b.join(''), whole);
        const rows = hunks.flatMap((hunk) => hunk.lines);
        if (added + removed === 0) return;
        const now = rows.filter(({ kind }) => kind !== 'removed');
        expect(now.map(rawOf).join('')).toBe(b.join(''));
      }),
    );
  });
});
