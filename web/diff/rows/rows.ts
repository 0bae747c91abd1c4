/**
 * The rows of a text diff: its lines in batches of bounded length, and in each batch blocks in which a removed line stands
 * beside the added one that replaces it. Both layouts draw the same blocks. They are made from our own model and never from
 * patch text: a parser of it can be made to lie by the content of a file. Pure.
 */
import { diffWordsWithSpace } from 'diff';
import { newDistanceFn, newMatcherFn } from 'diff2html/lib-esm/rematch';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffHunk, DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import { MARK_CR, MARK_NO_NEWLINE, markInvisible } from '../../text/visible.ts';

/** Rows put into the page at once. */
export const BATCH_ROWS = 1_000;
/** Above these lines are paired in their order: comparing each with each would take too long. */
const MAX_COMPARISONS = 2_500;
const MAX_COMPARED_CHARS = 200;
/** Longer lines are compared as wholes. */
const MAX_WORDS_CHARS = 2_000;

/** A piece of a line; `changed` where the line beside it has another one. */
export interface Word {
  text: string;
  changed: boolean;
}

/** A line with its text as `shownText` gives it. */
export interface Row extends Pick<DiffLine, 'kind' | 'oldNumber' | 'newNumber'> {
  text: string;
  /** Joined, they are the text. */
  words: readonly Word[];
}

/** Removed lines and the added ones that replace them, pair by pair; or one line that both sides have. */
export interface Block {
  old: Row[];
  new: Row[];
}

/** Lines of one hunk in one batch. */
interface Part {
  /** Empty where the hunk began in the batch before. */
  header: string;
  rows: Row[];
}
export type Batch = readonly Part[];

/** `mixed` when lines end in different ways: then each unusual end is marked on its line. */
export function lineEndings(lines: readonly Pick<DiffLine, 'end'>[]): 'lf' | 'crlf' | 'cr' | 'mixed' {
  const [first, ...more] = new Set(lines.flatMap(({ end }) => (end === 'none' ? [] : [end])));
  return more.length > 0 ? 'mixed' : (first ?? 'lf');
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
  return linesOf(diff).filter(({ text }) => text.length > MAX_LINE_CHARS).length;
}

export function linesOf({ hunks }: TextDiff): DiffLine[] {
  return hunks.flatMap(({ lines }) => lines);
}

/** Cuts a diff into batches of at most `size` lines, in order. Every line is in exactly one of them. */
export function batchesOf(diff: TextDiff, cut: boolean, size = BATCH_ROWS): Batch[] {
  const markEnds = lineEndings(linesOf(diff)) === 'mixed';
  const batches: Part[][] = [];
  let room = 0;
  for (const hunk of diff.hunks) {
    for (let at = 0; at < hunk.lines.length; ) {
      if (room === 0) {
        batches.push([]);
        room = size;
      }
      const rows = hunk.lines.slice(at, at + room).map(({ kind, oldNumber, newNumber, text, end }) => {
        const shown = shownText({ text, end }, markEnds, cut);
        return { kind, oldNumber, newNumber, text: shown, words: [{ text: shown, changed: false }] };
      });
      batches.at(-1)?.push({ header: at === 0 ? headerOf(hunk) : '', rows });
      at += rows.length;
      room -= rows.length;
    }
  }
  return batches;
}

/** Hunks that begin in a batch. */
export function hunksIn(batch: Batch): number {
  return batch.filter(({ header }) => header !== '').length;
}

function headerOf(hunk: DiffHunk): string {
  return `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
}

const pairAlike = newMatcherFn<Row>(newDistanceFn(({ text }) => text));

/** The blocks of some lines of a hunk: added lines belong to the removed ones right before them. */
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

/** The block in smaller ones, so that lines that are alike stand beside each other. */
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
