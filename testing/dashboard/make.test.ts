import { expect, test } from 'vitest';
import { textDiff } from './make.ts';

test('a recorded diff has every line of both sides, with its line end', () => {
  const diff = textDiff('/p/endings.txt', 'one\ntwo\n', 'one\r\ntwo\r\n');
  const lines = diff.hunks.flatMap((hunk) =>
    hunk.lines.map(({ kind, text, end }) => `${kind} ${text} ${end}`),
  );
  expect(lines).toEqual(['removed one lf', 'removed two lf', 'added one crlf', 'added two crlf']);
});
