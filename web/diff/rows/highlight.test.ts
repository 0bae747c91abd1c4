import { expect, test } from 'vitest';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { textDiff } from '../../../testing/dashboard/make.ts';
import { colours, tokensByLine } from './highlight.ts';
import { diffJob, highlightsOf } from './highlighter.ts';

function coloursOf(diff: TextDiff) {
  const job = diffJob(diff);
  const found = job === null ? null : colours(job);
  return found === null ? null : highlightsOf(diff, found);
}

test('class names and offsets are read back from the highlighter', () => {
  const html =
    '<span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;x&gt;\nb&quot;</span>;';
  expect(tokensByLine(html)).toEqual([
    [
      { start: 0, end: 5, className: 'hljs-keyword' },
      { start: 10, end: 14, className: 'hljs-string' },
    ],
    [{ start: 0, end: 2, className: 'hljs-string' }],
  ]);
});

test('a comment over several lines colours each of them, on its own side', () => {
  const diff = textDiff('/p/a.ts', '/*\nold\n*/\n', '/*\nnew\n*/\n');
  const highlights = coloursOf(diff);
  expect(highlights?.old.get(2)).toEqual([{ start: 0, end: 3, className: 'hljs-comment' }]);
  expect(highlights?.new.get(2)).toEqual([{ start: 0, end: 3, className: 'hljs-comment' }]);
});

test('a command is coloured line by line', () => {
  expect(colours({ language: 'bash', texts: ['cd app &&\necho "x"'] })).toEqual([
    [
      [{ start: 0, end: 2, className: 'hljs-built_in' }],
      [
        { start: 0, end: 4, className: 'hljs-built_in' },
        { start: 5, end: 8, className: 'hljs-string' },
      ],
    ],
  ]);
});

test.each([
  ['a line that is too long', textDiff('/p/a.ts', 'a\n', `${'x'.repeat(1_001)}\n`)],
  ['too many lines', textDiff('/p/a.ts', '', 'x\n'.repeat(2_001))],
])('%s is not asked for', (_, diff) => {
  expect(diffJob(diff)).toBeNull();
});

test('a language that is not known has no colours', () => {
  expect(colours({ language: 'unknown', texts: ['a'] })).toBeNull();
});
