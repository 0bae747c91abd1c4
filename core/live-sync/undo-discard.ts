/**
 * The undo of a discard of a selection while processes of the session run. What the trash has becomes pending again in
 * the merged view:
 *
 *     a file         a copy is put over what the view shows, or linked where it shows nothing
 *     a deletion     the whiteout goes into the upper, where the view shows the host's entry and holds nothing of it
 *     a directory    goes into the upper by one rename, with the marks of overlayfs that hide the host's
 *
 * Then the mounts are refreshed. An entry leaves the trash once it is in the view. Nothing is changed when something is
 * in the way. An interrupted undo is completed by the next run: what is in the view already is recognised.
 */
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { type Bases, makeBases, parseBaseLines } from '../../shared/model/base-record.ts';
import type { DiscardReport, LiveProcess, Told } from '../../shared/model/commit.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { hasLeftWhiteout, obstacle } from '../commit/discard/discard-part.ts';
import { type CommitRecord, type Journal, openJournal, type Transaction } from '../commit/journal/journal.ts';
import { type Discard, isReturnable, readDiscard } from '../commit/journal/trash.ts';
import { asTraiError, discardInTheWay } from '../commit/messages/errors.ts';
import { IN_VIEW, LIVE_ENDED, MEANWHILE, MOUNTED_OVER, SESSION_CHANGED } from '../commit/messages/reasons.ts';
import { copyOut } from '../commit/stage/copy.ts';
import { Uppers } from '../commit/stage/uppers.ts';
import { isStored, isStoredWhole } from '../commit/upper/compare-stored.ts';
import { STORE, storedAt } from '../commit/upper/drop-entries.ts';
import { makeWhiteout, WHITEOUT } from '../commit/upper/pending-again.ts';
import { removePath } from '../kernel/fs/dir-handles.ts';
import { hostEntry, lstatEntry } from '../kernel/fs/entry.ts';
import { entryMessage } from '../kernel/fs/entry-errors.ts';
import {
  at,
  errorCode,
  nodePort as port,
  type Stat,
  syncDirs,
  syncFileSystems,
  useAndClose,
  useAndCloseAsync,
  withHandle,
  withHandleAsync,
} from '../kernel/fs/port.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import { readBaseFile } from '../overlay/base-file.ts';
import { refreshMounts } from '../sandbox/inside.ts';
import { liveProcesses } from '../sandbox/live.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { isUntouched } from '../scan/judge.ts';
import type { Drop } from './dropping.ts';
import { dirsOfMounts } from './kept-trees.ts';
import { lookUpper, type Spot } from './live-view.ts';
import { copyUpDirs } from './pend.ts';
import { putOver, stir, takeOut, unstir } from './swap.ts';
import { dressInView, inView, takeWhiteout, type View } from './view.ts';

interface Stored extends Drop {
  at: BytePath;
  /** Null of a directory's mode. */
  stat: Stat | null;
}

/** The discard of that name, if it was one of a selection; null also when there is none. */
export function returnableLive(ctx: LiveSession, trash: string): Discard | null {
  const discard = readDiscard(port, ctx, trash);
  return discard?.kind === 'selection' && isReturnable(port, discard) ? discard : null;
}

/** @throws TraiError `not-empty` (nothing changed, or what could not come back stays in the trash), `io`, `no-space` */
export async function undoDiscardLive(ctx: LiveSession, discard: Discard): Promise<DiscardReport> {
  try {
    const drops = storedOf(discard);
    const inTheWay = await obstacles(ctx, discard.record, drops);
    if (inTheWay.length > 0) throw discardInTheWay(inTheWay);
    const journal = openJournalOf(discard);
    return await useAndCloseAsync(journal, async () => {
      journal.addSynced({ t: 'reopen' });
      const left = await restoreLive({ port, ctx, journal });
      if (left.length > 0) throw discardInTheWay(left);
      return { trash: discard.name, entries: discard.entries };
    });
  } catch (error) {
    throw asTraiError(error, 'undoDiscard');
  }
}

/** From `reopen` to `closed`. Idempotent. Returns what stays in the trash. */
export async function restoreLive(transaction: Transaction): Promise<Told[]> {
  const { ctx, journal } = transaction;
  const left: Told[] = [];
  const drops = storedOf({ dir: journal.dir, record: journal.record });
  const rest = await inView(
    ctx,
    drops,
    ({ unit }) => unit.path,
    async (view, mine) => {
      left.push(...(await new Restoring(transaction, view).run(mine)));
    },
  );
  left.push(...rest.map(({ unit: { path } }) => ({ path, why: LIVE_ENDED })));
  const store = joinPath(journal.dir, STORE);
  syncDirs(port, [store, journal.dir]);
  const isEmpty = left.length === 0 && port.readdir(store).length === 0;
  journal.addSynced(isEmpty ? { t: 'end', report: null } : { t: 'discarded' });
  return left;
}

function openJournalOf({ dir }: Discard): Journal {
  const journal = openJournal(port, dir);
  if (journal === null) throw new RangeError('expected the journal of a discard');
  return journal;
}

/** What an earlier undo has restored is not in the trash any more. */
function storedOf({ dir, record }: Pick<Discard, 'dir' | 'record'>): Stored[] {
  return [...record.drops.entries()].flatMap(([i, unit]) => {
    const at = storedAt(dir, i);
    const stat = unit.kind === 'mode' ? null : port.lstat(at);
    return record.failed.has(i) || (unit.kind === 'entry' && stat === null) ? [] : [{ i, unit, at, stat }];
  });
}

async function obstacles(ctx: LiveSession, record: CommitRecord, drops: readonly Stored[]): Promise<Told[]> {
  const bases = makeBases(readBaseFile(ctx).records);
  const processes = await liveProcesses(ctx.source);
  const uppers = new Uppers(port, ctx, null);
  return await useAndCloseAsync(uppers, async () => {
    const found: Told[] = [];
    for (const { i, unit, at: stored } of drops) {
      const { path } = unit;
      const now = uppers.lstat(path);
      const free =
        hasLeftWhiteout(record, i, now) ||
        (now !== null && unit.kind === 'entry' && (await isFree(bases, path, now, uppers, stored)));
      const why = obstacle(port, ctx, uppers, unit, free) ?? usedDir(processes, unit, now);
      if (why !== null) found.push({ path, why });
    }
    return found;
  });
}

/** An untouched copy-up, which a discard has left, or what an interrupted undo has put there. */
async function isFree(
  bases: Bases,
  path: BytePath,
  now: Stat,
  uppers: Uppers,
  stored: BytePath,
): Promise<boolean> {
  const place = uppers.placed(path);
  if (place === null) return false;
  if (isStoredWhole(port, place, stored)) return true;
  const host = hostEntry(path);
  if (host === 'closed' || !isPlain(now)) return false;
  return isUntouched({ path, upperPath: place, upper: now, host, base: bases.lookup(path) });
}

const isPlain = (entry: Stat | null): entry is Stat => entry?.type === 'file' || entry?.type === 'symlink';

/**
 * A process that works in a directory of the host's would go on with it, and could not write there. As long as one has
 * something of it open, the view shows it.
 */
function usedDir(
  processes: readonly LiveProcess[],
  { path, kind }: Drop['unit'],
  now: Stat | null,
): string | null {
  const host = hostEntry(path);
  if (host === null || host === 'closed' || host.type !== 'dir') return null;
  const isShown = kind === 'entry' && (now === null || !isWhiteout(now));
  return usersBelow(processes, new Set([path])).some(({ isDir }) => isDir || isShown) ? IN_VIEW : null;
}

const isDeletion = ({ stat }: Stored): boolean => stat !== null && isWhiteout(stat);

class Restoring {
  readonly #transaction: Transaction;
  readonly #view: View;
  readonly #left: Told[] = [];
  readonly #leftPaths = new Set<BytePath>();
  readonly #done: Stored[] = [];

  constructor(transaction: Transaction, view: View) {
    this.#transaction = transaction;
    this.#view = view;
  }

  async run(drops: readonly Stored[]): Promise<Told[]> {
    const { room } = this.#view;
    const files: Stored[] = [];
    const hidden: Stored[] = [];
    const processes = await liveProcesses(this.#transaction.ctx.source);
    const mounts = dirsOfMounts(processes.map(({ pid }) => pid));
    for (const drop of drops) {
      if (drop.stat !== null && mounts.has(drop.unit.path)) {
        this.#stays(drop, MOUNTED_OVER);
        continue;
      }
      await this.#alone(drop, async () => {
        const spot = isDeletion(drop) ? room.spot(drop.unit.path) : null;
        if (spot !== null) unstir(room, spot);
        if (drop.stat === null) this.#dress(drop);
        else if (isStoredWhole(port, this.#view.upper(drop.unit.path), drop.at)) this.#done.push(drop);
        else if (isPlain(drop.stat)) {
          files.push(drop);
          if (this.#isHiding(drop)) await this.#hide(drop);
        } else if (await this.#insert(drop)) hidden.push(drop);
      });
    }
    room.letGo();
    const { inside, covered } = room;
    const problem = await refreshMounts(this.#transaction.ctx, inside.pid, [covered.path]);
    if (problem !== null) this.#left.push({ path: covered.path, why: problem });
    await this.#putFiles(files.filter((drop) => !this.#isLeft(drop)));
    for (const { unit, stat } of hidden) {
      const spot = room.spot(unit.path);
      if (spot === null || stat === null) continue;
      if (isWhiteout(stat)) stir(room, spot);
      else if (stat.type === 'dir') this.#touch(spot);
    }
    await this.#empty();
    return this.#left;
  }

  /** The trash gives up what the upper has on disk: the mounts are `volatile`, so a copy made through them is not. */
  async #empty(): Promise<void> {
    const { room, placer } = this.#view;
    const { dir, record } = this.#transaction.journal;
    const entries = new Set(this.#done.flatMap(({ stat, unit }) => (stat === null ? [] : [unit.path])));
    placer.restored(entries, parseBaseLines(record.bases).records);
    for (const { unit } of this.#done) placer.record(unit.path);
    placer.save();
    const both = this.#done.filter(({ i, stat }) => stat !== null && port.lstat(storedAt(dir, i)) !== null);
    if (both.length === 0) return;
    await withHandleAsync(port, port.openDir(room.covered.upper), async (fd) => {
      await syncFileSystems(port, [fd]);
    });
    for (const { i } of both) removePath(port, joinPath(dir, STORE), String(i) as BytePath);
  }

  /** The view shows something that a file can't be put over. */
  #isHiding({ unit: { path } }: Stored): boolean {
    const host = hostEntry(path);
    return (
      lstatEntry(this.#view.upper(path)) === null && host !== null && host !== 'closed' && !isPlain(host)
    );
  }

  async #hide({ unit: { path } }: Stored): Promise<void> {
    const { ctx, journal } = this.#transaction;
    const whiteout = joinPath(journal.dir, WHITEOUT);
    if (port.lstat(whiteout) === null) await makeWhiteout(port, journal.dir);
    copyUpDirs(port, this.#view, path);
    useAndClose(new Uppers(port, ctx, null), (uppers) => uppers.link(path, whiteout));
  }

  /** Straight into the upper. False when there was nothing to do, or something is in the way. */
  async #insert(drop: Stored): Promise<boolean> {
    const { path, closed, mode } = drop.unit;
    if (!(await this.#freePlace(drop))) return false;
    copyUpDirs(port, this.#view, path);
    return useAndClose(new Uppers(port, this.#transaction.ctx, null), (uppers) => {
      const now = uppers.lstat(path);
      if (now === null && isDeletion(drop)) uppers.link(path, drop.at);
      else if (now === null) uppers.insert(path, drop.at, closed ? mode : null);
      // Removing an untouched copy-up has left it.
      else if (!isWhiteout(now) || !isDeletion(drop)) return this.#stays(drop, SESSION_CHANGED);
      this.#done.push(drop);
      return now === null;
    });
  }

  /** Removes an untouched copy-up, which a discard leaves where the host has the entry. */
  async #freePlace(drop: Stored): Promise<boolean> {
    const { path } = drop.unit;
    const spot = this.#view.room.spot(path);
    const now = spot === null ? null : lookUpper(spot);
    if (spot === null || now === null) return true;
    const isTaken = isWhiteout(now) || (await this.#takeCopy(spot, now));
    // Left by that, also of an interrupted undo.
    const left = isTaken ? lookUpper(spot) : null;
    const isFree = left === null || isDeletion(drop) || this.#takesWhiteout(drop);
    return isTaken && isFree ? true : this.#stays(drop, SESSION_CHANGED);
  }

  #takesWhiteout({ unit: { path }, i }: Stored): boolean {
    const taken = takeWhiteout(this.#transaction, path, i);
    taken?.remove();
    return taken !== null;
  }

  async #takeCopy(spot: Spot, now: Stat): Promise<boolean> {
    const { room, placer } = this.#view;
    const aside = isPlain(now) ? await takeOut(room, spot, this.#isUntouched(spot.path)) : null;
    return aside !== null && (await placer.settle([aside])).done.length > 0;
  }

  async #putFiles(files: readonly Stored[]): Promise<void> {
    const { room, placer } = this.#view;
    if (files.length === 0) return;
    const names = files.map(({ i }) => String(i) as BytePath);
    await copyOut(port, joinPath(this.#transaction.journal.dir, STORE), names, room.incoming);
    const asides = new Map<Awaited<ReturnType<typeof putOver>>, Stored>();
    for (const drop of files) {
      const { i, unit, at: stored } = drop;
      await this.#alone(drop, async () => {
        const from = room.copied(String(i) as BytePath);
        const spot = room.spot(unit.path);
        if (spot === null || !isStored(port, from.upper, stored)) {
          this.#stays(drop, MEANWHILE);
          return;
        }
        if (lstatEntry(spot.at) === null) {
          port.link(from.at, spot.at);
          this.#done.push(drop);
          return;
        }
        const aside = await putOver(room, spot, from, this.#isUntouched(unit.path));
        if (aside === null) this.#stays(drop, SESSION_CHANGED);
        else asides.set(aside, drop);
      });
    }
    const { done } = await placer.settle(
      [...asides.keys()].flatMap((aside) => (aside === null ? [] : [aside])),
    );
    const placed = new Set(done.map(({ path }) => path));
    for (const drop of asides.values()) {
      if (placed.has(drop.unit.path)) this.#done.push(drop);
      else this.#stays(drop, SESSION_CHANGED);
    }
  }

  #isUntouched(path: BytePath): (kept: Spot) => Promise<boolean> {
    return async (kept) => {
      const [now, host] = [lookUpper(kept), hostEntry(path)];
      const base = this.#view.placer.bases.lookup(path);
      return (
        now !== null &&
        host !== 'closed' &&
        isUntouched({ path, upperPath: kept.upper, upper: now, host, base })
      );
    };
  }

  #dress(drop: Stored): void {
    const { path, host, mode, uid, gid, xattrs } = drop.unit;
    if (host === undefined) return;
    const step = xattrs === undefined ? undefined : { from: xattrs.to, to: xattrs.from };
    const why = dressInView(this.#view, path, { from: host.mode, to: { mode, uid, gid }, xattrs: step });
    if (why === null) this.#done.push(drop);
    else this.#stays(drop, why);
  }

  /** An event for watchers of the directory above. */
  #touch(spot: Spot): void {
    const now = lstatEntry(spot.at);
    if (now?.type !== 'dir') return;
    withHandle(port, port.openDir(spot.at), (fd) => port.chmod(at(fd), now.mode));
  }

  #isLeft({ unit }: Stored): boolean {
    return this.#leftPaths.has(unit.path);
  }

  #stays({ unit: { path } }: Stored, why: string): false {
    this.#left.push({ path, why });
    this.#leftPaths.add(path);
    return false;
  }

  async #alone(drop: Stored, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const message = errorCode(error) === 'EEXIST' ? SESSION_CHANGED : entryMessage(error);
      if (message === null) throw error;
      this.#stays(drop, message);
    }
  }
}
