/**
 * When each entry of a change list was last written: from the upper's time stamps, what the uppers held after
 * calls and hold now (core/scan/cache/upper-listing.ts), and what undos returned (core/overlay/kept-times.ts).
 */
import { type BytePath, nameOf, parentOf } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import type { WriteTime, Written } from '../../shared/model/change.ts';
import { identityFields } from '../../shared/model/identity.ts';
import { lstatOrNone } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { type Returned, readReturned } from '../overlay/kept-times.ts';
import { type ListedDir, readUppers, toMs, type UpperDirs } from '../scan/cache/upper-listing.ts';
import { coveringDir, type SessionContext, upperPathIn } from '../session/session-context.ts';

type Where = Pick<SessionContext, 'sessionDir' | 'coveredDirs'>;

/** Two numbers a change, in order; NaN = unknown. */
export async function writeTimes(ctx: Where, changes: readonly Written[]): Promise<Float64Array> {
  const asked = new WriteTimes(ctx, await readUppers(ctx));
  const times = new Float64Array(changes.length * 2);
  for (const [i, change] of changes.entries()) {
    const [from, to] = asked.of(change) ?? [Number.NaN, Number.NaN];
    times[2 * i] = from;
    times[2 * i + 1] = to;
  }
  return times;
}

class WriteTimes {
  private readonly ctx: Where;
  private readonly uppers: UpperDirs;
  private readonly returned: ReadonlyMap<string, readonly Returned[]>;
  private readonly merged = new Map<BytePath, boolean>();

  constructor(ctx: Where, uppers: UpperDirs) {
    this.ctx = ctx;
    this.uppers = uppers;
    this.returned = readReturned(ctx);
  }

  of(change: Written): WriteTime | null {
    const returned = this.returned.get(change.path);
    const time = this.now(change);
    return (returned === undefined ? null : this.asReturned(change, time, returned)) ?? time;
  }

  private now({ path, pending, upperIdentity }: Written): WriteTime | null {
    if (pending === null) return this.deleted(path);
    if (pending.type === 'dir') {
      const listed = this.uppers.dirs.get(path);
      return listed === undefined ? null : [listed.from, listed.to];
    }
    const ctimeNs = identityFields(upperIdentity)?.ctimeNs ?? this.look(path)?.ctimeNs;
    return ctimeNs === undefined ? null : [Number(ctimeNs) / 1e6, Number(ctimeNs) / 1e6];
  }

  /** What an undo brought back, unchanged since, has its time from before the commit. */
  private asReturned(
    { path }: Written,
    time: WriteTime | null,
    returned: readonly Returned[],
  ): WriteTime | null {
    let at = path;
    let entry = this.look(at);
    while (entry === null && at !== '/') {
      at = parentOf(at);
      entry = this.look(at);
    }
    const made = entry === null ? 0 : toMs(entry.birthNs);
    if (time === null || made === 0) return null;
    const isItself = (born: string | undefined) => at === path && born === String(entry?.birthNs);
    const isFrom = ({ since, until, born }: Returned) =>
      ((made >= since - CLOCK_TICK_MS && made <= until) || isItself(born)) && time[0] <= until;
    return returned.find(isFrom)?.time ?? null;
  }

  /** By the mark of its name, or of a directory above it; else an opaque directory hides it. */
  private deleted(path: BytePath): WriteTime | null {
    const covered = coveringDir(this.ctx.coveredDirs, path);
    if (covered === null) return null;
    const { dirs, closed } = this.uppers;
    let gone = path;
    let holder = parentOf(path);
    for (; !dirs.has(holder); holder = parentOf(gone)) {
      if (holder === covered.path || closed.has(holder)) return null;
      gone = holder;
    }
    const listed = dirs.get(holder);
    const mark = listed?.marks.get(nameOf(gone));
    if (listed === undefined) return null;
    // What had the name later and was deleted left no trace.
    if (mark === undefined)
      return order(Math.min(listed.since, this.hiddenSince(parentOf(holder), covered.path)), listed.placed);
    if (gone === path) return [mark.from, mark.to];
    const since = mark.id === '' ? this.hiddenSince(holder, covered.path) : mark.from;
    return order(Math.min(mark.since, since), mark.to);
  }

  /** Since when opaque directories at or above `dir` hide what is below them. */
  private hiddenSince(dir: BytePath, root: BytePath): number {
    let since = Number.POSITIVE_INFINITY;
    for (let at = dir; at.length > root.length; at = parentOf(at)) {
      const listed = this.uppers.dirs.get(at);
      if (listed === undefined || this.isMerged(at, listed)) break;
      since = Math.min(since, listed.since);
    }
    return since;
  }

  /** Merged with the host, as are all above it: the kernel makes whiteouts nowhere else. */
  private isMerged(dir: BytePath, { marks }: Pick<ListedDir, 'marks'>): boolean {
    const known = this.merged.get(dir) ?? [...marks.values()].some(({ id }) => id !== '');
    this.merged.set(dir, known);
    return known;
  }

  private look(path: BytePath): Stat | null {
    const upper = upperPathIn(this.ctx.coveredDirs, path);
    return upper === null ? null : lstatOrNone(upper);
  }
}

function order(from: number, to: number): WriteTime {
  return from <= to ? [from, to] : [to, from];
}
