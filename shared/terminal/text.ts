/** Colours and numbers. Plain text for pipes, NO_COLOR and answers of hooks. */

import type { DiskUse, LowSpace } from '../api/types.ts';
import { type BytePath, isWithin, toDisplay } from '../bytes.ts';
import { localText, sizeText } from '../format.ts';
import type { Beside } from '../model/commit.ts';
import type { Overlap } from '../model/overlap-paths.ts';
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const same = (text: string): string => text;
export const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    `\x1b[${on}m${text}\x1b[${off}m`;
export const COLOURED: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function firstLines<T>(
  items: readonly T[],
  most: number,
  line: (item: T) => string,
  total = items.length,
): string[] {
  const shown = items.slice(0, most).map(line);
  return total > shown.length ? [...shown, `  … and ${total - shown.length} more`] : shown;
}

/** `14:03:22`, local time; empty for what is no ISO time. */
export function clockText(iso: string): string {
  return localText(iso).slice(11, 19);
}

/** `2026-03-02 14:03`, local time. */
export function minuteText(iso: string): string {
  return localText(iso).slice(0, 16);
}

/** Relative if within the project. */
export function shownPath(path: BytePath, projectRoot: BytePath): string {
  const inside = path !== projectRoot && isWithin(path, projectRoot) && projectRoot !== '/';
  return toDisplay((inside ? path.slice(projectRoot.length + 1) : path) as BytePath);
}

const MOST_NAMED = 5;

/** `a, b, c and 4 more`. `more`: there are further, uncounted ones. */
export function namedPaths(paths: readonly BytePath[], projectRoot: BytePath, more = false): string {
  const named = paths
    .slice(0, MOST_NAMED)
    .map((path) => shownPath(path, projectRoot))
    .join(', ');
  const left = paths.length - MOST_NAMED;
  if (left <= 0) return more ? `${named} and more` : named;
  return `${named} and ${more ? 'more than ' : ''}${left} more`;
}

const NAMED = 20;

/** The files are named, because a user must edit them before opening, building or committing. */
export function markedLines(paths: readonly BytePath[]): string[] {
  if (paths.length === 0) return [];
  return [
    `Conflict markers were written into ${countText(paths.length, 'file')} of yours; resolve them:`,
    ...firstLines(paths, NAMED, (path) => `  conflict markers: ${toDisplay(path)}`),
  ];
}

/** Of an undo: what did not become pending again. */
export function besideLines(beside: readonly Beside[]): string[] {
  if (beside.length === 0) return [];
  const [what, its] = [
    countText(beside.length, 'path'),
    beside.length === 1 ? 'its version stays' : 'its versions stay',
  ];
  return [
    `A later call had changed ${what}: ${its} pending, and what was committed is kept:`,
    ...firstLines(beside, NAMED, ({ path, at }) => `  ${toDisplay(path)}: ${toDisplay(at)}`),
  ];
}

export function overlapText(other: string, { paths, more }: Overlap, projectRoot: BytePath): string {
  const what = paths.length === 1 && !more ? 'the same path' : 'the same paths';
  return `session ${other} has pending changes of ${what}: ${namedPaths(paths, projectRoot, more)}`;
}

/** `mine`: for the session that committed. */
export function committedText(
  other: string,
  { paths, more }: Overlap,
  projectRoot: BytePath,
  mine: boolean,
): string {
  const what = namedPaths(paths, projectRoot, more);
  if (mine)
    return `session ${other} has pending changes of what you committed; they are in conflict there now: ${what}`;
  return `session ${other} has committed paths that are pending here; they are in conflict now: ${what}`;
}

export function diskText(disk: DiskUse, style: Style): string {
  const { sessions, total, free } = disk;
  const line = `${countText(sessions.length, 'session')} ${sessions.length === 1 ? 'takes' : 'take'} ${sizeText(total)}; ${sizeText(free)} are free.`;
  return disk.low ? `${line}\n${style.yellow(lowText(disk))}` : line;
}

export function lowText({ free, warnFreeBytes }: LowSpace): string {
  return `Only ${sizeText(free)} are free where trai keeps pending changes (config disk.warnFreeBytes: ${sizeText(warnFreeBytes)}). When the disk is full, calls and commits fail; nothing is lost. Free space with: trai gc`;
}

export function fullText(stateDir: string): string {
  return `No space left on the file system of ${stateDir}. Free some (trai gc, or trai commit if your files are on another disk), then try again.`;
}
