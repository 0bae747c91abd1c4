/**
 * What the uppers held after each call, as far as the kernel keeps no time of it: deletions (all whiteouts of a mount are
 * links of one inode), and what a directory's own mode was (its times move with every name in it). Each is noted with the
 * two moments between which it came about. Absent or old it only means that more calls are named.
 */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { SessionContext } from '../../sandbox/types.ts';
import { errorCode } from './entry.ts';

/** Times are milliseconds since 1970. */
export interface ListedMark {
  /** `entryId` of the whiteout: another mount's whiteouts have another one. */
  id: string;
  from: number;
  to: number;
  /** The earliest time at which something below the name can have been deleted: it may have been a directory before. */
  since: number;
}

export interface ListedDir {
  id: string;
  /** Mode and owner, see `ownState`. */
  own: string;
  /** Between these it got its place, mode and owner. */
  from: number;
  to: number;
  /** Between these went what it hides of the host, if it was deleted and made again. */
  since: number;
  placed: number;
  /** Of the last look at the names in it. */
  ctimeNs: string;
  marks: Map<string, ListedMark>;
  dirs: string[];
}

export interface Listing {
  /** When the pass began: what is in the uppers now and was not then is younger. 0 = there was none. */
  began: number;
  /** By host path. */
  dirs: Map<string, ListedDir>;
}

type Line = [
  path: string,
  id: string,
  own: string,
  from: number,
  to: number,
  since: number,
  placed: number,
  ctimeNs: string,
  marks: [name: string, id: string, from: number, to: number, since: number][],
  dirs: string[],
];

/** `.`: it goes where the overlay goes, see fresh-overlay.ts. */
function fileOf(ctx: Pick<SessionContext, 'sessionDir'>): string {
  return `${ctx.sessionDir}/overlay/.listed.json`;
}

/** One that can't be read or understood is none. */
export function readListing(ctx: Pick<SessionContext, 'sessionDir'>): Listing {
  const none: Listing = { began: 0, dirs: new Map() };
  try {
    const { mtimeMs } = statSync(fileOf(ctx));
    const value: unknown = JSON.parse(readFileSync(fileOf(ctx), 'latin1'));
    if (!isListing(value)) return none;
    return { began: Math.floor(mtimeMs), dirs: new Map(value.dirs.map(fromLine)) };
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== '') return none;
    throw error;
  }
}

/** Written whole by this file, into a directory of mode 0700: the version says what the rest looks like. */
function isListing(value: unknown): value is { v: 1; dirs: Line[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === 1 &&
    'dirs' in value &&
    Array.isArray(value.dirs) &&
    value.dirs.every((line) => Array.isArray(line) && line.length === 10)
  );
}

function fromLine(line: Line): [string, ListedDir] {
  const [path, id, own, from, to, since, placed, ctimeNs, marks, dirs] = line;
  const listed = marks.map(([name, markId, ...times]): [string, ListedMark] => {
    const [markFrom, markTo, markSince] = times;
    return [name, { id: markId, from: markFrom, to: markTo, since: markSince }];
  });
  return [path, { id, own, from, to, since, placed, ctimeNs, marks: new Map(listed), dirs }];
}

function toLine([path, dir]: [string, ListedDir]): Line {
  const { id, own, from, to, since, placed, ctimeNs, marks, dirs } = dir;
  const listed = [...marks].map(([name, mark]): Line[8][number] => [
    name,
    mark.id,
    mark.from,
    mark.to,
    mark.since,
  ]);
  return [path, id, own, from, to, since, placed, ctimeNs, listed, dirs];
}

/** The paths are byte strings: latin1 keeps each byte. */
export function writeListing(ctx: Pick<SessionContext, 'sessionDir'>, { began, dirs }: Listing): void {
  const temporary = `${fileOf(ctx)}.${process.pid}`;
  try {
    const text = JSON.stringify({ v: 1, dirs: [...dirs].map(toLine) });
    writeFileSync(temporary, text, { encoding: 'latin1', mode: 0o600 });
    utimesSync(temporary, began / 1000, began / 1000);
    renameSync(temporary, fileOf(ctx));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Nothing changed in the uppers up to this time. */
export function confirmListing(ctx: Pick<SessionContext, 'sessionDir'>, began: number): void {
  try {
    utimesSync(fileOf(ctx), began / 1000, began / 1000);
  } catch (error) {
    // Then there is none, and more calls are named.
    if (errorCode(error) === '') throw error;
  }
}
