/**
 * Write times, kept across a commit: an undo puts copies into the uppers, whose own times say nothing about
 * the writing calls. A commit keeps the times in its directory; an undo moves them into the overlay, with the
 * interval in which it made the copies. A discard keeps them in its directory, for what became of a call's writes. Without the files
 * only the writers are unknown.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { timeOf, type WriteTime, type Written } from '../../shared/model/change.ts';
import { namesOrNone } from '../kernel/fs/entry.ts';
import { orNull } from '../kernel/fs/port.ts';
import { writeWhole } from '../kernel/fs/state-file.ts';
import type { SessionContext } from '../session/session-context.ts';

export const TIMES = 'times';
/** In the overlay: a file for each of the newest undos. */
const RETURNED = '.returned';
const MAX_RETURNED = 4;
const FORMAT = '1';

export interface Returned {
  time: WriteTime;
  /** The copies were made in this interval (ms). */
  since: number;
  until: number;
  /** Birth time (ns) of a directory that was moved back, not copied. */
  born?: string | undefined;
}

export function keepTimes(file: string, changes: readonly Written[], times: Float64Array): void {
  const lines = changes.flatMap(({ path }, i) => {
    const time = timeOf(times, i);
    return time === null ? [] : [`${time[0]} ${time[1]} ${path}\0`];
  });
  writeWhole(file, `${FORMAT}\0${lines.join('')}`);
}

/** What `keepTimes` wrote; empty without the file. */
export function readTimes(file: string): [path: BytePath, time: WriteTime][] {
  const [version, ...lines] = (readOrNull(file) ?? '').split('\0');
  return version === FORMAT ? lines.flatMap(timeLine) : [];
}

function timeLine(line: string): [BytePath, WriteTime][] {
  const [, from, to, path] = /^([\d.]+) ([\d.]+) (\/.*)$/s.exec(line) ?? [];
  return path === undefined ? [] : [[path as BytePath, [Number(from), Number(to)]]];
}

/**
 * Returns a commit's write times to what its undo made pending.
 * @param name of the undo; a repeated one replaces its file
 * @param since start of the undo (ms), which ends now
 * @param moved birth times (ns) of directories that were moved back, by path
 */
export function returnTimes(
  ctx: Pick<SessionContext, 'sessionDir'>,
  file: string,
  name: string,
  since: number,
  moved: ReadonlyMap<string, string> = new Map(),
): void {
  const text = readOrNull(file);
  if (text === null) return;
  const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeWhole(
    `${dir}/${name.padStart(8, '0')}`,
    `${since} ${Date.now()}\0${text}${[...moved].map(([path, born]) => `=${born} ${path}\0`).join('')}`,
  );
  for (const old of names(dir).slice(0, -MAX_RETURNED)) rmSync(`${dir}/${old}`, { force: true });
}

/** By path, newest undo first. */
export function readReturned(ctx: Pick<SessionContext, 'sessionDir'>): Map<string, Returned[]> {
  const found = new Map<string, Returned[]>();
  const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
  for (const name of names(dir).reverse()) {
    const [window = '', version, ...lines] = (readOrNull(`${dir}/${name}`) ?? '').split('\0');
    const [since = Number.NaN, until = Number.NaN] = window.split(' ').map(Number);
    if (version !== FORMAT || Number.isNaN(since + until)) continue;
    const moved = new Map(lines.flatMap(bornLine));
    for (const [path, time] of lines.flatMap(timeLine))
      found.set(path, [...(found.get(path) ?? []), { time, since, until, born: moved.get(path) }]);
  }
  return found;
}

function bornLine(line: string): [string, string][] {
  const [, born, path] = /^=(\d+) (\/.*)$/s.exec(line) ?? [];
  return born === undefined || path === undefined ? [] : [[path, born]];
}

function readOrNull(file: string): string | null {
  return orNull(() => readFileSync(file, 'latin1'));
}

/** Oldest first. */
function names(dir: string): string[] {
  return namesOrNone(fromText(dir)).filter((name) => /^\d{8}$/.test(name));
}
