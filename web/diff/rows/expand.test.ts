import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { compareTexts } from '../../../shared/text/diff-text.ts';
import { expand, type Gaps, gapsOf, gapWith, openGap, openTo } from './expand.ts';

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

describe('the gaps of a diff', () => {
  test('are above each hunk and below the last', () => {
    expect(gapsOf(diff)).toEqual([
      { index: 0, hidden: 26 },
      { index: 1, hidden: 23 },
      { index: 2, hidden: 36 },
    ]);
  });

  test('of a new file are none', () => {
    expect(gapsOf(diffOf('', 'a\nb\n', 3)).every(({ hidden }) => hidden === 0)).toBe(true);
  });

  test('tell which of them hides a line', () => {
    expect([1, 26, 27, 33, 34, 57, 64, 65, 100, 101].map((line) => gapWith(diff, line))).toEqual([
      ...[0, 0, null, null, 1, null, null, 2, 2, null],
    ]);
  });
});

test('a line is opened from the nearer end, with some lines around it', () => {
  for (const line of [1, 10, 26, 34, 40, 57, 80, 100]) {
    const before = { diff, gaps: gapsOf(diff) };
    const { diff: more } = expand(diff, whole, openTo(before, new Map(), line));
    expect(gapWith(more, line)).toBeNull();
  }
});

describe('what was opened', () => {
  test('nothing: the diff is as it came', () => {
    expect(expand(diff, whole, new Map())).toEqual({ diff, gaps: gapsOf(diff) });
  });

  test('from one end of a gap', () => {
    const { diff: more, gaps } = expand(diff, whole, openGap(new Map(), 0, 'bottom'));
    expect(shown(more).slice(0, 3)).toEqual(['7', '8', '9']);
    expect(more.hunks[0]).toMatchObject({ oldStart: 7, newStart: 7 });
    expect(gaps[0]).toEqual({ index: 0, hidden: 6 });
  });

  test('a gap that is open all the way joins its hunks, and the rest keep their names', () => {
    const { diff: more, gaps } = expand(diff, whole, openGap(new Map(), 1, 'all'));
    expect(more.hunks).toHaveLength(1);
    expect(gaps).toEqual([
      { index: 0, hidden: 26 },
      { index: 2, hidden: 36 },
    ]);
  });

  test('all gaps: every line of both files is shown', () => {
    let opened: Gaps = new Map();
    for (const { index } of gapsOf(diff)) opened = openGap(opened, index, 'all');
    expect(shown(expand(diff, whole, opened).diff)).toEqual(shown(whole));
  });

  test('another comparison than the one on show: all of it is shown, and nothing is lost', () => {
    const [, other] = pair(['x', 'y'], ['x', 'z']);
    expect(expand(diff, other, new Map()).diff).toBe(other);
  });

  test('never hides a changed line, and its numbers fit, whatever is opened', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    const file = fc.array(line, { maxLength: 60 });
    const presses = fc.array(
      fc.tuple(fc.nat(6), fc.constantFrom('top' as const, 'bottom' as const, 'all' as const)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(file, file, presses, (before, after, pressed) => {
        const [some, all] = pair(before, after);
        const opened = pressed.reduce<Gaps>((gaps, [at, how]) => openGap(gaps, at, how), new Map());
        const { diff: more, gaps } = expand(some, all, opened);
        const lines = more.hunks.flatMap((hunk) => hunk.lines);
        const changed = (of: TextDiff['hunks'][number]['lines']) =>
          of.filter(({ kind }) => kind !== 'context').map(({ text }) => text);
        expect(changed(lines)).toEqual(changed(all.hunks.flatMap((hunk) => hunk.lines)));
        expect(gaps).toHaveLength(more.hunks.length === 0 ? 0 : more.hunks.length + 1);
        expect(gapsOf(more).map(({ hidden }) => hidden)).toEqual(gaps.map(({ hidden }) => hidden));
      }),
    );
  });
});
