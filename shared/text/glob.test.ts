import { expect, test } from 'vitest';
import { globMatches } from './glob.ts';

test.each([
  ['*', ''],
  ['a*b*c', 'axbxbxc'],
  ['a?c', 'abc'],
  ['[ab]c', 'zc'],
  ['[', 'x'],
  ['*.ts', 'a.d.ts'],
  ['.*', '.ssh'],
  ['?', '\u{1f600}'],
  ['????', '\u{1f600}'],
  ['caf??', 'café'],
  ['a.b', 'a.b'],
])('%s may match %s', (glob, name) => expect(globMatches(glob, name)).toBe(true));

test.each([
  ['', 'a'],
  ['a?c', 'ac'],
  ['a*b', 'abc'],
  ['a.b', 'axb'],
  ['(a|b)', 'a'],
  ['a+', 'aa'],
])('%s does not match %s', (glob, name) => expect(globMatches(glob, name)).toBe(false));

test('many stars take no time that grows with their number', () => {
  expect(globMatches(`${'*a'.repeat(60)}b`, 'a'.repeat(255))).toBe(false);
});
