import { expect, test } from 'vitest';
import { ago, count, dateTime, moment, octal, plural } from './format.ts';

test('times count back from now', () => {
  const now = Date.parse('2026-03-02T12:00:00Z');
  expect(ago('2026-03-02T11:59:50Z', now)).toBe('just now');
  expect(ago('2026-03-02T11:56:00Z', now)).toBe('4 min ago');
  expect(ago('2026-03-01T11:00:00Z', now)).toBe('1 d ago');
  expect(ago('nonsense', now)).toBe('');
});

test('a date and time are local, and read the same everywhere', () => {
  expect(dateTime(new Date(2026, 2, 9, 4, 3, 2).toISOString())).toBe('2026-03-09 04:03:02');
  expect(dateTime('nonsense')).toBe('nonsense');
});

test('counts, plurals and modes', () => {
  expect(count(48_211)).toBe('48,211');
  expect(plural(1, 'entry', 'entries')).toBe('1 entry');
  expect(octal(0o4755)).toBe('4755');
});

const at = (hour: number, minute: number, second: number, day = 2): number =>
  new Date(2026, 2, day, hour, minute, second).getTime();

test.each<[number, number | null, string]>([
  [at(14, 3, 0), null, 'Mar 2, 14:03'],
  [at(14, 3, 0), at(14, 2, 0), '14:03'],
  [at(14, 3, 5), at(14, 2, 0), '14:03:05'],
  [at(14, 3, 0) + 250, at(14, 3, 0), '14:03:00.25'],
  [at(14, 3, 1) + 5, at(14, 3, 0), '14:03:01.005'],
  [at(0, 0, 0, 3), at(23, 59, 0), 'Mar 3, 00:00'],
])('the time %d after %d is written on a ruler as %s', (time, before, text) =>
  expect(moment(time, before)).toBe(text),
);
