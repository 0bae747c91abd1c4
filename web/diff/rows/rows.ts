/**
 * The rows of a text diff: lines in batches of bounded length, in each batch blocks of removed lines with the
 * added ones that replace them, for both layouts. Made from our model, never from patch text: a file's
 * content can deceive a parser of that. Pure.
 */
import { diffWordsWithSpace } from 'diff';
import { newDistanceFn, newMatcherFn } from 'diff2html/lib-esm/rematch';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffHunk, DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import { plural } from '../../text/format.ts';
import { MARK_CR, MARK_NO_NEWLINE, markInvisible } from '../../text/visible.ts';

export const BATCH_ROWS = 1_000;
/** Above these, lines are paired in order: comparing each with each takes too long. */
const MAX_COMPARISONS = 2_500;
const MAX_COMPARED_CHARS = 200;
/** Longer lines are not compared word by word. */
const MAX_WORDS_CHARS = 2_000;

/** `changed`: the paired line differs here. */
export interface Word {
  text: string;
  changed: boolean;
}

/** `text` is as `shownText` gives it. */
export interface Row extends Pick<DiffLine, 'kind' | 'oldNumber' | 'newNumber'> {
  text: string;
  /** Concatenated, they are the text. */
  words: readonly Word[];
}

/** Removed lines and the added ones that replace them, pairwise; or one unchanged line. */
export interface Block {
  old: Row[];
  new: Row[];
}

/** Lines of one hunk in one batch. */
interface Part {
  /** Index of the hunk. */
  hunk: number;
  /** Empty when the hunk began in an earlier batch. */
  header: string;
  rows: Row[];
}
export type Batch = readonly Part[];

/** `mixed`: unusual line ends are marked on their lines. */
export function lineEndings(lines: readonly Pick<DiffLine, 'end'>[]): 'lf' | 'crlf' | 'cr' | 'mixed' {
  const [first, ...more] = new Set(lines.flatMap(({ end }) => (end === 'none' ? [] : [end])));
  return more.length > 0 ? 'mixed' : (first ?? 'lf');
}

/** Cut when very long, with stand-ins for invisible characters, and with its line end if `markEnds`. */
export function shownText(line: Pick<DiffLine, 'text' | 'end'>, markEnds: boolean, cut: boolean): string {
  const long = cut && line.text.length > MAX_LINE_CHARS;
  const text = long ? line.text.slice(0, MAX_LINE_CHARS) : line.text;
  const rest = long ? ` … ${plural(line.text.length - MAX_LINE_CHARS, 'more character')}` : '';
  const isCr = markEnds && (line.end === 'crlf' || line.end === 'cr');
  return markInvisible(text) + rest + (isCr ? MARK_CR : '') + (line.end === 'none' ? MARK_NO_NEWLINE : '');
}

/** Number of lines that `cut` shortens. */
export function longLines(diff: TextDiff): number {
  return linesOf(diff).filter(({ text }) => text.length > MAX_LINE_CHARS).length;
}

export function linesOf({ hunks }: TextDiff): DiffLine[] {
  return hunks.flatMap(({ lines }) => lines);
}

/** In order, at most `size` lines each; every line is in exactly one batch. */
export function batchesOf(diff: TextDiff, cut: boolean, size = BATCH_ROWS): Batch[] {
  const markEnds = lineEndings(linesOf(diff)) === 'mixed';
  const batches: Part[][] = [];
  let room = 0;
  for (const [index, hunk] of diff.hunks.entries()) {
    for (let at = 0; at < hunk.lines.length; ) {
      if (room === 0) {
        batches.push([]);
        room = size;
      }
      const rows = hunk.lines.slice(at, at + room).map(({ kind, oldNumber, newNumber, text, end }) => {
        const shown = shownText({ text, end }, markEnds, cut);
        return { kind, oldNumber, newNumber, text: shown, words: [{ text: shown, changed: false }] };
      });
      batches.at(-1)?.push({ hunk: index, header: at === 0 ? headerOf(hunk) : '', rows });
      at += rows.length;
      room -= rows.length;
    }
  }
  return batches;
}

function headerOf(hunk: DiffHunk): string {
  return `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
}

const pairAlike = newMatcherFn<Row>(newDistanceFn(({ text }) => text));

/** Added lines belong to the removed ones right before them. */
export function blocksOf(rows: readonly Row[]): Block[] {
  const blocks: Block[] = [];
  let open: Block = { old: [], new: [] };
  const close = (): void => {
    blocks.push(...matched(open).map(withWords));
    open = { old: [], new: [] };
  };
  for (const row of rows) {
    if (row.kind === 'added') open.new.push(row);
    else {
      if (row.kind === 'context' || open.new.length > 0) close();
      if (row.kind === 'removed') open.old.push(row);
      else blocks.push({ old: [row], new: [row] });
    }
  }
  close();
  return blocks;
}

/** Splits a block so that similar lines stand beside each other. */
function matched(block: Block): Block[] {
  const lines = [...block.old, ...block.new];
  const isSmall =
    block.old.length * block.new.length < MAX_COMPARISONS &&
    lines.every(({ text }) => text.length < MAX_COMPARED_CHARS);
  if (!isSmall || block.old.length === 0 || block.new.length === 0) return [block];
  return pairAlike(block.old, block.new).map(([old = [], added = []]) => ({ old, new: added }));
}

function withWords(block: Block): Block {
  const old = [...block.old];
  const added = [...block.new];
  for (const [i, before] of block.old.entries()) {
    const after = block.new[i];
    if (after === undefined || Math.max(before.text.length, after.text.length) > MAX_WORDS_CHARS) continue;
    const words = diffWordsWithSpace(before.text, after.text);
    const wordsOn = (side: 'removed' | 'added'): Word[] =>
      words
        .filter((word) => word[side] || word.added === word.removed)
        .map((word) => ({ text: word.value, changed: word[side] }));
    old[i] = { ...before, words: wordsOn('removed') };
    added[i] = { ...after, words: wordsOn('added') };
  }
  return { old, new: added };
}
