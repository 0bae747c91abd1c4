/** Sizes for a terminal: what `trai gc`, `trai sessions` and `trai status` say of the disk. */

import type { DiskUse, LowSpace } from '../api/types.ts';
import { sizeText } from '../format.ts';
import { countText, type Style } from './style.ts';

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
