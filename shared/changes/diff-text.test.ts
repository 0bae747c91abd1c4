import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTexts, type TextComparison } from './diff-text.ts';
import { type Line, rawOf, splitLines } from './lines.ts';

/** Applies hunks the way a patch tool would: by line numbers, checking every line that it passes. */
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
