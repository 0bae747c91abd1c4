import { describe, expect, test } from 'vitest';
import { compareTexts } from '../../../shared/text/diff-text.ts';
import { addsHidden } from '../../../shared/text/hidden-characters.ts';
import { diffAddsHidden } from './DiffNotes.tsx';

function said(before: string, after: string): boolean {
  return diffAddsHidden({ kind: 'text', id: '0', etag: '0', ...compareTexts(before, after), language: null });
}

const LINES = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

describe('a diff says what the list flags', () => {
  test.each([
    ['a zero-width space in a new line', LINES, `${LINES}a\u200bb\n`],
    ['one in a new file', '', 'a\u202eb'],
    ['one that was there, far from what changed', `a\u200bb\n${LINES}`, `a\u200bb\n${LINES}more\n`],
    [
      'one that was there, in a line that changed elsewhere',
      'a\u200bb 1234567890\n',
      'a\u200bb 1234567890!\n',
    ],
    ['a byte order mark at the beginning', 'a\n', '\ufeffa\n'],
    ['line ends of CR LF', 'a\nb\n', 'a\r\nb\r\n'],
    ['a bare CR in the middle', 'a\nb\n', 'a\rb\n'],
    ['nothing', 'a\n', 'b\n'],
  ])('%s', (_, before, after) => {
    expect(said(before, after)).toBe(addsHidden(before, after));
  });
});
