import { expect, test } from 'vitest';
import { type Row, table, verdict } from './table.ts';
import { interleave, median, percentile } from './timing.ts';

const row: Row = { what: 'hook', values: [7, 9, 8], unit: 'ms', target: 8, peer: null };

/** The row's median is 8; two more are allowed. */
const peer = (less: number) => ({ name: 'node', values: [8 + less], atMost: null, atMostMore: 2 });

test('the median of an even number of values lies between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('a percentile is a measured value', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.9)).toBe(5);
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
});

test('things are run in turn, and the first round is not counted', async () => {
  const order: string[] = [];
  const thing = (name: string) => () => order.push(name);
  const samples = await interleave(2, { a: thing('a'), b: thing('b') });
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  expect(samples).toEqual({ a: [3, 5], b: [4, 6] });
});

test.each([
  ['a value at its target', row, 'good'],
  ['a value above its target', { ...row, target: 7.9 }, 'MISSED'],
  ['a ratio that is kept', { ...row, peer: { name: 'node', values: [96], atMost: 1 / 12 } }, 'good'],
  ['more than a peer, within what is allowed', { ...row, peer: peer(-2) }, 'good'],
  ['more than a peer, beyond what is allowed', { ...row, peer: peer(-3) }, 'MISSED'],
  ['a ratio that is not kept', { ...row, peer: { name: 'node', values: [95], atMost: 1 / 12 } }, 'MISSED'],
] as const)('%s: %s', (_name, given, expected) => {
  expect(verdict(given)).toBe(expected);
});

test('a skipped measure says why', () => {
  expect(table([{ what: 'first paint', skipped: 'no Chromium' }])).toContain('skipped: no Chromium');
});
