/**
 * When changes were written, kept across a commit: an undo puts copies into the uppers, whose own times say nothing of
 * the call that wrote them. A commit leaves the times in its directory, an undo takes them into the overlay together with
 * the time in which it made the copies. Without the files only the writers of what came back are unknown.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fromText } from '../../shared/bytes.ts';
import { timeOf, type WriteTime, type Written } from '../../shared/model/change.ts';
import { namesOrNone } from '../kernel/fs/entry.ts';
import { orNull } from '../kernel/fs/port.ts';
import { writeWhole } from '../kernel/fs/state-file.ts';
import type { SessionContext } from '../session/session-context.ts';

/** In a commit's directory. */
export const TIMES = 'times';
/** In the overlay: one file for each of the newest undos. */
const RETURNED = '.returned';
const MAX_RETURNED = 4;
const FORMAT = '1';

export interface Returned {
  time: WriteTime;
  /** The copies were made between these (ms). */
  since: number;
  until: number;
  /** Of a directory that came back itself, not as a copy: its birth time (ns). */
  born?: string | undefined;
}

/** Keeps the times of a list's changes; `file` is replaced. */
export function keepTimes(file: string, changes: readonly Written[], times: Float64Array): void {
  const lines = changes.flatMap(({ path }, i) => {
    const time = timeOf(times, i);
    return time === null ? [] : [`${time[0]} ${time[1]} ${path}\0`];
  });
  writeWhole(file, `${FORMAT}\0${lines.join('')}`);
}

/**
 * What a commit kept is true again of what an undo made pending.
 *
 * @param file as `keepTimes` left it; nothing is done when there is none
 * @param name of the undo: the same one again replaces what it left
 * @param since when the undo began; it is over now
 * @param moved directories that came back themselves, by path: their birth times (ns)
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

/** By path, the newest undo's first. */
export function readReturned(ctx: Pick<SessionContext, 'sessionDir'>): Map<string, Returned[]> {
  const found = new Map<string, Returned[]>();
  const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
  for (const name of names(dir).reverse()) {
    const [window = '', version, ...lines] = (readOrNull(`${dir}/${name}`) ?? '').split('\0');
    const [since = Number.NaN, until = Number.NaN] = window.split(' ').map(Number);
    if (version !== FORMAT || Number.isNaN(since + until)) continue;
    const moved = new Map(lines.flatMap(bornLine));
    for (const line of lines) {
      const [, from, to, path] = /^([\d.]+) ([\d.]+) (\/.*)$/s.exec(line) ?? [];
      if (path === undefined) continue;
      const time: WriteTime = [Number(from), Number(to)];
      found.set(path, [...(found.get(path) ?? []), { time, since, until, born: moved.get(path) }]);
    }
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
