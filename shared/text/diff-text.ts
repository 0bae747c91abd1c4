/**
 * Algorithms on texts: the comparison of two as hunks of our model (here), merge-text.ts (three-way merge, and the sides of a
 * conflict beside each other), search-text.ts, hidden-characters.ts, language.ts, sniff.ts (text or binary). Pure; bounded in time.
 */
import { diffArrays } from 'diff';
import { DIFF_TIMEOUT_MS } from '../limits.ts';
import type { DiffHunk, DiffLine, Spaces } from '../model/diff.ts';
import { type Line, rawOf, splitLines } from './lines.ts';

export interface TextComparison {
  hunks: DiffHunk[];
  added: number;
  removed: number;
  oldTotal: number;
  newTotal: number;
  /** The comparison was cut short: right, but with larger blocks than needed. */
  approximate: boolean;
  /** Lines that are called unchanged although their white space or line end differs. */
  spacesHidden: number;
}

export interface CompareOptions {
  /** Unchanged lines around a change. */
  context?: number;
  spaces?: Spaces;
  timeoutMs?: number;
}

/** Edits after which the two are called wholly different; keeps jsdiff's memory within some 100 MB. */
const MAX_EDITS = 20_000;

/** Blanks and tabs only: an invisible character of another kind, or a CR within a line, is never passed over. */
const BLANKS = /[ \t]+/g;

/** Two lines are the same when their keys are. A missing line feed at the end of a file always counts. */
const KEYS: Record<Spaces, (line: Line) => string> = {
  exact: rawOf,
  amount: ({ text, end }) => `${text.replace(BLANKS, ' ').trimEnd()}${end === 'none' ? '' : '\n'}`,
  ignored: ({ text, end }) => `${text.replace(BLANKS, '')}${end === 'none' ? '' : '\n'}`,
};

/**
 * Compares two texts line by line. With `spaces: 'exact'` (the default), applying the hunks to the old lines gives the
 * new ones exactly, terminators included; else what is unchanged but for its white space is shown as it is now.
 */
export function compareTexts(oldText: string, newText: string, options: CompareOptions = {}): TextComparison {
  const context = options.context ?? 3;
  const oldLines = splitLines(oldText);
  const newLines = splitLines(newText);
  const key = KEYS[options.spaces ?? 'exact'];
  const { edits, approximate } = editsOf(
    oldLines.map(key),
    newLines.map(key),
    options.timeoutMs ?? DIFF_TIMEOUT_MS,
  );
  const { rows, spacesHidden } = toRows(oldLines, newLines, edits);
  return {
    hunks: rangesOf(rows, context).map(([from, to]) => hunkOf(rows, from, to)),
    added: rows.filter((row) => row.kind === 'added').length,
    removed: rows.filter((row) => row.kind === 'removed').length,
    oldTotal: oldLines.length,
    newTotal: newLines.length,
    approximate,
    spacesHidden,
  };
}

/** A run of lines: kept, only old or only new. */
interface Edit {
  kind: DiffLine['kind'];
  count: number;
}

/** What both begin and end with is taken off first: it is most of a file, and an aborted comparison keeps it as context. */
function editsOf(
  oldRaw: readonly string[],
  newRaw: readonly string[],
  timeout: number,
): { edits: Edit[]; approximate: boolean } {
  const shorter = Math.min(oldRaw.length, newRaw.length);
  let head = 0;
  while (head < shorter && oldRaw[head] === newRaw[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldRaw[oldRaw.length - 1 - tail] === newRaw[newRaw.length - 1 - tail])
    tail++;
  const oldMiddle = oldRaw.slice(head, oldRaw.length - tail);
  const newMiddle = newRaw.slice(head, newRaw.length - tail);
  const found = diffArrays(oldMiddle, newMiddle, { timeout, maxEditLength: MAX_EDITS });
  const middle: Edit[] = found?.map((part) => ({ kind: kindOf(part), count: part.value.length })) ?? [
    { kind: 'removed', count: oldMiddle.length },
    { kind: 'added', count: newMiddle.length },
  ];
  const edits: Edit[] = [{ kind: 'context', count: head }, ...middle, { kind: 'context', count: tail }];
  return { edits, approximate: found === undefined };
}

function kindOf(part: { added: boolean; removed: boolean }): DiffLine['kind'] {
  if (part.added) return 'added';
  return part.removed ? 'removed' : 'context';
}

function toRows(
  oldLines: readonly Line[],
  newLines: readonly Line[],
  edits: readonly Edit[],
): { rows: DiffLine[]; spacesHidden: number } {
  const rows: DiffLine[] = [];
  let spacesHidden = 0;
  let oldAt = 0;
  let newAt = 0;
  for (const { kind, count } of edits) {
    for (let i = 0; i < count; i++) {
      const before = oldLines[oldAt];
      const line = kind === 'removed' ? before : newLines[newAt];
      if (line === undefined) continue;
      if (kind === 'context' && before !== undefined && rawOf(before) !== rawOf(line)) spacesHidden++;
      const oldNumber = kind === 'added' ? null : ++oldAt;
      const newNumber = kind === 'removed' ? null : ++newAt;
      rows.push({ kind, text: line.text, oldNumber, newNumber, end: line.end });
    }
  }
  return { rows, spacesHidden };
}

/** The hunk of some of all lines. As in a unified diff, without lines on a side it names the line before it there. */
export function hunkOf(all: readonly DiffLine[], from: number, to: number): DiffHunk {
  const lines = all.slice(from, to);
  const olds = lines.filter((line) => line.oldNumber !== null);
  const news = lines.filter((line) => line.newNumber !== null);
  return {
    oldStart: olds[0]?.oldNumber ?? lastOf(all, from, 'oldNumber'),
    oldLines: olds.length,
    newStart: news[0]?.newNumber ?? lastOf(all, from, 'newNumber'),
    newLines: news.length,
    lines,
  };
}

function lastOf(all: readonly DiffLine[], before: number, side: 'oldNumber' | 'newNumber'): number {
  for (let i = before - 1; i >= 0; i--) {
    const number = all[i]?.[side];
    if (number != null) return number;
  }
  return 0;
}

/** Half-open ranges of the hunks: every change with its context, neighbours joined where the contexts meet. */
function rangesOf(rows: readonly DiffLine[], context: number): [number, number][] {
  const ranges: [number, number][] = [];
  for (const [at, row] of rows.entries()) {
    if (row.kind === 'context') continue;
    const start = Math.max(0, at - context);
    const end = Math.min(rows.length, at + 1 + context);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}
