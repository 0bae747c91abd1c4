import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import { markedParts, markInvisible } from '../../text/visible.ts';
import { batchesOf, blocksOf, lineEndings, linesOf, longLines, type Row } from './rows.ts';

function lineOf(kind: DiffLine['kind'], text: string, patch: Partial<DiffLine> = {}): DiffLine {
  return { kind, text, end: 'lf', oldNumber: null, newNumber: null, ...patch };
}

/** Adds the line numbers. */
function modelOf(hunks: DiffLine[][]): TextDiff {
  let oldAt = 1;
  let newAt = 1;
  const made = hunks.map((lines) => {
    const [oldStart, newStart] = [oldAt, newAt];
    const numbered = lines.map((line) => ({
      ...line,
      oldNumber: line.kind === 'added' ? null : oldAt++,
      newNumber: line.kind === 'removed' ? null : newAt++,
    }));
    const hunk = {
      oldStart,
      oldLines: oldAt - oldStart,
      newStart,
      newLines: newAt - newStart,
      lines: numbered,
    };
    oldAt += 10;
    newAt += 10;
    return hunk;
  });
  return {
    kind: 'text',
    id: '0',
    etag: '0',
    hunks: made,
    added: 0,
    removed: 0,
    oldTotal: oldAt,
    newTotal: newAt,
    approximate: false,
    spacesHidden: 0,
    language: null,
  };
}

const aText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replace(/\n/g, '')),
  fc.constantFrom(
    '--- a/x',
    '+++ b/x',
    '@@ -1,1 +1,1 @@',
    'diff --git a/a b/b',
    '\\ No newline at end of file',
    '</span>',
    '<br>',
    '',
    ' ',
    '&amp;',
    'echo safe\rrm -rf ~',
  ),
);
const aLine = fc
  .record({ kind: fc.constantFrom('context', 'added', 'removed'), text: aText })
  .map(({ kind, text }) => lineOf(kind, text));
const aModel = fc
  .array(fc.array(aLine, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 4 })
  .map(modelOf);

/** The labels and texts of a diff as drawn. */
const drawn = (diff: TextDiff, cut = true): string =>
  batchesOf(diff, cut)
    .flatMap((batch) => batch.flatMap(({ rows }) => rows))
    .flatMap(({ text }) =>
      markedParts(text).map((part) => (typeof part === 'string' ? part : `[${part.label}]`)),
    )
    .join('');
const key = ({ kind, oldNumber, newNumber }: Omit<DiffLine, 'text' | 'end'>): string =>
  `${kind} ${oldNumber} ${newNumber}`;
const blocksIn = (model: TextDiff) =>
  batchesOf(model, true, 7).flatMap((batch) => batch.flatMap(({ rows }) => blocksOf(rows)));

describe('the rows of a diff', () => {
  test('every line of the model is in exactly one batch, in order', () => {
    fc.assert(
      fc.property(aModel, fc.integer({ min: 1, max: 12 }), (model, size) => {
        const batches = batchesOf(model, true, size).map((batch) => batch.flatMap(({ rows }) => rows));
        expect(batches.flat().map(key)).toEqual(linesOf(model).map(key));
        expect(batches.every((rows) => rows.length <= size)).toBe(true);
      }),
    );
  });

  test('every line is in the blocks on its side or sides, in order and with all of its text', () => {
    fc.assert(
      fc.property(aModel, (model) => {
        const blocks = blocksIn(model);
        for (const [side, other] of [['old', 'added'] as const, ['new', 'removed'] as const]) {
          const rows = blocks.flatMap((block) => block[side]);
          const wanted = linesOf(model).filter(({ kind }) => kind !== other);
          expect(rows.map(key)).toEqual(wanted.map(key));
          expect(rows.map(({ text }) => text)).toEqual(wanted.map(({ text }) => markInvisible(text)));
        }
      }),
    );
  });

  test('the words of a line are its text, and what is not changed in them is in the line beside it', () => {
    const plain = ({ words }: Row): string =>
      words.map(({ text, changed }) => (changed ? '' : text)).join('');
    fc.assert(
      fc.property(aModel, (model) => {
        for (const block of blocksIn(model))
          for (const [i, row] of [...block.old.entries(), ...block.new.entries()]) {
            expect(row.words.map(({ text }) => text).join('')).toBe(row.text);
            const [old, added] = [block.old[i], block.new[i]];
            if (old !== undefined && added !== undefined) expect(plain(old)).toBe(plain(added));
          }
      }),
    );
  });

  test('a changed line stands beside the one that it is most like', () => {
    const model = modelOf([
      [
        lineOf('removed', 'const total = sum(items);'),
        lineOf('added', '// with taxes'),
        lineOf('added', 'const total = sum(items, tax);'),
      ],
    ]);
    expect(
      blocksIn(model).map((block) => [block.old.map(({ text }) => text), block.new.map(({ text }) => text)]),
    ).toEqual([
      [[], ['// with taxes']],
      [['const total = sum(items);'], ['const total = sum(items, tax);']],
    ]);
    expect(blocksIn(model)[1]?.new[0]?.words.filter(({ changed }) => changed)).toEqual([
      { text: ', tax', changed: true },
    ]);
  });

  test('a missing newline and a changed line ending are told', () => {
    const model = modelOf([
      [lineOf('removed', 'a'), lineOf('added', 'a', { end: 'crlf' }), lineOf('added', 'b', { end: 'none' })],
    ]);
    expect(lineEndings(linesOf(model))).toBe('mixed');
    expect(drawn(model)).toBe('aa[CR]b[no newline at end of file]');
  });

  test('where all lines end in CR LF it is said once and not on each line', () => {
    const model = modelOf([[lineOf('removed', 'a', { end: 'crlf' }), lineOf('added', 'b', { end: 'crlf' })]]);
    expect(lineEndings(linesOf(model))).toBe('crlf');
    expect(drawn(model)).toBe('ab');
  });

  test('a long line is cut with a number, and is whole when asked for', () => {
    const model = modelOf([[lineOf('added', `${'x'.repeat(MAX_LINE_CHARS)}tail`)]]);
    expect(longLines(model)).toBe(1);
    expect(drawn(model)).toContain('… 4 more characters');
    expect(drawn(model, false)).toContain('xtail');
  });

  test('a header names the lines of both sides, and counts for the batch that it begins in', () => {
    const model = modelOf([[lineOf('context', 'a')], [lineOf('added', 'b')]]);
    const headers = batchesOf(model, true).flatMap((batch) => batch.map(({ header }) => header));
    expect(headers).toEqual(['@@ -1,1 +1,1 @@', '@@ -12,0 +12,1 @@']);
    const long = modelOf([[lineOf('added', 'a'), lineOf('added', 'b')], [lineOf('added', 'c')]]);
    expect(batchesOf(long, true, 1).map((batch) => batch.map(({ hunk, header }) => [hunk, header]))).toEqual([
      [[0, '@@ -1,0 +1,2 @@']],
      [[0, '']],
      [[1, '@@ -11,0 +13,1 @@']],
    ]);
  });
});
