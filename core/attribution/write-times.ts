/**
 * When each entry of a change list was last written: from the upper's time stamps, the listings after calls
 * (core/scan/cache/upper-listing.ts) and what undos returned (core/overlay/kept-times.ts).
 */
import { type BytePath, nameOf, parentOf } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import type { WriteTime, Written } from '../../shared/model/change.ts';
import { identityFields, isWhiteout } from '../../shared/model/identity.ts';
import { lstatOrNone } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { type Returned, readReturned } from '../overlay/kept-times.ts';
import {
  entryId,
  type ListedDir,
  type ListedMark,
  type Listing,
  ownState,
  readListing,
  toMs,
} from '../scan/cache/upper-listing.ts';
import { coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';

/** Two numbers a change, in order; NaN = unknown. */
export function writeTimes(ctx: Where, changes: readonly Written[]): Float64Array {
  const asked = new WriteTimes(ctx);
  const times = new Float64Array(changes.length * 2);
  for (const [i, change] of changes.entries()) {
    const [from, to] = asked.of(change) ?? [Number.NaN, Number.NaN];
    times[2 * i] = from;
    times[2 * i + 1] = to;
  }
  return times;
}

type Where = Pick<SessionContext, 'sessionDir' | 'coveredDirs'>;

type Holder =
  | { is: 'dir'; entry: Stat }
  /** Removed or made opaque: what the host has below went in this interval. */
  | { is: 'gone'; time: WriteTime }
  | { is: 'unknown' };

class WriteTimes {
  private readonly ctx: Where;
  private readonly listing: Listing;
  private readonly returned: ReadonlyMap<string, readonly Returned[]>;
  private readonly holders = new Map<BytePath, Holder>();
  private moved: Map<string, ListedDir> | null = null;

  constructor(ctx: Where) {
    this.ctx = ctx;
    this.listing = readListing(ctx);
    this.returned = readReturned(ctx);
  }

  of(change: Written): WriteTime | null {
    const returned = this.returned.get(change.path);
    const time = this.now(change);
    return (returned === undefined ? null : this.asReturned(change, time, returned)) ?? time;
  }

  private now({ path, pending, upperIdentity }: Written): WriteTime | null {
    if (pending === null) return this.deleted(path);
    if (pending.type === 'dir') return this.directory(path);
    const noted = identityFields(upperIdentity);
    if (noted !== null) return [Number(noted.ctimeNs) / 1e6, Number(noted.ctimeNs) / 1e6];
    const entry = this.look(path);
    return entry === null ? null : [toMs(entry.ctimeNs), toMs(entry.ctimeNs)];
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

  private deleted(path: BytePath): WriteTime | null {
    const holder = this.holder(parentOf(path));
    if (holder.is === 'gone') return holder.time;
    return holder.is === 'dir' ? this.missing(path, holder.entry) : null;
  }

  /** The host's name has a whiteout, or is hidden by a directory that became opaque. */
  private missing(path: BytePath, holder: Stat): WriteTime | null {
    const listed = this.listedMark(path, holder);
    if (listed !== null) return [listed.from, listed.to];
    const mark = this.look(path);
    if (mark === null) return this.hidden(parentOf(path), holder);
    return isWhiteout(mark)
      ? this.markTime(path, mark, holder)
      : order(toMs(holder.birthNs), toMs(mark.ctimeNs));
  }

  private holder(dir: BytePath): Holder {
    const known = this.holders.get(dir);
    if (known !== undefined) return known;
    const holder = this.findHolder(dir);
    this.holders.set(dir, holder);
    return holder;
  }

  private findHolder(dir: BytePath): Holder {
    const covered = coveringDir(this.ctx.coveredDirs, dir);
    if (covered === null) return { is: 'unknown' };
    const above = dir === covered.path ? null : this.holder(parentOf(dir));
    if (above !== null && above.is !== 'dir') return above;
    const entry = this.look(dir);
    if (entry?.type === 'dir') return { is: 'dir', entry };
    if (above === null) return { is: 'unknown' };
    const time = this.goneBelow(dir, entry, above.entry);
    return time === null ? { is: 'unknown' } : { is: 'gone', time };
  }

  /** When entries below a former directory went: with it, or by themselves before. */
  private goneBelow(dir: BytePath, now: Stat | null, holder: Stat): WriteTime | null {
    if (now === null) return this.hidden(parentOf(dir), holder);
    const listed = this.markBefore(dir);
    const { began } = this.listing;
    const since =
      listed?.since ?? this.listing.dirs.get(dir)?.since ?? (began > 0 ? began : toMs(holder.birthNs));
    if (!isWhiteout(now)) {
      const to = listed?.id === '' ? listed.to : toMs(now.ctimeNs);
      return order(Math.min(since, this.sinceAbove(parentOf(dir))), to);
    }
    const [from, to] = this.markTime(dir, now, holder);
    return [Math.min(from, since), to];
  }

  private markTime(path: BytePath, mark: Stat, holder: Stat): WriteTime {
    const latest = Math.min(toMs(holder.ctimeNs), toMs(mark.ctimeNs));
    const earliest = Math.max(toMs(holder.birthNs), toMs(mark.birthNs));
    const listed = this.markBefore(path);
    const { began } = this.listing;
    if (listed?.id !== entryId(mark))
      return order(Math.max(earliest, this.isYounger(latest) ? began : 0), latest);
    // Removed and deleted once more since the listing: both times have moved.
    return !listed.final && this.isYounger(latest) ? order(listed.from, latest) : [listed.from, listed.to];
  }

  /** Entries that an opaque directory hides. What had their names later and was deleted left no trace. */
  private hidden(dir: BytePath, entry: Stat): WriteTime {
    const listed = this.listing.dirs.get(dir);
    const placed = listed?.id === entryId(entry) ? listed.placed : toMs(entry.ctimeNs);
    return order(Math.min(this.hiddenSince(dir), this.sinceAbove(parentOf(dir))), placed);
  }

  /** Since when opaque directories at or above `dir` hide what is below them. */
  private sinceAbove(dir: BytePath): number {
    const root = coveringDir(this.ctx.coveredDirs, dir)?.path ?? dir;
    let since = Number.POSITIVE_INFINITY;
    for (let at = dir; at !== root && !this.isMerged(at); at = parentOf(at))
      since = Math.min(since, this.hiddenSince(at));
    return since;
  }

  /** Merged with the host, as are all above it: the kernel makes whiteouts nowhere else. */
  private isMerged(dir: BytePath): boolean {
    const listed = this.listing.dirs.get(dir);
    const entry = this.look(dir);
    if (listed === undefined || entry === null || listed.id !== entryId(entry)) return false;
    return [...listed.marks.values()].some(({ id }) => id !== '');
  }

  private hiddenSince(dir: BytePath): number {
    const entry = this.look(dir);
    const listed = this.listing.dirs.get(dir);
    // Listed as it is now, or as its predecessor of that name.
    const since = listed?.since ?? this.markBefore(dir)?.since ?? this.listing.began;
    if (since > 0) return since;
    const holder = this.look(parentOf(dir));
    return Math.min(...[entry, holder].flatMap((one) => (one?.type === 'dir' ? [toMs(one.birthNs)] : [])));
  }

  private directory(path: BytePath): WriteTime | null {
    const entry = this.look(path);
    if (entry?.type !== 'dir') return null;
    const changed = toMs(entry.ctimeNs);
    const listed = this.listing.dirs.get(path);
    const { began } = this.listing;
    if (listed?.id === entryId(entry)) {
      if (listed.own === ownState(entry)) return [listed.from, listed.to];
      return order(began, changed);
    }
    if (!this.isYounger(changed)) {
      const before = this.listedById(entryId(entry));
      return before === null ? order(toMs(entry.birthNs), changed) : [before.from, before.to];
    }
    return order(Math.max(began, toMs(entry.birthNs)), changed);
  }

  private isYounger(changed: number): boolean {
    return changed >= this.listing.stamp;
  }

  /** The listing's mark for a name whose directory is unchanged since; saves the lstat of the mark. */
  private listedMark(path: BytePath, holder: Stat): ListedMark | null {
    const listed = this.listing.dirs.get(parentOf(path));
    if (listed?.id !== entryId(holder) || listed.ctimeNs !== String(holder.ctimeNs)) return null;
    const mark = this.isYounger(toMs(holder.ctimeNs)) ? undefined : listed.marks.get(nameOf(path));
    return mark === undefined || mark.id === '' ? null : mark;
  }

  private markBefore(path: BytePath): ListedMark | undefined {
    return this.listing.dirs.get(parentOf(path))?.marks.get(nameOf(path));
  }

  private listedById(id: string): ListedDir | null {
    this.moved ??= new Map([...this.listing.dirs.values()].map((dir) => [dir.id, dir]));
    return this.moved.get(id) ?? null;
  }

  private look(path: BytePath): Stat | null {
    const covered = coveringDir(this.ctx.coveredDirs, path);
    return covered === null ? null : lstatOrNone(upperPath(covered, path));
  }
}

function order(from: number, to: number): WriteTime {
  return from <= to ? [from, to] : [to, from];
}
