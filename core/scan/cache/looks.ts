/**
 * What a scan looked at, so that the next one can tell that nothing has changed. Small: the paths in one buffer, two
 * numbers for each. It can be thrown away at any time; the next scan is then a whole one.
 *
 * Nothing has changed when
 * - no process had an upper mounted when the scan began, none has now, and none had in between: every mount of an overlay
 *   makes its work directory anew, so that this one's inode or change time moves. Files in an upper then can't have
 *   been written to, and need no look; its directories get one, since trai itself takes entries out and puts some in.
 * - every host entry that was looked at has its inode and change time. Of one that was missing its directory has.
 * - the session's own files (base records, listings) and its settings are the same.
 *
 * Times are believed only where a local file system keeps them, and only when they were some time past when the scan
 * began: what was written in the same tick of the clock shows none.
 */
import { lstatSync, type Stats } from 'node:fs';
import { type BytePath, fromText, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import { errorCode, lstatEntry, namesOrNone, watchLooks } from '../../kernel/fs/entry.ts';
import type { Stat } from '../../kernel/fs/port.ts';
import { inSlices } from '../../kernel/fs/slices.ts';
import { hasOurTimes } from '../../overlay/seen.ts';
import { liveProcesses } from '../../sandbox/live.ts';
import type { SessionContext } from '../../session/session-context.ts';

/** Shared between threads, not copied: it is kept in one and used in another. */
export interface ScanMark {
  /** What the list depends on beside files. */
  settings: string;
  /** Paths, each ended by NUL. */
  paths: SharedArrayBuffer;
  /** For each path inode and change time (ms); -1 = no entry. */
  stats: SharedArrayBuffer;
}

/** Change times younger than this when a scan begins are not believed (ms): some kernels count in steps of 10 ms. */
const YOUNG_MS = 50;
/** More paths than that are not remembered: 300,000 entries take 60 MB. */
const PATHS_MAX = 600_000;

/** The looks of one scan. */
export class Looks {
  readonly #ctx: SessionContext;
  readonly #uppers: readonly BytePath[];
  readonly #began = Date.now();
  #paths: BytePath[] = [];
  #stats: number[] = [];
  /** False: the next scan has to be a whole one. */
  #usable: boolean;
  #lastDir = '';

  private constructor(ctx: SessionContext, usable: boolean) {
    this.#ctx = ctx;
    this.#uppers = ctx.coveredDirs.map(({ upper }) => upper);
    this.#usable = usable;
  }

  /** Before the scan. */
  static async begin(ctx: SessionContext): Promise<Looks> {
    const looks = new Looks(ctx, isLocal(ctx) && (await liveProcesses(ctx.source)).length === 0);
    looks.during(() => {
      for (const path of ownFiles(ctx)) looks.#take(path, lstatEntry(path));
    });
    return looks;
  }

  /** Runs a part of the scan. Nothing else runs meanwhile. */
  during<T>(part: () => T): T {
    const before = watchLooks((path, entry) => this.#saw(path, entry));
    try {
      return part();
    } finally {
      watchLooks(before);
    }
  }

  /** The same for steps between which others run. */
  *along<T>(steps: Iterable<T>): Generator<T> {
    const iterator = steps[Symbol.iterator]();
    for (;;) {
      const step = this.during(() => iterator.next());
      if (step.done === true) return;
      yield step.value;
    }
  }

  /** After the scan; null when nothing could be told by it. */
  mark(): ScanMark | null {
    if (!this.#usable) return null;
    const text = Buffer.from(this.#paths.map((path) => `${path}\0`).join(''), 'latin1');
    const paths = new SharedArrayBuffer(text.length);
    text.copy(Buffer.from(paths));
    const stats = new SharedArrayBuffer(this.#stats.length * Float64Array.BYTES_PER_ELEMENT);
    new Float64Array(stats).set(this.#stats);
    return { settings: settingsOf(this.#ctx), paths, stats };
  }

  #saw(path: BytePath, entry: Stat | null): void {
    if (!this.#usable || path.startsWith('/proc/')) return;
    if (this.#uppers.some((upper) => isWithin(path, upper))) {
      if (entry?.type === 'dir') this.#take(path, entry);
      return;
    }
    if (entry !== null) this.#take(path, entry);
    else this.#missing(parentOf(path));
  }

  /** Many names are looked for in one directory. */
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

/** Whether a scan would find what the one with this mark found. */
export async function isUnchanged(ctx: SessionContext, mark: ScanMark): Promise<boolean> {
  if (mark.settings !== settingsOf(ctx) || (await liveProcesses(ctx.source)).length > 0) return false;
  try {
    return !(await inSlices(differences(mark), () => true));
  } catch {
    // The scan says what can't be looked at.
    return false;
  }
}

/** Between two looks at the clock. */
const SLICE = 500;
/** A double has the time to a quarter of a microsecond; a change is later by more than YOUNG_MS. */
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
    if (i % SLICE === 0) yield null;
  }
}

/** Numbers as doubles: half the time of exact ones. */
function statOf(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The overlay's own files, and what a mount leaves. */
function ownFiles({ sessionDir, coveredDirs }: SessionContext): BytePath[] {
  const overlay = joinPath(fromText(sessionDir), 'overlay');
  return [
    overlay,
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

function settingsOf({
  coveredDirs,
  excluded,
  ignore,
  home,
  projectRoot,
  uid,
  gid,
  root,
}: SessionContext): string {
  return JSON.stringify([coveredDirs, excluded, ignore, home, projectRoot, uid, gid, root]);
}
