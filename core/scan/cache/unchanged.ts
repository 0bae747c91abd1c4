/**
 * Whether a scan would find anything new (`isUnchanged`), and whether the uppers changed since the last call
 * (`upperState`), without a scan.
 *
 * A scan records what it read (`ScanTrace`): paths in one buffer, inode and change time of each. The trace is
 * a cache; without it the next scan is a full one. Nothing has changed when
 * - no process has an upper mounted, and none had since the scan began. Every mount of an overlay creates its
 *   work directory anew, which changes that directory's inode or change time. Files in an upper then can't
 *   have been written; its directories are checked, because trai itself adds and removes entries.
 * - every host entry that was read has its inode and change time; for a missing one its directory has.
 * - the session's own files (base records, listings) and its settings are the same.
 *
 * Times count only on local file systems, and only when they were older than a clock tick when the scan
 * began: a second write within the same tick does not change them.
 */
import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { type BytePath, fromText, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import { lstatEntry, namesOrNone, readNames, watchLstat } from '../../kernel/fs/entry.ts';
import { inSlices } from '../../kernel/fs/pace.ts';
import { errorCode, orNull, type Stat } from '../../kernel/fs/port.ts';
import { hasOurTimes } from '../../overlay/seen.ts';
import { liveProcesses } from '../../sandbox/live.ts';
import { type SessionContext, upperPathIn } from '../../session/session-context.ts';
import type { UpperDirs } from './upper-listing.ts';

/** Shared between threads without a copy. */
export interface ScanMark {
  settings: string;
  /** Each ended by NUL. */
  paths: SharedArrayBuffer;
  /** For each path inode and change time (ms); -1 = no entry. */
  stats: SharedArrayBuffer;
}

/** Some kernels count in steps of 10 ms: younger change times make a trace unusable. */
const YOUNG_MS = 50;
/** A trace of 300,000 entries takes 60 MB. */
const PATHS_MAX = 600_000;

export class ScanTrace {
  readonly #ctx: SessionContext;
  readonly #uppers: readonly BytePath[];
  readonly #began = Date.now();
  #paths: BytePath[] = [];
  #stats: number[] = [];
  #usable: boolean;
  #lastDir = '';

  private constructor(ctx: SessionContext, usable: boolean) {
    this.#ctx = ctx;
    this.#uppers = ctx.coveredDirs.map(({ upper }) => upper);
    this.#usable = usable;
  }

  static async begin(ctx: SessionContext): Promise<ScanTrace> {
    const trace = new ScanTrace(ctx, isLocal(ctx) && (await liveProcesses(ctx.source)).length === 0);
    trace.during(() => {
      for (const path of ownFiles(ctx)) trace.#take(path, lstatEntry(path));
    });
    return trace;
  }

  /** Records what a synchronous part of the scan reads. */
  during<T>(part: () => T): T {
    const before = watchLstat((path, entry) => this.#record(path, entry));
    try {
      return part();
    } finally {
      watchLstat(before);
    }
  }

  /** `during` for each step; others run between steps. */
  *along<T>(steps: Iterable<T>): Generator<T> {
    const iterator = steps[Symbol.iterator]();
    for (;;) {
      const step = this.during(() => iterator.next());
      if (step.done === true) return;
      yield step.value;
    }
  }

  mark(): ScanMark | null {
    if (!this.#usable) return null;
    const text = Buffer.from(this.#paths.map((path) => `${path}\0`).join(''), 'latin1');
    const paths = new SharedArrayBuffer(text.length);
    text.copy(Buffer.from(paths));
    const stats = new SharedArrayBuffer(this.#stats.length * Float64Array.BYTES_PER_ELEMENT);
    new Float64Array(stats).set(this.#stats);
    return { settings: settingsOf(this.#ctx), paths, stats };
  }

  #record(path: BytePath, entry: Stat | null): void {
    if (!this.#usable || path.startsWith('/proc/')) return;
    if (this.#uppers.some((upper) => isWithin(path, upper))) {
      if (entry?.type === 'dir') this.#take(path, entry);
      return;
    }
    if (entry !== null) this.#take(path, entry);
    else this.#missing(parentOf(path));
  }

  /** A missing name shows in its directory's change time. */
  #missing(dir: BytePath): void {
    if (dir === this.#lastDir) return;
    this.#lastDir = dir;
    this.during(() => this.#take(dir, lstatEntry(dir)));
  }

  #take(path: BytePath, entry: Stat | null): void {
    const changed = entry === null ? -1 : Number(entry.ctimeNs / 1_000n) / 1_000;
    if (changed > this.#began - YOUNG_MS || this.#paths.length === PATHS_MAX) this.#usable = false;
    this.#paths.push(path);
    this.#stats.push(entry === null ? -1 : Number(entry.ino), changed);
  }
}

export async function isUnchanged(ctx: SessionContext, mark: ScanMark): Promise<boolean> {
  if (mark.settings !== settingsOf(ctx) || (await liveProcesses(ctx.source)).length > 0) return false;
  try {
    return !(await inSlices(differences(mark), () => true));
  } catch {
    // The scan reports what can't be read.
    return false;
  }
}

const STEP = 500;
/** A double holds a quarter of a microsecond; a change is later by more than YOUNG_MS. */
const SAME_MS = 0.01;

function* differences({ paths, stats }: ScanMark): Generator<true | null> {
  const text = Buffer.from(paths);
  const known = new Float64Array(stats);
  for (let at = 0, i = 0; at < text.length; i += 2) {
    const end = text.indexOf(0, at);
    const now = statOf(text.subarray(at, end));
    const changed = Math.abs((now?.ctimeMs ?? -1) - (known[i + 1] ?? 0));
    if ((now?.ino ?? -1) !== known[i] || changed > SAME_MS) yield true;
    at = end + 1;
    if (i % STEP === 0) yield null;
  }
}

/** Doubles: half the time of BigInt. */
function statOf(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The overlay's own files, and directories that a mount touches. */
function ownFiles({ sessionDir, coveredDirs }: SessionContext): BytePath[] {
  const overlay = joinPath(fromText(sessionDir), 'overlay');
  return [
    joinPath(overlay, '.'),
    ...namesOrNone(overlay).map((name) => joinPath(overlay, name)),
    ...coveredDirs.flatMap(({ upper, work }) => [
      upper,
      work,
      joinPath(work, 'work'),
      joinPath(parentOf(upper), 'copies.json'),
    ]),
  ];
}

function isLocal({ coveredDirs }: SessionContext): boolean {
  return coveredDirs.every(({ path, upper }) => hasOurTimes(path) && hasOurTimes(upper));
}

function settingsOf(ctx: SessionContext): string {
  const { coveredDirs, excluded, ignore, home, projectRoot, uid, gid, root } = ctx;
  return JSON.stringify([coveredDirs, excluded, ignore, home, projectRoot, uid, gid, root]);
}

/** An lstat of each of more files takes longer than the work after a call. */
const FILES_MAX = 2_000;

/**
 * Changes with any write, chmod, link or rename in the uppers. With many files each mount counts as a write, since an
 * upper's files are written only while it is mounted. Null when something could not be read.
 */
export function upperState(
  ctx: Pick<SessionContext, 'coveredDirs'>,
  { dirs, closed }: UpperDirs,
): string | null {
  if (closed.size > 0) return null;
  const hash = createHash('sha1');
  for (const [path, { id, own, ctimeNs }] of dirs) hash.update(`${path}\0${id}\0${own}\0${ctimeNs}\0`);
  const files = orNull(() => filesIn(ctx, dirs));
  if (files === null) return null;
  const { coveredDirs } = ctx;
  const looked = files.length > FILES_MAX ? coveredDirs.map(({ work }) => joinPath(work, 'work')) : files;
  for (const path of looked) {
    const entry = lstatEntry(path);
    hash.update(`${path}\0${entry?.ino}\0${entry?.ctimeNs}\0`);
  }
  return hash.digest('hex');
}

/** All entries but directories; only the first ones when there are more than FILES_MAX. */
function filesIn({ coveredDirs }: Pick<SessionContext, 'coveredDirs'>, dirs: UpperDirs['dirs']): BytePath[] {
  const found: BytePath[] = [];
  for (const [path, dir] of dirs) {
    const upper = upperPathIn(coveredDirs, path as BytePath);
    if (upper === null) continue;
    const below = new Set(dir.dirs);
    for (const name of readNames(upper)) if (!below.has(name)) found.push(joinPath(upper, name));
    if (found.length > FILES_MAX) break;
  }
  return found;
}
