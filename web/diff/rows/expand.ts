/** More unchanged lines around the hunks of a diff. Gap 0 lies above the first hunk, gap n below the n-th. */
import type { DiffHunk, DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import { hunkOf } from '../../../shared/text/diff-text.ts';
import { linesOf } from './rows.ts';

export const STEP = 20;

/** Unchanged lines by their numbers in the new file, `to` excluded. */
export interface Range {
  from: number;
  to: number;
}

/** The hidden lines above each hunk, and below the last one. */
export function gapsOf({ hunks, newTotal }: TextDiff): Range[] {
  if (hunks.length === 0) return [];
  const starts = [...hunks.map(firstNew), newTotal + 1];
  return starts.map((to, i) => {
    const above = hunks[i - 1];
    const from = above === undefined ? 1 : firstNew(above) + above.newLines;
    return { from, to: Math.max(from, to) };
  });
}

/** As in a unified diff, a hunk without lines of the new file names the line before it. */
function firstNew({ newStart, newLines }: DiffHunk): number {
  return newStart + (newLines === 0 ? 1 : 0);
}

/** `whole`: the same comparison with all lines. If the diff is no part of it (it was cut short), it is shown. */
export function expand(diff: TextDiff, whole: TextDiff, opened: readonly Range[]): TextDiff {
  const lines = linesOf(whole);
  const inHunks = new Set(linesOf(diff).map(placeOf));
  const isShown = lines.map(
    (line) => inHunks.delete(placeOf(line)) || opened.some((range) => isIn(range, line.newNumber ?? 0)),
  );
  if (inHunks.size > 0) return whole;
  const hunks: DiffHunk[] = [];
  for (let from = isShown.indexOf(true); from >= 0; ) {
    const end = isShown.indexOf(false, from);
    const to = end < 0 ? lines.length : end;
    hunks.push(hunkOf(lines, from, to));
    from = isShown.indexOf(true, to);
  }
  return { ...diff, hunks };
}

function isIn({ from, to }: Range, line: number): boolean {
  return line >= from && line < to;
}

function placeOf({ kind, oldNumber, newNumber }: DiffLine): string {
  return `${kind} ${oldNumber} ${newNumber}`;
}

export type How = 'top' | 'bottom' | 'all';

/** What a press opens: the gap, or some lines at one of its ends. */
export function openGap({ from, to }: Range, how: How): Range {
  return {
    from: how === 'bottom' ? Math.max(from, to - STEP) : from,
    to: how === 'top' ? Math.min(to, from + STEP) : to,
  };
}

/** Opens the gap that hides a line from its nearer end at a hunk, some lines further; null when none hides it. */
export function openTo(diff: TextDiff, line: number): Range | null {
  const gaps = gapsOf(diff);
  const at = gaps.findIndex((gap) => isIn(gap, line));
  const gap = gaps[at];
  if (gap === undefined) return null;
  const { from, to } = gap;
  const isFromTop = at === gaps.length - 1 || (at > 0 && line - from < to - line);
  return isFromTop ? { from, to: Math.min(to, line + 1 + STEP) } : { from: Math.max(from, line - STEP), to };
}
