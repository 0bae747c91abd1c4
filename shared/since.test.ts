import { expect, test } from 'vitest';
import { sinceTime } from './since.ts';

const now = new Date('2026-03-02T10:00:00.000Z');

test.each([
  ['30m', '2026-03-02T09:30:00.000Z'],
  ['1h', '2026-03-02T09:00:00.000Z'],
  ['7d', '2026-02-23T10:00:00.000Z'],
  ['2w', '2026-02-16T10:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
])('%s is a time', (text, expected) => {
  expect(sinceTime(text, now)).toBe(expected);
});

test('today begins at midnight here', () => {
  const found = new Date(sinceTime('today', now) ?? '');
  expect([found.getHours(), found.getMinutes(), found.getDate()]).toEqual([0, 0, now.getDate()]);
});

test.each(['', 'x', '7', 'd', '-1d', '999999d', '2026-13-01', '26-01-01', 'today '])('%j is none', (text) => {
  expect(sinceTime(text, now)).toBe(null);
});
