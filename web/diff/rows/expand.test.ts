import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { compareTexts } from '../../../shared/text/diff-text.ts';
import { expand, gapsOf, openGap, openTo, type Range } from './expand.ts';

function diffOf(before: string, after: string, context: number): TextDiff {
  return { kind: 'text', id: '0', etag: '0', ...compareTexts(before, after, { context }), language: null };
}

function pair(before: string[], after: string[]): [TextDiff, TextDiff] {
  const texts = [before, after].map((lines) => lines.map((line) => `${line}\n`).join('')) as [string, string];
  return [diffOf(...texts, 3), diffOf(...texts, Number.POSITIVE_INFINITY)];
}

const numbers = Array.from({ length: 100 }, (_, i) => String(i + 1));
const [diff, whole] = pair(
  numbers,
  numbers.flatMap((n) => (n === '30' ? ['thirty'] : n === '60' ? [] : n === '61' ? ['61', 'new'] : [n])),
);
const shown = (of: TextDiff): string[] => of.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text));
const hidden = (of: TextDiff): number[] => gapsOf(of).map(({ from, to }) => to - from);
const gapAt = (of: TextDiff, index: number): Range => gapsOf(of)[index] ?? { from: 0, to: 0 };

describe('the gaps of a diff', () => {
  test('are above each hunk and below the last', () => {
    expect(gapsOf(diff)).toEqual([
      { from: 1, to: 27 },
      { from: 34, to: 57 },
      { from: 65, to: 101 },
    ]);
  });

  test('of a new file are none', () => {
    expect(hidden(diffOf('', 'a\nb\n', 3)).every((lines) => lines === 0)).toBe(true);
  });

  test('tell whether one of them hides a line', () => {
    expect([1, 26, 27, 33, 34, 57, 64, 65, 100, 101].map((line) => openTo(diff, line) !== null)).toEqual([
      ...[true, true, false, false, true, false, false, true, true, false],
    ]);
  });
});

test('a line is opened from the nearer end, with some lines around it, and no other gap', () => {
  for (const [line, range] of [
    [10, { from: 1, to: 27 }],
    [26, { from: 6, to: 27 }],
    [34, { from: 34, to: 55 }],
    [50, { from: 34, to: 57 }],
    [80, { from: 65, to: 101 }],
    [66, { from: 65, to: 87 }],
  ] as const) {
    expect(openTo(diff, line)).toEqual(range);
    expect(openTo(expand(diff, whole, [range]), line)).toBeNull();
  }
});

describe('what was opened', () => {
  test('nothing: the diff is as it came', () => {
    expect(expand(diff, whole, [])).toEqual(diff);
  });

  test('from one end of a gap', () => {
    const more = expand(diff, whole, [openGap(gapAt(diff, 0), 'bottom')]);
    expect(shown(more).slice(0, 3)).toEqual(['7', '8', '9']);
    expect(more.hunks[0]).toMatchObject({ oldStart: 7, newStart: 7 });
    expect(hidden(more)).toEqual([6, 23, 36]);
  });

  test('a gap that is open all the way joins its hunks', () => {
    const more = expand(diff, whole, [openGap(gapAt(diff, 1), 'all')]);
    expect(more.hunks).toHaveLength(1);
    expect(hidden(more)).toEqual([26, 36]);
  });

  test('all gaps: every line of both files is shown', () => {
    expect(shown(expand(diff, whole, gapsOf(diff)))).toEqual(shown(whole));
  });

  test('another comparison than the one on show: all of it is shown, and nothing is lost', () => {
    const [, other] = pair(['x', 'y'], ['x', 'z']);
    expect(expand(diff, other, [])).toBe(other);
  });

  test('never hides a changed line, and opens as many lines as it says, whatever is pressed', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    const file = fc.array(line, { maxLength: 60 });
    const presses = fc.array(
      fc.tuple(fc.nat(6), fc.constantFrom('top' as const, 'bottom' as const, 'all' as const)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(file, file, presses, (before, after, pressed) => {
        const [some, all] = pair(before, after);
        const opened: Range[] = [];
        let more = some;
        for (const [at, how] of pressed) {
          const range = openGap(gapAt(more, at), how);
          const count = shown(more).length;
          opened.push(range);
          more = expand(some, all, opened);
          expect(shown(more)).toHaveLength(count + range.to - range.from);
        }
        const changed = (of: TextDiff): string[] =>
          of.hunks.flatMap(({ lines }) =>
            lines.filter(({ kind }) => kind !== 'context').map(({ text }) => text),
          );
        expect(changed(more)).toEqual(changed(all));
      }),
    );
  });
});
