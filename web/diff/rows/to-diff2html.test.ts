import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import { expandMarks, markInvisible } from '../../text/visible.ts';
import { batchHtml, type Layout } from './render.ts';
import { diffBatches, hunksIn, lineEndings, longLines, rowCount } from './to-diff2html.ts';

function lineOf(kind: DiffLine['kind'], text: string, patch: Partial<DiffLine> = {}): DiffLine {
  return { kind, text, end: 'lf', oldNumber: null, newNumber: null, ...patch };
}

/** A model with right line numbers from kinds and texts. */
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

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x2F;': '/',
};

/** What a reader sees of a piece of rendered HTML. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#x27|#x2F);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Texts of the code cells of rendered HTML, in order; placeholders of the split layout are left out. */
function cellsOf(html: string): string[] {
  const cells = html.match(/<span class="d2h-code-line-ctn">[\s\S]*?<\/span>\n\s+<\/div>/g) ?? [];
  return cells
    .map((cell) => cell.replace(/^<span class="d2h-code-line-ctn">/, '').replace(/<\/span>\n\s+<\/div>$/, ''))
    .map((cell) => (cell === '<br>' ? '' : textOf(cell)));
}

function shown(line: DiffLine): string {
  return textOf(
    expandMarks(
      markInvisible(line.text).replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? c),
    ),
  );
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

describe('diff JSON', () => {
  test('every line of the model is in exactly one batch, in order', () => {
    fc.assert(
      fc.property(aModel, fc.integer({ min: 1, max: 12 }), (model, rows) => {
        const batches = diffBatches(model, { rows, cut: true });
        const lines = batches.flatMap((file) => file.blocks.flatMap((block) => block.lines));
        expect(lines).toHaveLength(rowCount(model));
        expect(
          batches.every((file) => file.blocks.reduce((sum, block) => sum + block.lines.length, 0) <= rows),
        ).toBe(true);
      }),
    );
  });

  test('every line of the unified layout is rendered with all of its text', () => {
    fc.assert(
      fc.property(aModel, (model) => {
        const cells = diffBatches(model, { rows: 7, cut: true }).flatMap((file) =>
          cellsOf(batchHtml(file, 'unified')),
        );
        // The renderer may put a removed line beside the added one that replaces it, so the order is not compared.
        const wanted = model.hunks.flatMap((hunk) => hunk.lines.map(shown));
        expect(cells.sort()).toEqual(wanted.sort());
      }),
    );
  });

  test('every line of the split layout is on its side or sides', () => {
    fc.assert(
      fc.property(aModel, (model) => {
        const layout: Layout = 'split';
        const html = diffBatches(model, { rows: 7, cut: true })
          .map((file) => batchHtml(file, layout))
          .join('');
        const filled = html.replace(/<tr>(?:(?!<\/tr>)[\s\S])*emptyplaceholder[\s\S]*?<\/tr>/g, '');
        const wanted = model.hunks.flatMap((hunk) =>
          hunk.lines.flatMap((line) =>
            line.kind === 'context' ? [shown(line), shown(line)] : [shown(line)],
          ),
        );
        expect(cellsOf(filled).sort()).toEqual(wanted.sort());
      }),
    );
  });

  test('no text of a file becomes a tag', () => {
    const html = batchHtml(
      diffBatches(modelOf([[lineOf('added', '<img src=x onerror=alert(1)>')]]))[0] ?? never(),
      'unified',
    );
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('a missing newline and a changed line ending are told', () => {
    const model = modelOf([
      [lineOf('removed', 'a'), lineOf('added', 'a', { end: 'crlf' }), lineOf('added', 'b', { end: 'none' })],
    ]);
    expect(lineEndings(model)).toBe('mixed');
    const html = diffBatches(model)
      .map((file) => batchHtml(file, 'unified'))
      .join('');
    expect(html).toContain('>CR</span>');
    expect(html).toContain('no newline at end of file');
  });

  test('where all lines end in CR LF it is said once and not on each line', () => {
    const model = modelOf([[lineOf('removed', 'a', { end: 'crlf' }), lineOf('added', 'b', { end: 'crlf' })]]);
    expect(lineEndings(model)).toBe('crlf');
    expect(
      diffBatches(model)
        .map((file) => batchHtml(file, 'unified'))
        .join(''),
    ).not.toContain('class="ctl');
  });

  test('a long line is cut with a number, and is whole when asked for', () => {
    const model = modelOf([[lineOf('added', `${'x'.repeat(MAX_LINE_CHARS)}tail`)]]);
    expect(longLines(model)).toBe(1);
    const cut = diffBatches(model)
      .map((file) => batchHtml(file, 'unified'))
      .join('');
    expect(cut).toContain('… 4 more characters');
    const whole = diffBatches(model, { rows: 10, cut: false })
      .map((file) => batchHtml(file, 'unified'))
      .join('');
    expect(whole).toContain('xtail');
  });

  test('a header names the lines of both sides, and counts for the batch that it begins in', () => {
    const model = modelOf([[lineOf('context', 'a')], [lineOf('added', 'b')]]);
    const headers = diffBatches(model).flatMap((file) => file.blocks.map((block) => block.header));
    expect(headers).toEqual(['@@ -1,1 +1,1 @@', '@@ -12,0 +12,1 @@']);
    const long = modelOf([[lineOf('added', 'a'), lineOf('added', 'b')], [lineOf('added', 'c')]]);
    expect(diffBatches(long, { rows: 1, cut: true }).map(hunksIn)).toEqual([1, 0, 1]);
  });
});

function never(): never {
  throw new Error('there is a first batch');
}
