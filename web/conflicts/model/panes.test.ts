import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Block, threeWay } from '../../../shared/text/merge-text.ts';
import { MARK_NO_NEWLINE, markedParts, markInvisible } from '../../text/visible.ts';
import { changedPart, panesOf } from './panes.ts';

const text = (from: number, to: number, patch: Record<number, string> = {}): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${patch[from + i] ?? from + i}\n`).join('');
const blocks = (host: string, sandbox: string): Block[] => threeWay(text(1, 30), host, sandbox) ?? [];
const NONE: ReadonlySet<number> = new Set();

test('unchanged stretches are folded but for what is around a change', () => {
  const { items, places, left } = panesOf(
    blocks(text(1, 30, { 10: 'a' }), text(1, 30, { 20: 'b' })),
    NONE,
    100,
  );
  expect([places, left]).toEqual([2, 0]);
  expect(items.map((item) => (item.type === 'fold' ? item.hidden : item.type))).toEqual([
    ...[6, 'same', 'change', 'same', 3, 'same', 'change', 'same', 7],
  ]);
});

test('what does not fit is counted, and what was opened is whole', () => {
  const found = blocks(text(1, 30, { 10: 'a' }), text(1, 30));
  expect(panesOf(found, new Set([0, 2]), 100)).toMatchObject({ left: 0, items: [{ from: 0 }, {}, {}] });
  expect(panesOf(found, new Set([0, 2]), 12)).toMatchObject({ left: 18 });
  expect(panesOf(found, NONE, 2).left).toBe(5);
});

test('the part of a line that changed never cuts a character in two', () => {
  const line = fc
    .string({ unit: fc.constantFrom('a', 'b', '\u202e', '\u{1f600}', '\u{e0041}') })
    .map(markInvisible);
  fc.assert(
    fc.property(line, line, (one, other) => {
      const parts = changedPart(one, other);
      if (parts === null) return;
      expect(parts.join('')).toBe(one);
      for (const part of parts) expect(part).not.toMatch(/\p{Cs}/u);
    }),
  );
  expect(changedPart('const a = 1;', 'const b = 1;')).toEqual(['const ', 'a', ' = 1;']);
  expect(changedPart('one', 'two')).toBeNull();
});

test('marks are labels, and the rest is the text', () => {
  expect(markedParts(`${markInvisible('a\u202eb')}${MARK_NO_NEWLINE}`)).toEqual([
    'a',
    { className: 'ctl ctl-bidi', title: 'U+202E', label: 'RLO' },
    'b',
    { className: 'ctl ctl-eof', title: '', label: 'no newline at end of file' },
  ]);
});
