import { expect, test } from 'vitest';
import type { TextDiff } from '../../../shared/model/diff.ts';
import { textDiff } from '../../../testing/dashboard/make.ts';
import { colours } from './highlight.ts';
import { diffJob, shellJob } from './highlight-job.ts';
import { tokensByLine } from './tokens.ts';

function coloursOf(diff: TextDiff) {
  const job = diffJob(diff);
  const found = job === null ? null : colours(job);
  return found?.kind === 'diff' ? found.highlights : null;
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
  const job = shellJob('cd app &&\necho "x"');
  expect(job === null ? null : colours(job)).toEqual({
    kind: 'shell',
    lines: [
      [{ start: 0, end: 2, className: 'hljs-built_in' }],
      [
        { start: 0, end: 4, className: 'hljs-built_in' },
        { start: 5, end: 8, className: 'hljs-string' },
      ],
    ],
  });
});

test.each([
  ['an unknown language', textDiff('/p/a.unknown', 'a\n', 'b\n')],
  ['a line that is too long', textDiff('/p/a.ts', 'a\n', `${'x'.repeat(1_001)}\n`)],
  ['too many lines', textDiff('/p/a.ts', '', 'x\n'.repeat(2_001))],
])('%s is not asked for', (_, diff) => {
  expect(diffJob(diff)).toBeNull();
});
