/** Colours and numbers of what trai prints. Plain text where nobody sees colours (pipes, NO_COLOR, answers of hooks). */

import type { DiskUse, LowSpace } from '../api/types.ts';
import { type BytePath, isWithin, toDisplay } from '../bytes.ts';
import { sizeText } from '../format.ts';
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

/** `1 entry`, `3 entries`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A line for each of the first `most` items, and one that says how many more there are. */
export function firstLines<T>(
  items: readonly T[],
  most: number,
  line: (item: T) => string,
  total = items.length,
): string[] {
  const shown = items.slice(0, most).map(line);
  return total > shown.length ? [...shown, `  … and ${total - shown.length} more`] : shown;
}

/** Local time of an ISO time, as the dashboard shows it: `14:03:22`. Empty without one. */
export function clockText(iso: string): string {
  return localText(iso).slice(11, 19);
}

/** Local date and time of an ISO time, to the minute: `2026-03-02 14:03`. */
export function minuteText(iso: string): string {
  return localText(iso).slice(0, 16);
}

/** Local date and time of an ISO time, to the millisecond: `2026-03-02 14:03:22.120`. */
export function localText(iso: string): string {
  const utc = Date.parse(iso);
  if (Number.isNaN(utc)) return '';
  const shift = new Date(utc).getTimezoneOffset() * 60_000;
  return new Date(utc - shift).toISOString().slice(0, 23).replace('T', ' ');
}

/** A path as it is shown: relative to the project where it lies in it. */
export function shownPath(path: BytePath, projectRoot: BytePath): string {
  const inside = path !== projectRoot && isWithin(path, projectRoot) && projectRoot !== '/';
  return toDisplay((inside ? path.slice(projectRoot.length + 1) : path) as BytePath);
}

/** `a, b, c and 4 more`. `more` = there are others that are not even counted. */
export function namedPaths(
  paths: readonly BytePath[],
  projectRoot: BytePath,
  { most = 5, more = false }: { most?: number; more?: boolean } = {},
): string {
  const named = paths
    .slice(0, most)
    .map((path) => shownPath(path, projectRoot))
    .join(', ');
  const left = paths.length - most;
  if (left <= 0) return more ? `${named} and more` : named;
  return `${named} and ${more ? 'more than ' : ''}${left} more`;
}

/** Most paths that are named. */
const NAMED = 20;

/** Named, since whoever opens, builds or commits such a file next has to know. */
export function markedLines(paths: readonly BytePath[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, NAMED).map((path) => `  conflict markers: ${toDisplay(path)}`);
  const more = paths.length > NAMED ? [`  … and ${paths.length - NAMED} more`] : [];
  return [
    `Conflict markers were written into ${countText(paths.length, 'file')} of yours; resolve them:`,
    ...named,
    ...more,
  ];
}

/** Part of a sentence: what another session has pending as well. */
export function overlapText(other: string, { paths, more }: Overlap, projectRoot: BytePath): string {
  const what = paths.length === 1 && !more ? 'the same path' : 'the same paths';
  return `session ${other} has pending changes of ${what}: ${namedPaths(paths, projectRoot, { more })}`;
}

/** After a commit, for the session that committed (`mine`) or for the other one. */
export function committedText(
  other: string,
  { paths, more }: Overlap,
  projectRoot: BytePath,
  mine: boolean,
): string {
  const what = namedPaths(paths, projectRoot, { more });
  if (mine)
    return `session ${other} has pending changes of what you committed; they are in conflict there now: ${what}`;
  return `session ${other} has committed paths that are pending here; they are in conflict now: ${what}`;
}

/** One line, and the warning where there is little left. */
export function diskText(disk: DiskUse, style: Style): string {
  const { sessions, total, free } = disk;
  const line = `${countText(sessions.length, 'session')} ${sessions.length === 1 ? 'takes' : 'take'} ${sizeText(total)}; ${sizeText(free)} are free.`;
  return disk.low ? `${line}\n${style.yellow(lowText(disk))}` : line;
}

/** The warning when the file system of the state directory runs full. */
export function lowText({ free, warnFreeBytes }: LowSpace): string {
  return `Only ${sizeText(free)} are free where trai keeps pending changes (config disk.warnFreeBytes: ${sizeText(warnFreeBytes)}). When the disk is full, calls and commits fail; nothing is lost. Free space with: trai gc`;
}

/** What to do when the disk is full. */
export function fullText(stateDir: string): string {
  return `No space left on the file system of ${stateDir}. Free some (trai gc, or trai commit if your files are on another disk), then try again.`;
}
