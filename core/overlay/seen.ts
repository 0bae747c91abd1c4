/** Whether the host's entry is the one that the sandbox saw when it made an entry of an upper. */
import type { BytePath } from '../../shared/bytes.ts';
import { FOREIGN_CLOCK_MS } from '../../shared/limits.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { fileSystemType, lstatEntry } from '../kernel/fs/entry.ts';
import { orNull, type Stat } from '../kernel/fs/port.ts';
import { readPlainFile, readTail } from '../kernel/fs/state-file.ts';
import { logPath } from '../session/log/append.ts';
import { coveringDir, type SessionContext } from '../session/session-context.ts';
import { type BaseFile, readLooks, toNs } from './base-file.ts';

/** When the path to an entry last led elsewhere: renaming a directory leaves no trace below it. */
export interface Above {
  /** Change time of the parent directory: every change of its names moves it. */
  ctimeNs: bigint;
  /** No directory above replaced another one later than this. */
  movedNs: bigint;
}

/** Below a directory that the sandbox could not read: no host time is early enough. */
export const UNSEEN: Above = { ctimeNs: 2n ** 63n, movedNs: 2n ** 63n };

/** The covered directory's parent (/tmp ...) does not count: a rename moves ctime without mtime. */
export function aboveRoot(root: Stat | null): Above {
  const ctimeNs = root?.ctimeNs ?? 0n;
  return { ctimeNs, movedNs: root === null || root.mtimeNs === ctimeNs ? 0n : ctimeNs };
}

export function below(above: Above, dir: Stat): Above {
  return { ctimeNs: dir.ctimeNs, movedNs: later(putThere(dir, above), above.movedNs) };
}

/** Not before: replacing an entry moves the change times of both the entry and the directory. */
export function putThere(entry: Pick<Stat, 'ctimeNs'>, above: Pick<Above, 'ctimeNs'>): bigint {
  return earlier(entry.ctimeNs, above.ctimeNs);
}

const earlier = (a: bigint, b: bigint): bigint => (b < a ? b : a);
const later = (a: bigint, b: bigint): bigint => (b > a ? b : a);

/**
 * True if the host's entry is what was copied up: unchanged since the mount looked at the host (`window`), or
 * written in place before the copy-up (`bound`). A replaced entry or directory stays visible inside as it
 * was, since an overlay caches lookups.
 */
export function wasSeen(entry: Stat, bound: bigint, window: bigint, above: Above): boolean {
  return entry.ctimeNs < bound && putThere(entry, above) < window && above.movedNs < window;
}

export interface RecordOptions {
  /** Milliseconds since the epoch: host changes before it were seen. Without it only the last pass counts. */
  earliestCall?: number;
}

/** Nanoseconds, as `Look`. */
interface Seen {
  from: bigint;
  until: bigint;
}

/** From when on a host change may have been missed by the mount that made an entry. */
export class SeenWindow {
  readonly #ctx: SessionContext;
  /** Nanoseconds: new names of this pass are younger. */
  readonly #since: bigint;
  readonly #lastPass: bigint;
  readonly #looks: readonly Seen[];
  #mounts: readonly Seen[];
  #isWholeLog = false;
  /** Without calls and passes, an entry's own times are all there is. */
  readonly #blind: boolean;

  constructor(ctx: SessionContext, { lastPassNs }: BaseFile, { earliestCall }: RecordOptions) {
    this.#ctx = ctx;
    this.#lastPass = lastPassNs;
    // Before the first pass: the uppers did not exist before their roots.
    const births = ctx.coveredDirs.map(({ upper }) => lstatEntry(upper)?.birthNs ?? 0n);
    const since = lastPassNs === 0n ? births.reduce(earlier, births[0] ?? 0n) : lastPassNs;
    this.#since = later(toNs(earliestCall ?? 0), since);
    this.#looks = readLooks(ctx).map(({ from, until }) => ({
      from: toNs(from),
      until: BigInt(until) * 1_000_000n,
    }));
    this.#mounts = mountsIn(orNull(() => readTail(logPath(ctx.sessionDir), TAIL_BYTES)));
    this.#blind = this.#mounts.length === 0 && lastPassNs === 0n && earliestCall === undefined;
  }

  /** The latest look at the host before. All whiteouts of a mount are links of one inode, born with the first. */
  of(upper: Stat): bigint {
    const bound = isWhiteout(upper) && this.#since > upper.birthNs ? this.#since : upper.birthNs;
    return this.#blind ? bound : earlier(this.#before(bound) ?? this.#since, bound);
  }

  /** The latest look until now; 0 = none is known. */
  get latest(): bigint {
    return this.#before(BigInt(Date.now()) * 1_000_000n) ?? 0n;
  }

  /**
   * Of several looks since the last pass the first, as an earlier entry of that name may have hidden the host's from
   * later ones.
   */
  #before(bound: bigint): bigint | null {
    const looks = [...this.#mounts, ...this.#looks].filter(({ until }) => until <= bound);
    if (looks.length > 0) {
      const times = looks.map(({ from }) => from);
      const fresh = times.filter((from) => from > this.#lastPass);
      return fresh.length > 0 ? fresh.reduce(earlier) : times.reduce(later);
    }
    if (this.#isWholeLog) return null;
    this.#isWholeLog = true;
    this.#mounts = mountsIn(orNull(() => readPlainFile(logPath(this.#ctx.sessionDir))));
    return this.#before(bound);
  }
}

/** Bytes of the log's end: mostly, earlier mounts are older than any entry without a record. */
const TAIL_BYTES = 256 * 1024;

/** Of calls that mounted the overlay: the others saw what those before them had in use. */
function mountsIn(log: Buffer | null): Seen[] {
  const lines = (log?.toString('latin1') ?? '').split('\n');
  const callOf = (line: string): string => /"call":"([^"]*)"/.exec(line)?.[1] ?? '';
  const joined = new Set(lines.filter((line) => line.includes('"t":"call.joined"')).map(callOf));
  return lines
    .filter((line) => line.includes('"t":"call.started"') && MOUNTED.test(line) && !joined.has(callOf(line)))
    .map((line) => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? ''))
    .filter(Number.isFinite)
    .map((at) => ({ from: toNs(at), until: toNs(at) }));
}

/** Lines of earlier versions do not say how the call came to its overlay. */
const MOUNTED = /"mode":"sandbox"(?!,"overlay":"(?:joined|inside)")/;

/** ext, btrfs, xfs, tmpfs, f2fs, zfs, bcachefs, jfs, nilfs2, ramfs, overlay (a container's root). */
const LOCAL = new Set([
  ...[0xef53, 0x9123683e, 0x58465342, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e],
  ...[0x3153464a, 0x3434, 0x858458f6, 0x794c7630],
]);

/** Whether this machine's kernel sets the times in a directory; false if unknown. */
export function hasOurTimes(dir: BytePath): boolean {
  return LOCAL.has(orNull(() => fileSystemType(dir)) ?? Number.NaN);
}

const FOREIGN_NS = BigInt(FOREIGN_CLOCK_MS) * 1_000_000n;

/** Whether host times come from this machine's clock, by covered directory; each is asked once. */
export class HostClocks {
  readonly #ctx: Pick<SessionContext, 'coveredDirs'>;
  /** Numbers of those with another clock. */
  #foreign: ReadonlySet<number> | null = null;

  constructor(ctx: Pick<SessionContext, 'coveredDirs'>) {
    this.#ctx = ctx;
  }

  /** By how much (ns) a host entry's times may lag behind this machine's clock. */
  lag(path: BytePath): bigint {
    const { coveredDirs } = this.#ctx;
    this.#foreign ??= new Set(coveredDirs.filter((dir) => !hasOurTimes(dir.path)).map(({ n }) => n));
    // Nearly always, and for every entry of a list.
    if (this.#foreign.size === 0) return 0n;
    const covered = coveringDir(coveredDirs, path);
    return covered !== null && this.#foreign.has(covered.n) ? FOREIGN_NS : 0n;
  }
}
