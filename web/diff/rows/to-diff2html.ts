/**
 * Builds diff2html's `DiffFile` JSON from our own model, in batches of rows. Patch text is never made: a parser of
 * patch text can be made to lie by the content of a file.
 */
import type { DiffBlock, DiffFile, DiffLine as HtmlLine } from 'diff2html/lib-esm/types';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffHunk, DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import { MARK_CR, MARK_NO_NEWLINE, markInvisible } from '../../text/visible.ts';

/** Rows put into the page at once; 1,000 rows take about 30 ms to make. */
export const BATCH_ROWS = 1_000;

/** Header of a block that goes on with a hunk begun in the batch before; its row is taken out again. */
const CONTINUED = '';

interface BatchOptions {
  rows: number;
  /** Cut lines over MAX_LINE_CHARS, saying how much is missing. */
  cut: boolean;
}

const PREFIX = { context: ' ', added: '+', removed: '-' } as const;
// diff2html's LineType is a TypeScript enum of these three strings.
const TYPE = { context: 'context', added: 'insert', removed: 'delete' } as const;

/** `mixed` when the lines of a diff end in different ways: then each unusual end is marked on its line. */
export function lineEndings(diff: TextDiff): 'lf' | 'crlf' | 'cr' | 'mixed' {
  const seen = new Set<string>();
  for (const hunk of diff.hunks) for (const line of hunk.lines) if (line.end !== 'none') seen.add(line.end);
  const [first] = seen;
  if (seen.size > 1) return 'mixed';
  return first === 'crlf' || first === 'cr' ? first : 'lf';
}

/** A line as it is shown: cut when very long, invisible characters as stand-ins, and how it ends where that matters. */
export function shownText(line: Pick<DiffLine, 'text' | 'end'>, markEnds: boolean, cut: boolean): string {
  const long = cut && line.text.length > MAX_LINE_CHARS;
  const text = long ? line.text.slice(0, MAX_LINE_CHARS) : line.text;
  const rest = long ? ` … ${line.text.length - MAX_LINE_CHARS} more characters` : '';
  const isCr = markEnds && (line.end === 'crlf' || line.end === 'cr');
  return markInvisible(text) + rest + (isCr ? MARK_CR : '') + (line.end === 'none' ? MARK_NO_NEWLINE : '');
}

/** Lines over the limit, which `cut` shortens. */
export function longLines(diff: TextDiff): number {
  let count = 0;
  for (const hunk of diff.hunks)
    for (const line of hunk.lines) if (line.text.length > MAX_LINE_CHARS) count++;
  return count;
}

/** Rows of the whole diff, without hunk headers. */
export function rowCount(diff: TextDiff): number {
  return diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
}

function headerOf(hunk: DiffHunk): string {
  return `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
}

/** Hunks that begin in a batch. */
export function hunksIn({ blocks }: DiffFile): number {
  return blocks.filter(({ header }) => header !== CONTINUED).length;
}

function htmlLine(line: DiffLine, markEnds: boolean, cut: boolean): HtmlLine {
  const content = PREFIX[line.kind] + shownText(line, markEnds, cut);
  // The numbers that a line of this kind has are never null in the model; 0 is drawn as nothing.
  const numbers = { oldNumber: line.oldNumber ?? undefined, newNumber: line.newNumber ?? undefined };
  return { type: TYPE[line.kind], content, ...numbers } as HtmlLine;
}

function fileOf(blocks: DiffBlock[]): DiffFile {
  return {
    // The name is never drawn: names are shown by our own header, from bytes.
    oldName: 'entry',
    newName: 'entry',
    language: '',
    isCombined: false,
    isGitDiff: false,
    addedLines: 0,
    deletedLines: 0,
    blocks,
  };
}

/**
 * Cuts a diff into files of at most `rows` lines each, in order. Every line of the model is in exactly one batch.
 */
export function diffBatches(
  diff: TextDiff,
  options: BatchOptions = { rows: BATCH_ROWS, cut: true },
): DiffFile[] {
  const markEnds = lineEndings(diff) === 'mixed';
  const batches: DiffFile[] = [];
  let blocks: DiffBlock[] = [];
  let room = options.rows;
  for (const hunk of diff.hunks) {
    for (let at = 0; at < hunk.lines.length; ) {
      const slice = hunk.lines.slice(at, at + room);
      const [first] = slice;
      blocks.push({
        header: at === 0 ? headerOf(hunk) : CONTINUED,
        oldStartLine: first?.oldNumber ?? hunk.oldStart,
        newStartLine: first?.newNumber ?? hunk.newStart,
        lines: slice.map((line) => htmlLine(line, markEnds, options.cut)),
      });
      at += slice.length;
      room -= slice.length;
      if (room > 0) continue;
      batches.push(fileOf(blocks));
      blocks = [];
      room = options.rows;
    }
  }
  if (blocks.length > 0) batches.push(fileOf(blocks));
  return batches;
}
