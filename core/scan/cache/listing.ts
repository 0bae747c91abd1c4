/**
 * What the uppers held after each call, as far as the kernel keeps no time of it: deletions (all whiteouts of a mount are
 * links of one inode), and what a directory's own mode was (its times move with every name in it). Each is noted with the
 * two moments between which it came about. Absent or old it only means that more calls are named.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { errorCode } from '../../kernel/fs/entry.ts';
import { readPlainFile } from '../../kernel/fs/plain-file.ts';
import { tryWriteWhole } from '../../kernel/fs/whole-file.ts';
import type { SessionContext } from '../../session/session-context.ts';

/** Times are milliseconds since 1970. */
export interface ListedMark {
  /**
   * `entryId` of the whiteout: another mount's whiteouts have another one. Empty for something else in the place of a
   * directory of the host, of which only the times matter to what is below that.
   */
  id: string;
  from: number;
  to: number;
  /** It was seen when its mount was gone: nobody can have made this whiteout once more since. */
  final: boolean;
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
  /** The same as the kernel would have stamped it, which lags: what has a later stamp is younger. */
  stamp: number;
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
  marks: [name: string, id: string, from: number, to: number, since: number, final: boolean][],
  dirs: string[],
];

/** `.`: they go where the overlay goes, see fresh-overlay.ts. */
const DIRS = '.listed.json';
const AT = '.listed-at';

type Where = Pick<SessionContext, 'sessionDir'>;

function fileOf({ sessionDir }: Where, name: string): string {
  return `${sessionDir}/overlay/${name}`;
}

/** One that can't be read or understood is none. */
export function readListing(ctx: Where): Listing {
  const none: Listing = { began: 0, stamp: 0, dirs: new Map() };
  try {
    const [, began, stamp] =
      /^(\d+) (\d+)$/.exec(readPlainFile(fileOf(ctx, AT))?.toString('latin1') ?? '') ?? [];
    const value: unknown = JSON.parse(readPlainFile(fileOf(ctx, DIRS))?.toString('latin1') ?? '');
    if (!isListing(value) || began === undefined) return none;
    return { began: Number(began), stamp: Number(stamp) / 1e6, dirs: new Map(value.dirs.map(fromLine)) };
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
  const listed = marks.map(([name, markId, ...more]): [string, ListedMark] => {
    const [markFrom, markTo, markSince, final] = more;
    return [name, { id: markId, from: markFrom, to: markTo, since: markSince, final }];
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
    mark.final,
  ]);
  return [path, id, own, from, to, since, placed, ctimeNs, listed, dirs];
}

/** When a pass begins, by the clock and by the kernel's stamps. */
export interface Moment {
  began: number;
  stampNs: bigint;
}

/** Null where nothing can be written (a full disk): then there is no listing of now. */
export function momentNow(ctx: Where): Moment | null {
  const probe = `${fileOf(ctx, AT)}.${process.pid}`;
  try {
    writeFileSync(probe, '', { mode: 0o600 });
    return { began: Date.now(), stampNs: statSync(probe, { bigint: true }).mtimeNs };
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Where there is no room the file of before stays, and with it what it is true of. */
export function writeListing(ctx: Where, moment: Moment, dirs: Listing['dirs']): void {
  if (tryWriteWhole(fileOf(ctx, DIRS), JSON.stringify({ v: 1, dirs: [...dirs].map(toLine) })))
    confirmListing(ctx, moment);
}

/** The listing was true at that moment too. After the directories: with a moment too early more calls are named. */
export function confirmListing(ctx: Where, { began, stampNs }: Moment): void {
  tryWriteWhole(fileOf(ctx, AT), `${began} ${stampNs}`);
}
