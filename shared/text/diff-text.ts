/**
 * Algorithms on texts, bounded in time. Here: the comparison of two texts as hunks of our model.
 *
 *     trim the common head and tail; compare the middle by keys (jsdiff, with a time and edit limit);
 *     on a timeout the middle is one removed and one added block; lines with context become hunks
 *
 * Beside it: merge-text.ts (three-way merge, sides of a conflict), search-text.ts, hidden-characters.ts,
 * language.ts, sniff.ts (text or binary), lines.ts.
 */
import { diffArrays } from 'diff';
import { DIFF_TIMEOUT_MS } from '../limits.ts';
import type { DiffHunk, DiffLine, Spaces, TextComparison } from '../model/diff.ts';
import { type Line, rawOf, splitLines } from './lines.ts';

export interface CompareOptions {
  context?: number;
  spaces?: Spaces;
  timeoutMs?: number;
}

/** Keeps jsdiff's memory within about 100 MB. */
const MAX_EDITS = 20_000;

/** Blanks and tabs only: other invisible characters, or a CR within a line, always count. */
const BLANKS = /[ \t]+/g;

/** Lines are equal when their keys are. A missing line feed at the end of a file always counts. */
const KEYS: Record<Spaces, (line: Line) => string> = {
  exact: rawOf,
  amount: ({ text, end }) => `${text.replace(BLANKS, ' ').trimEnd()}${end === 'none' ? '' : '\n'}`,
  ignored: ({ text, end }) => `${text.replace(BLANKS, '')}${end === 'none' ? '' : '\n'}`,
};

/** With `exact`, applying the hunks to the old lines gives the new ones, terminators included. */
export function compareTexts(
  oldText: string,
  newText: string,
  { context = 3, spaces = 'exact', timeoutMs = DIFF_TIMEOUT_MS }: CompareOptions = {},
): TextComparison {
  const oldLines = splitLines(oldText);
  const newLines = splitLines(newText);
  const key = KEYS[spaces];
  const { edits, approximate } = editsOf(oldLines.map(key), newLines.map(key), timeoutMs);
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

interface Edit {
  kind: DiffLine['kind'];
  count: number;
}

/** Common head and tail are most of a file, and stay context when the comparison is aborted. */
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

/** As in a unified diff, a side without lines has the number of the line before it. */
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

/** Half-open ranges: each change with its context, joined where contexts meet. */
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
