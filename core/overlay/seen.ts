/** Whether the host's entry is the one that the sandbox saw when it made an entry of an upper. */

import type { BytePath } from '../../shared/bytes.ts';
import { FOREIGN_CLOCK_MS } from '../../shared/limits.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { fileSystemType, lstatEntry } from '../kernel/fs/entry.ts';
import { orNull, type Stat } from '../kernel/fs/port.ts';
import { readTail } from '../kernel/fs/state-file.ts';
import { coveringDir, type SessionContext } from '../session/session-context.ts';
import type { BaseFile } from './base-file.ts';

/**
 * What the host's directories above an entry say of when its path last came to lead somewhere else: renaming a directory
 * leaves no trace below it.
 */
export interface Above {
  /** Change time of the directory that holds it: every name that comes or goes in it moves this. */
  ctimeNs: bigint;
  /** No later than this was one of the directories above put in the place of another one. */
  movedNs: bigint;
}

/** Of what is below a directory that the sandbox could not look into: no time of the host's is early enough. */
export const UNSEEN: Above = { ctimeNs: 2n ** 63n, movedNs: 2n ** 63n };

/** What holds the covered directory does not count (/tmp changes all the time): a rename moves its change time alone. */
export function aboveRoot(root: Stat | null): Above {
  const ctimeNs = root?.ctimeNs ?? 0n;
  return { ctimeNs, movedNs: root === null || root.mtimeNs === ctimeNs ? 0n : ctimeNs };
}

export function below(above: Above, dir: Stat): Above {
  return { ctimeNs: dir.ctimeNs, movedNs: later(putThere(dir, above), above.movedNs) };
}

/** Putting an entry in the place of another one moves the change times of both the entry and the directory. */
function putThere(entry: Stat, above: Above): bigint {
  return earlier(entry.ctimeNs, above.ctimeNs);
}

// Math.min and Math.max take no bigint.
const earlier = (a: bigint, b: bigint): bigint => (b < a ? b : a);
const later = (a: bigint, b: bigint): bigint => (b > a ? b : a);

/**
 * Whether the host's entry is what the sandbox took its copy of: unchanged since the sandbox looked at the host anew
 * (`window`), or written in place before the copy (`bound`). What another entry was put in the place of, itself or
 * with a directory above it, the sandbox goes on seeing as it was: an overlay keeps what it has looked up.
 */
export function wasSeen(entry: Stat, bound: bigint, window: bigint, above: Above): boolean {
  return entry.ctimeNs < bound && putThere(entry, above) < window && above.movedNs < window;
}

export interface RecordOptions {
  /**
   * Start (ms since the epoch) of the earliest call that ran since the last pass. A host change before it was seen
   * by the sandbox. Without it only the last pass counts, which calls more of the host's changes unknown.
   */
  earliestCall?: number;
}

const toNs = (ms: number): bigint => BigInt(ms - CLOCK_TICK_MS) * 1_000_000n;

/** From when on a change of the host may not have been seen by the sandbox when it made an entry of an upper. */
export class SeenWindow {
  /** Nanoseconds: names that are new in this pass came into the uppers later than this. */
  readonly since: bigint;
  readonly #lastPass: bigint;
  /** Nanoseconds, ascending. */
  readonly #starts: readonly bigint[];
  /** Neither a call nor an earlier pass is known: an entry's own times are all there is. */
  readonly #blind: boolean;

  constructor(ctx: SessionContext, { lastPassNs }: BaseFile, { earliestCall }: RecordOptions) {
    this.#lastPass = lastPassNs;
    // Before the first pass: the session's uppers did not exist earlier than their roots.
    const births = ctx.coveredDirs.map(({ upper }) => lstatEntry(upper)?.birthNs ?? 0n);
    const since = lastPassNs === 0n ? births.reduce(earlier, births[0] ?? 0n) : lastPassNs;
    const call = toNs(earliestCall ?? 0);
    this.since = later(call, since);
    this.#starts = callStarts(ctx).map(toNs);
    this.#blind = this.#starts.length === 0 && lastPassNs === 0n && earliestCall === undefined;
  }

  /**
   * When the mount that made an entry looked at the host anew: the latest call that began before, since a call gets a
   * fresh mount or refreshes the one it joins. Where several have begun since the last pass it is the first of them: the
   * upper may have had another entry of the name in the meantime, which hid the host's from the later ones. All whiteouts
   * of a mount are links of one inode: its birth is that of the first, and the last pass did not find this one.
   */
  of(upper: Stat): bigint {
    const bound = isWhiteout(upper) && this.since > upper.birthNs ? this.since : upper.birthNs;
    if (this.#blind) return bound;
    const before = this.#starts.filter((start) => start <= bound);
    const fresh = before.filter((start) => start > this.#lastPass);
    const window = (fresh.length > 1 ? fresh[0] : before.at(-1)) ?? this.since;
    return earlier(window, bound);
  }
}

/** How much of the log's end is read. Calls before that are older than any entry without a record. */
const TAIL_BYTES = 256 * 1024;

/**
 * When the session's latest calls in the sandbox began (ms since the epoch, ascending; none when there is no log): from then
 * on it saw the host anew. A call on the host mounts nothing.
 */
function callStarts(ctx: SessionContext): number[] {
  const tail = orNull(() => readTail(`${ctx.sessionDir}/calls.jsonl`, TAIL_BYTES))?.toString('latin1') ?? '';
  return tail
    .split('\n')
    .filter((line) => line.includes('"t":"call.started"') && line.includes('"mode":"sandbox"'))
    .map((line) => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? ''))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
}

/** f_type of ext, btrfs, xfs, tmpfs, f2fs, zfs, bcachefs, jfs, nilfs2, ramfs, and overlay (a container's root). */
const LOCAL = new Set([
  ...[0xef53, 0x9123683e, 0x58465342, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e],
  ...[0x3153464a, 0x3434, 0x858458f6, 0x794c7630],
]);

/** Whether this machine's kernel keeps the times of what is in a directory. False when it can't be told. */
export function hasOurTimes(dir: BytePath): boolean {
  return LOCAL.has(orNull(() => fileSystemType(dir)) ?? Number.NaN);
}

const FOREIGN_NS = BigInt(FOREIGN_CLOCK_MS) * 1_000_000n;

/** Whose clock the host's times come from, this machine's or one that may go differently: asked once a covered directory. */
export class HostClocks {
  readonly #ctx: Pick<SessionContext, 'coveredDirs'>;
  readonly #lags = new Map<number, bigint>();

  constructor(ctx: Pick<SessionContext, 'coveredDirs'>) {
    this.#ctx = ctx;
  }

  /** By how much (ns) a host entry's times may be behind ours: one that is not older by more may be a later one. */
  lag(path: BytePath): bigint {
    const covered = coveringDir(this.#ctx.coveredDirs, path);
    if (covered === null) return 0n;
    const lag = this.#lags.get(covered.n) ?? (hasOurTimes(covered.path) ? 0n : FOREIGN_NS);
    this.#lags.set(covered.n, lag);
    return lag;
  }
}
