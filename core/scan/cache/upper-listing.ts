/**
 * What the uppers held after each call, where the kernel keeps no time: deletions (all whiteouts of a mount
 * are links of one inode) and modes of directories (names change their times too). Each happened between two
 * times. A missing or old listing only makes attribution name more calls.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { lstatEntry, lstatOrNone, readEntries } from '../../kernel/fs/entry.ts';
import { collect } from '../../kernel/fs/pace.ts';
import { errorCode, orNull, type Stat } from '../../kernel/fs/port.ts';
import { readPlainFile, tryWriteWhole } from '../../kernel/fs/state-file.ts';
import type { SessionContext } from '../../session/session-context.ts';

/** Times in ms since 1970. */
interface ListedMark {
  /** `entryId` of the whiteout, which differs between mounts. Empty for a replaced directory of the host. */
  id: string;
  from: number;
  to: number;
  /** Noted after its mount ended: no process can have recreated it since. */
  final: boolean;
  /** Earliest time of a deletion below the name, which may have been a directory. */
  since: number;
}

export interface ListedDir {
  id: string;
  own: string;
  /** The directory got its place, mode and owner between these. */
  from: number;
  to: number;
  /** What it hides of the host was deleted between these. */
  since: number;
  placed: number;
  /** When its names were last read. */
  ctimeNs: string;
  marks: Map<string, ListedMark>;
  dirs: string[];
}

interface Listing {
  /** What the listing does not have is younger. 0 = no listing. */
  began: number;
  /** `began` by the kernel's coarse clock, which lags behind. */
  stamp: number;
  dirs: Map<string, ListedDir>;
}

const LISTING_VERSION = 2;
const DIRS = '.listed.json';
const AT = '.listed-at';

type Where = Pick<SessionContext, 'sessionDir' | 'coveredDirs'>;

function fileOf({ sessionDir }: Pick<Where, 'sessionDir'>, name: string): string {
  return `${sessionDir}/overlay/${name}`;
}

/** Empty when unreadable. */
function readListing(ctx: Where): Listing {
  const none: Listing = { began: 0, stamp: 0, dirs: new Map() };
  try {
    const [, began, stamp] =
      /^(\d+) (\d+)$/.exec(readPlainFile(fileOf(ctx, AT))?.toString('latin1') ?? '') ?? [];
    const value: unknown = JSON.parse(readPlainFile(fileOf(ctx, DIRS))?.toString('latin1') ?? '');
    if (!isListing(value) || began === undefined) return none;
    const dirs = new Map(
      value.dirs.map(([path, dir]): [string, ListedDir] => [path, { ...dir, marks: new Map(dir.marks) }]),
    );
    return { began: Number(began), stamp: Number(stamp) / 1e6, dirs };
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== '') return none;
    throw error;
  }
}

type ListedLine = [path: string, Omit<ListedDir, 'marks'> & { marks: [string, ListedMark][] }];

/** Only this file writes it, into a directory of mode 0700: checking the version is enough. */
function isListing(value: unknown): value is { v: typeof LISTING_VERSION; dirs: ListedLine[] } {
  return isObject(value) && value['v'] === LISTING_VERSION && Array.isArray(value['dirs']);
}

interface Moment {
  began: number;
  stampNs: bigint;
}

/** Null when nothing can be written (a full disk): the old listing stays. */
export function momentNow(ctx: Where): Moment | null {
  const probe = `${fileOf(ctx, AT)}.${process.pid}`;
  try {
    return orNull(() => {
      writeFileSync(probe, '', { mode: 0o600 });
      return { began: Date.now(), stampNs: statSync(probe, { bigint: true }).mtimeNs };
    });
  } finally {
    rmSync(probe, { force: true });
  }
}

/** On a full disk the old listing stays, with its time. */
function writeListing(ctx: Where, moment: Moment, dirs: Listing['dirs']): void {
  const lines = [...dirs].map(([path, dir]): ListedLine => [path, { ...dir, marks: [...dir.marks] }]);
  if (tryWriteWhole(fileOf(ctx, DIRS), JSON.stringify({ v: LISTING_VERSION, dirs: lines })))
    confirmListing(ctx, moment);
}

/** Written after the directories: an early time only makes attribution name more calls. */
export function confirmListing(ctx: Where, { began, stampNs }: Moment): void {
  tryWriteWhole(fileOf(ctx, AT), `${began} ${stampNs}`);
}

/** Call it after each call, before trai removes anything. @param quiet the session's lock keeps it quiet */
export async function listUppers(ctx: Where, quiet: boolean): Promise<UpperDirs> {
  const moment = momentNow(ctx);
  const pass = await passOver(ctx, quiet);
  // Newer changes are attributed to any call since the old listing.
  if (moment === null || pass.closed.size > 0) return pass;
  if (pass.changed) writeListing(ctx, moment, pass.dirs);
  else confirmListing(ctx, moment);
  return pass;
}

/** What the uppers hold now, as a listing would have it. */
export interface UpperDirs {
  dirs: ReadonlyMap<string, ListedDir>;
  /** Directories that cannot be read. */
  closed: ReadonlySet<string>;
}

export async function readUppers(ctx: Where): Promise<UpperDirs> {
  return await passOver(ctx, false);
}

async function passOver(ctx: Where, quiet: boolean): Promise<Pass> {
  const pass = new Pass(readListing(ctx), quiet);
  for (const { path, upper } of ctx.coveredDirs) await collect(pass.walk(path, upper));
  return pass;
}

/** Inode numbers are reused; the birth time distinguishes. */
function entryId({ ino, birthNs }: Pick<Stat, 'ino' | 'birthNs'>): string {
  return `${ino}.${birthNs}`;
}

function ownState({ mode, uid, gid }: Pick<Stat, 'mode' | 'uid' | 'gid'>): string {
  return `${mode}.${uid}.${gid}`;
}

/** With its fraction: only stamps of one clock tick are equal. */
export function toMs(ns: bigint): number {
  return Number(ns) / 1e6;
}

interface At {
  path: BytePath;
  upperPath: BytePath;
}

class Pass {
  readonly dirs: Listing['dirs'] = new Map();
  readonly closed = new Set<string>();
  private readonly before: Listing;
  private readonly quiet: boolean;
  private readonly byId = new Map<string, ListedDir>();
  private reread = false;
  private earliest = 0;

  constructor(before: Listing, quiet: boolean) {
    this.before = before;
    this.quiet = quiet;
    for (const dir of before.dirs.values()) this.byId.set(dir.id, dir);
  }

  get changed(): boolean {
    return this.reread || this.before.dirs.size !== this.dirs.size;
  }

  *walk(root: BytePath, upperRoot: BytePath): Generator<null, void> {
    // Nothing was deleted before the session covered the directory.
    this.earliest = this.before.began || toMs(lstatEntry(upperRoot)?.birthNs ?? 0n);
    const stack: At[] = [{ path: root, upperPath: upperRoot }];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      yield null;
      try {
        const entry = lstatEntry(at.upperPath);
        if (entry?.type !== 'dir') continue;
        const dir = this.directory(at, entry);
        this.dirs.set(at.path, dir);
        for (const name of dir.dirs)
          stack.push({ path: joinPath(at.path, name), upperPath: joinPath(at.upperPath, name) });
      } catch (error) {
        if (errorCode(error) === '') throw error;
        this.closed.add(at.path);
      }
    }
  }

  private directory(at: At, entry: Stat): ListedDir {
    const old = this.before.dirs.get(at.path);
    const known = old?.id === entryId(entry) ? old : undefined;
    const own = this.ownTimes(entry, known);
    const hides = known ?? { since: this.goneSince(at.path), placed: upTo(entry.ctimeNs) };
    const ctimeNs = String(entry.ctimeNs);
    // A change within the clock tick of the last pass would show the same time.
    const settled = toMs(entry.ctimeNs) < this.before.stamp;
    const same = known !== undefined && known.ctimeNs === ctimeNs && settled;
    if (!same) this.reread = true;
    const names = same ? known : this.names(at, entry, known);
    return {
      id: entryId(entry),
      own: ownState(entry),
      ...own,
      since: hides.since,
      placed: hides.placed,
      ctimeNs,
      marks: names.marks,
      dirs: names.dirs,
    };
  }

  private ownTimes(entry: Stat, known: ListedDir | undefined): { from: number; to: number } {
    if (known !== undefined && known.own === ownState(entry)) return { from: known.from, to: known.to };
    // A directory above it was renamed.
    const moved = this.byId.get(entryId(entry));
    if (moved !== undefined && toMs(entry.ctimeNs) < this.before.stamp)
      return { from: moved.from, to: moved.to };
    return order(Math.max(this.since(entry), toMs(entry.birthNs)), upTo(entry.ctimeNs));
  }

  /** 0 for an old entry that was moved here with its directory. */
  private since(entry: Stat): number {
    return toMs(entry.ctimeNs) < this.before.stamp ? 0 : this.before.began;
  }

  private markBefore(path: BytePath): ListedMark | undefined {
    const slash = path.lastIndexOf('/');
    return this.before.dirs.get(path.slice(0, slash) || '/')?.marks.get(path.slice(slash + 1));
  }

  private names(at: At, holder: Stat, known: ListedDir | undefined): Pick<ListedDir, 'marks' | 'dirs'> {
    const marks = new Map<string, ListedMark>();
    const dirs: string[] = [];
    const onHost = isDirectory(at.path);
    for (const one of readEntries(at.upperPath)) {
      const path = joinPath(at.path, one.name);
      if (one.isDirectory()) dirs.push(one.name);
      else if (one.isCharacterDevice() || (onHost && isDirectory(path))) {
        const entry = lstatEntry(joinPath(at.upperPath, one.name));
        const was = known?.marks.get(one.name);
        if (entry === null) continue;
        if (isWhiteout(entry)) marks.set(one.name, this.mark(path, entry, holder, was));
        else if (onHost && isDirectory(path)) marks.set(one.name, this.instead(path, entry, holder, was));
      }
    }
    return { marks, dirs };
  }

  private mark(path: BytePath, mark: Stat, holder: Stat, was: ListedMark | undefined): ListedMark {
    const { began } = this.before;
    const id = entryId(mark);
    const latest = Math.min(upTo(mark.ctimeNs), upTo(holder.ctimeNs));
    if (was?.id === id) {
      // The same mount created and removed it again.
      const again = !was.final && toMs(mark.ctimeNs) >= this.before.stamp;
      const times = again ? order(was.from, Math.max(was.to, latest)) : { from: was.from, to: was.to };
      return { ...was, ...times, final: was.final || this.quiet };
    }
    const times = order(Math.max(began, toMs(mark.birthNs), began === 0 ? toMs(holder.birthNs) : 0), latest);
    return { id, ...times, final: this.quiet, since: Math.min(this.goneSince(path), times.from) };
  }

  /** Another type in place of a directory of the host. */
  private instead(path: BytePath, entry: Stat, holder: Stat, was: ListedMark | undefined): ListedMark {
    if (was?.id === '') return was;
    const since = this.goneSince(path);
    const latest = Math.min(upTo(entry.ctimeNs), upTo(holder.ctimeNs));
    return { id: '', final: true, since, ...order(since, latest) };
  }

  private goneSince(path: BytePath): number {
    return this.before.dirs.get(path)?.since ?? this.markBefore(path)?.since ?? this.earliest;
  }
}

/** An entry's time, or now when the clock was set back. */
function upTo(ns: bigint): number {
  return Math.min(Date.now(), toMs(ns));
}

function order(from: number, to: number): { from: number; to: number } {
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

function isDirectory(path: BytePath): boolean {
  return lstatOrNone(path)?.type === 'dir';
}
