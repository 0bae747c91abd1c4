import { describe, expect, test } from 'vitest';
import { differences, type Entry, type Tree, touched, withoutDurations } from './compare.ts';

const file = (more: Partial<Entry> = {}): Entry => ({
  type: 'file',
  mode: 0o644,
  mtime: '1',
  content: 'a',
  twin: '',
  ...more,
});

describe('what counts as a difference', () => {
  test.each<[string, Tree, Tree, string]>([
    ['a missing file', { x: file() }, {}, 'only without trai: x'],
    ['one too many', {}, { x: file() }, 'only with trai: x'],
    ['another type', { x: file() }, { x: file({ type: 'directory' }) }, 'x: file without trai'],
    ['another mode', { x: file() }, { x: file({ mode: 0o600 }) }, 'x: mode 644 without trai, 600 with it'],
    ['other content', { x: file() }, { x: file({ content: 'b' }) }, 'x: other content'],
    ['a broken hard link', { x: file({ twin: 'w' }) }, { x: file() }, 'x: the same file as w without trai'],
  ])('%s', (_, plain, other, line) => {
    expect(differences(plain, other, {})).toEqual([expect.stringContaining(line)]);
  });

  test('times only where the program sets them, and always where nothing may have been touched', () => {
    const [a, b] = [{ x: file() }, { x: file({ mtime: '2' }) }];
    expect(differences(a, b, {})).toEqual([]);
    expect(differences(a, b, { times: true })).toHaveLength(1);
    expect(touched(a, b)).toHaveLength(1);
  });

  test('what a row names as loose must be there all the same', () => {
    const rules = { loose: [/^log$/] };
    expect(differences({ log: file() }, { log: file({ content: 'b' }) }, rules)).toEqual([]);
    expect(differences({ log: file() }, {}, rules)).toHaveLength(1);
  });
});

test('durations are taken out of outputs, other numbers are not', () => {
  expect(withoutDurations('added 25 packages in 812ms, 3 of 4 in 1.5s')).toBe(
    'added 25 packages in <time>, 3 of 4 in <time>',
  );
});
