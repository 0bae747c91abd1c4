/** More unchanged lines around the hunks of a diff. Gap 0 lies above the first hunk, gap n below the n-th. */
import type { DiffHunk, DiffLine, TextDiff } from '../../../shared/model/diff.ts';
import { hunkOf } from '../../../shared/text/diff-text.ts';

export const STEP = 20;

interface Opened {
  /** Lines from the top of the gap downwards, and from its bottom upwards. */
  top: number;
  bottom: number;
}
export type Gaps = ReadonlyMap<number, Opened>;

export interface Gap {
  index: number;
  hidden: number;
}

/** `gaps[i]` lies above `hunks[i]`, the last one below all hunks. */
export interface Expanded {
  diff: TextDiff;
  gaps: Gap[];
}

export function gapsOf(diff: TextDiff): Gap[] {
  const hidden = diff.hunks.map((hunk, i) => firstNew(hunk) - endNew(diff.hunks[i - 1]));
  const last = diff.hunks.at(-1);
  if (last !== undefined) hidden.push(diff.newTotal + 1 - endNew(last));
  return hidden.map((lines, index) => ({ index, hidden: Math.max(0, lines) }));
}

/** As in a unified diff, a hunk without lines of the new file names the line before it. */
function firstNew(hunk: DiffHunk): number {
  return hunk.newStart + (hunk.newLines === 0 ? 1 : 0);
}

function endNew(hunk: DiffHunk | undefined): number {
  return hunk === undefined ? 1 : firstNew(hunk) + hunk.newLines;
}

/** `whole`: the same comparison with all lines. If its hunks do not match (it was cut short), it is shown. */
export function expand(diff: TextDiff, whole: TextDiff, opened: Gaps): Expanded {
  const lines = whole.hunks.flatMap((hunk) => hunk.lines);
  if (diff.hunks.length === 0) return { diff, gaps: [] };
  const ranges = rangesOf(diff, lines);
  if (ranges === null) return { diff: whole, gaps: gapsOf(whole) };
  const shown: [from: number, to: number][] = [];
  const gaps: Gap[] = [];
  let start = 0;
  for (let index = 0; index <= ranges.length; index++) {
    const from = ranges[index - 1]?.[1] ?? 0;
    const to = ranges[index]?.[0] ?? lines.length;
    const { top, bottom } = within(opened.get(index), to - from, index, ranges.length);
    const hidden = to - from - top - bottom;
    if (index === 0) start = to - bottom;
    else if (hidden > 0 || index === ranges.length) {
      shown.push([start, from + top]);
      start = to - bottom;
    } else continue;
    gaps.push({ index, hidden });
  }
  return { diff: { ...diff, hunks: shown.map(([from, to]) => hunkOf(lines, from, to)) }, gaps };
}

/** The first and the last gap open only from their end at a hunk. */
function within(opened: Opened | undefined, lines: number, index: number, last: number): Opened {
  const { top, bottom } = opened ?? { top: 0, bottom: 0 };
  if (index === 0) return { top: 0, bottom: Math.min(lines, top + bottom) };
  if (index === last) return { top: Math.min(lines, top + bottom), bottom: 0 };
  const shownTop = Math.min(lines, top);
  return { top: shownTop, bottom: Math.min(lines - shownTop, bottom) };
}

function rangesOf(diff: TextDiff, lines: readonly DiffLine[]): [number, number][] | null {
  const places = new Map(lines.map((line, at) => [placeOf(line), at]));
  const ranges: [number, number][] = [];
  let before = 0;
  for (const { lines: own } of diff.hunks) {
    const [first] = own;
    const from = first === undefined ? undefined : places.get(placeOf(first));
    const last = own.at(-1);
    if (from === undefined || last === undefined || from < before) return null;
    const to = from + own.length;
    const end = lines[to - 1];
    if (end === undefined || placeOf(end) !== placeOf(last)) return null;
    ranges.push([from, to]);
    before = to;
  }
  return ranges;
}

function placeOf({ kind, oldNumber, newNumber }: DiffLine): string {
  return `${kind} ${oldNumber} ${newNumber}`;
}

export function openGap(opened: Gaps, index: number, how: 'top' | 'bottom' | 'all'): Gaps {
  const now = opened.get(index) ?? { top: 0, bottom: 0 };
  const next = {
    all: { top: Number.MAX_SAFE_INTEGER, bottom: 0 },
    top: { ...now, top: now.top + STEP },
    bottom: { ...now, bottom: now.bottom + STEP },
  }[how];
  return new Map(opened).set(index, next);
}

export function gapWith(diff: TextDiff, line: number): number | null {
  for (const [index, hunk] of diff.hunks.entries()) {
    if (line < firstNew(hunk)) return line >= endNew(diff.hunks[index - 1]) ? index : null;
  }
  const last = diff.hunks.at(-1);
  return last !== undefined && line >= endNew(last) && line <= diff.newTotal ? diff.hunks.length : null;
}

/** Opens the gap from its nearer end, one line further than the wanted one. */
export function openTo({ diff, gaps }: Expanded, opened: Gaps, line: number): Gaps {
  const at = gapWith(diff, line);
  const gap = at === null ? undefined : gaps[at];
  if (at === null || gap === undefined) return opened;
  const above = line - endNew(diff.hunks[at - 1]) + 1;
  const hunk = diff.hunks[at];
  const below = hunk === undefined ? Number.POSITIVE_INFINITY : firstNew(hunk) - line;
  const isFromTop = at > 0 && above <= below;
  const { top = 0, bottom = 0 } = opened.get(gap.index) ?? {};
  const next = isFromTop ? { top: top + above + STEP, bottom } : { top, bottom: bottom + below + STEP };
  return new Map(opened).set(gap.index, next);
}
