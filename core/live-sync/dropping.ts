/** The units of a discard in one covered directory of a live session; see discard.ts. */
import { type BytePath, joinPath, parentOf, toDisplay } from '../../shared/bytes.ts';
import { parseBaseLines } from '../../shared/model/base-record.ts';
import type { LiveProcess, Told } from '../../shared/model/commit.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import type { Transaction } from '../commit/journal/journal.ts';
import type { DiscardUnit } from '../commit/journal/unit.ts';
import {
  HELD_OPEN,
  HOST_UNREADABLE,
  MOUNTED_OVER,
  NEW_INSIDE,
  NOT_ALL_READ,
  NOT_DISCARDED_LIVE,
  openForWriting,
  savedBeside,
} from '../commit/messages/reasons.ts';
import { isStored } from '../commit/upper/compare-stored.ts';
import { storedAt } from '../commit/upper/drop-entries.ts';
import { hostEntry, lstatEntry, namesOrNone } from '../kernel/fs/entry.ts';
import { entryMessage } from '../kernel/fs/entry-errors.ts';
import { errorCode, orIfRefused, orNull, nodePort as port, type Stat } from '../kernel/fs/port.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import { refreshMounts } from '../sandbox/inside.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { SEEN_NAME } from '../sandbox/replay-dirs.ts';
import { isUntouched } from '../scan/judge.ts';
import { printOf } from './kept-entries.ts';
import { dirsOfMounts } from './kept-trees.ts';
import { lookUpper, type Spot } from './live-view.ts';
import type { Copied, Wanted } from './placer.ts';
import { type Aside, giveBack, putOver, stir, takeOut, takeSpecial, unstir } from './swap.ts';
import { changedTrees, type TakenTree, takeTrees } from './taken-trees.ts';
import { dressInView, isHeld, takeWhiteout, type View, wasTaken } from './view.ts';

export interface Drop {
  i: number;
  unit: DiscardUnit;
}

interface Put extends Wanted {
  i: number;
}

interface Uses {
  /** Of units of which a process uses something. */
  paths: Set<BytePath>;
  /** By unit: how texts name the processes that may be writing to it. */
  texts: Map<number, Set<string>>;
}

const isPlain = (entry: Stat | null): entry is Stat => entry?.type === 'file' || entry?.type === 'symlink';

export class Dropping {
  readonly #transaction: Transaction;
  readonly #view: View;
  readonly #resumed: boolean;
  readonly #asides = new Map<Aside, number>();
  /** Units that stay pending, with the reason. */
  readonly #broken = new Map<number, string>();
  /** The first of them, by the unit that stands for those that go together. */
  readonly #brokenSets = new Map<number, string>();
  /** Of `broken`, after the others have gone: it stays alone. */
  readonly #late = new Map<number, string>();
  readonly #told: Told[] = [];
  readonly #puts: Put[] = [];
  /** Of each unit, parents first. */
  readonly #dirs: { i: number; path: BytePath }[] = [];
  readonly #specials: { i: number; spot: Spot }[] = [];
  readonly #trees: TakenTree[] = [];
  readonly #placed = new Map<BytePath, Copied<Put>>();
  readonly #names = new Map<bigint, number>();
  /** Units in whose place a whiteout stays. */
  readonly #whiteouts = new Set<number>();
  #isSettled = false;

  /** @param resumed an earlier run has taken some of it: what differs from the trash stays, and is in the trash too */
  constructor(transaction: Transaction, view: View, resumed: boolean) {
    this.#transaction = transaction;
    this.#view = view;
    this.#resumed = resumed;
  }

  /** Writes `done` or `fail` for each. Returns what else the user should know. */
  async run(drops: readonly Drop[]): Promise<Told[]> {
    const { dir, record } = this.#transaction.journal;
    // What could not be stored keeps what goes with it.
    for (const [i, why] of record.failed) this.#brokenSets.set(this.#first(i), why);
    const processes = await this.#processes();
    const uses = this.#usesOf(drops, processes);
    const mounts = dirsOfMounts(processes.map(({ pid }) => pid));
    for (const { i, unit } of drops)
      if (unit.kind === 'entry' && mounts.has(unit.path)) this.#breaks(i, MOUNTED_OVER);
    if (this.#resumed) this.#clearMarks(drops);
    const entries = drops.flatMap(({ i, unit: { kind, path } }) =>
      kind === 'entry' && !this.#isBroken(i) ? [{ i, path, stored: storedAt(dir, i) }] : [],
    );
    this.#trees.push(...takeTrees(this.#view.room, entries, processes, uses.paths));
    const trees = new Set(this.#trees.map(({ i }) => i));
    const rest = entries.filter(({ i }) => !trees.has(i));
    for (const { path } of rest) this.#countNames(path);
    for (const { i, path, stored } of rest)
      await this.#alone(i, async () => await this.#take(i, path, stored));
    await this.#put();
    await this.#settle(uses);
    for (const { i, unit } of drops)
      if (unit.kind === 'mode' && !this.#isBroken(i))
        await this.#alone(i, async () => this.#resetDir(i, unit));
    const going = drops.filter(({ i, unit }) => unit.kind === 'entry' && !this.#isBroken(i));
    for (const { i, spot } of this.#specials)
      if (!this.#isBroken(i) && !takeSpecial(this.#view.room, spot)) this.#tell(spot.path, NEW_INSIDE);
    this.#removeDirs();
    await this.#uncover(going);
    await this.#clearKept();
    this.#close(drops);
    return this.#told;
  }

  async #processes(): Promise<LiveProcess[]> {
    return await liveProcesses(this.#transaction.ctx.source);
  }

  /** Files of several names count as unchanged only when all of the names go. */
  #countNames(path: BytePath): void {
    const upper = this.#view.upper(path);
    const now = orNull(() => lstatEntry(upper));
    if (now === null) return;
    if (now.type === 'dir') for (const name of namesOrNone(upper)) this.#countNames(joinPath(path, name));
    else this.#names.set(now.ino, (this.#names.get(now.ino) ?? 0) + 1);
  }

  /** Of a dead run. */
  #clearMarks(drops: readonly Drop[]): void {
    const { room } = this.#view;
    for (const dir of new Set(drops.map(({ unit }) => parentOf(unit.path)))) {
      const mark = room.spot(joinPath(dir, SEEN_NAME));
      // A directory that a process has closed is left alone.
      if (mark !== null) orIfRefused(() => unstir(room, mark), undefined);
    }
  }

  async #take(i: number, path: BytePath, stored: BytePath): Promise<void> {
    const spot = this.#view.room.spot(path);
    const now = spot === null ? null : lookUpper(spot);
    if (spot === null || now === null || isWhiteout(now)) return;
    const host = hostEntry(path);
    const isTop = stored === storedAt(this.#transaction.journal.dir, i);
    if (now.type === 'dir') {
      this.#dirs.push({ i, path });
      for (const name of namesOrNone(spot.upper))
        await this.#take(i, joinPath(path, name), joinPath(stored, name));
    } else if (!isPlain(now)) this.#specials.push({ i, spot });
    else if (isTop && host !== 'closed' && isPlain(host)) await this.#wantPut({ i, spot, host }, now);
    else this.#noteAside(i, spot, await takeOut(this.#view.room, spot, this.#isStored(stored)));
  }

  async #wantPut(put: Put, now: Stat): Promise<void> {
    const { i, spot, host } = put;
    const stored = storedAt(this.#transaction.journal.dir, i);
    const base = this.#view.placer.bases.lookup(spot.path);
    // An earlier run has put the host's there.
    const isDone =
      this.#resumed &&
      !isStored(port, spot.upper, stored) &&
      isUntouched({ path: spot.path, upperPath: spot.upper, upper: now, host, base });
    if (!isDone) this.#puts.push(put);
  }

  #isStored(stored: BytePath): (kept: Spot) => Promise<boolean> {
    return async (kept) => isStored(port, kept.upper, stored);
  }

  #noteAside(i: number, spot: Spot, aside: Aside | null): void {
    if (aside !== null) this.#asides.set(aside, i);
    else this.#breaks(i, printOf(spot.upper) === null ? NOT_ALL_READ : NOT_DISCARDED_LIVE);
  }

  async #put(): Promise<void> {
    const { copied, again, left } = await this.#view.placer.copy(this.#puts);
    const failed = new Set([...again, ...left]);
    for (const { i, spot } of this.#puts) if (failed.has(spot.path)) this.#breaks(i, HOST_UNREADABLE);
    for (const one of copied) {
      const { i, spot } = one.step;
      await this.#alone(i, async () => {
        const stored = storedAt(this.#transaction.journal.dir, i);
        const names = this.#names.get(lookUpper(spot)?.ino ?? 0n) ?? 1;
        const aside = await putOver(this.#view.room, spot, one.from, this.#isStored(stored), names);
        this.#noteAside(i, spot, aside);
        this.#placed.set(spot.path, one);
      });
    }
  }

  async #settle(uses: Uses): Promise<void> {
    const { placer } = this.#view;
    // Whoever has begun to use one in between may go on with it.
    const changed = this.#trees.length === 0 ? [] : changedTrees(this.#trees, await this.#processes());
    for (const { i } of changed) this.#breaks(i, NOT_DISCARDED_LIVE);
    const broken = new Set(this.#brokenSets.keys());
    const groupOf = (aside: Aside): number => this.#first(this.#asides.get(aside) ?? -1);
    const { done, saved } = await placer.settle([...this.#asides.keys()], { groupOf, broken });
    for (const i of new Set(this.#asides.values()))
      if (broken.has(this.#first(i)) && !this.#isBroken(i))
        this.#breaks(i, openForWriting([...(uses.texts.get(i) ?? [])].join(', ')));
    for (const { i, spot, kept } of this.#trees) {
      const beside = this.#isBroken(i) ? giveBack(spot, kept) : null;
      if (!this.#isBroken(i)) placer.removed(spot.path);
      else if (beside !== null) saved.push(beside);
    }
    for (const { path } of done) {
      const put = this.#placed.get(path);
      if (put === undefined) placer.removed(path);
      else placer.placed(put.record);
    }
    for (const path of saved) this.#tell(path, savedBeside(toDisplay(path)));
    this.#isSettled = true;
  }

  /** Asked first: /proc shows other names of what was taken. */
  #usesOf(drops: readonly Drop[], processes: readonly LiveProcess[]): Uses {
    const tops = new Map(drops.map(({ i, unit }) => [unit.path, i]));
    const uses: Uses = { paths: new Set(), texts: new Map() };
    for (const { top, pid, isDir } of usersBelow(processes, new Set(tops.keys()))) {
      uses.paths.add(top);
      const [i, command] = [tops.get(top), processes.find((one) => one.pid === pid)?.command];
      if (isDir || i === undefined) continue;
      uses.texts.set(i, (uses.texts.get(i) ?? new Set()).add(`${command} (process ${pid})`));
    }
    return uses;
  }

  /** What a process has made in one meanwhile keeps it. */
  #removeDirs(): void {
    for (const { i, path } of this.#dirs.toReversed()) {
      const spot = this.#isBroken(i) ? null : this.#view.room.spot(path);
      if (spot === null) continue;
      try {
        port.rmdir(spot.at);
        this.#view.placer.removed(path);
      } catch (error) {
        if (errorCode(error) === '') throw error;
        this.#tell(path, NEW_INSIDE);
      }
    }
  }

  /** Shows what the host has where a deletion or a removed entry left a whiteout. */
  async #uncover(going: readonly Drop[]): Promise<void> {
    const { room, placer } = this.#view;
    const hidden = going.flatMap(({ i, unit: { path } }) => {
      const spot = room.spot(path);
      const now = spot === null ? null : lookUpper(spot);
      const isHidden = now === null ? wasTaken(this.#transaction, i) : isWhiteout(now);
      return spot !== null && isHidden ? [{ i, spot, now, host: hostEntry(path) }] : [];
    });
    const plain = hidden.flatMap(({ i, spot, now, host }) =>
      now !== null && host !== 'closed' && isPlain(host) ? [{ i, spot, host }] : [],
    );
    const linked = new Set<BytePath>();
    for (const { step, from, record } of (await placer.copy(plain)).copied) {
      await this.#alone(step.i, async () => {
        // EEXIST: a process has made one; that stays pending.
        port.link(from.at, step.spot.at);
        placer.placed(record);
        linked.add(step.spot.path);
      });
    }
    const rest = hidden.filter(({ i, spot }) => !linked.has(spot.path) && !this.#isBroken(i));
    const taken = new Map<BytePath, NonNullable<ReturnType<typeof takeWhiteout>>>();
    for (const { i, spot } of rest)
      await this.#alone(i, async () => {
        const one = takeWhiteout(this.#transaction, spot.path, i);
        if (one === null) this.#breaks(i, NOT_DISCARDED_LIVE);
        else taken.set(spot.path, one);
      });
    let problem = await this.#refresh();
    const held = rest.filter(({ spot: { path } }) => taken.has(path) && isHeld(room.spot(path)));
    for (const { i, spot } of held) {
      const isBack = orIfRefused(() => {
        taken.get(spot.path)?.putBack();
        return true;
      }, false);
      // Not on a full disk: it goes as requested, and the view shows the host's once the process closes what it has open.
      if (!isBack) continue;
      taken.delete(spot.path);
      this.#breaks(i, HELD_OPEN);
    }
    for (const one of taken.values()) one.remove();
    if (held.length > 0) problem ??= await this.#refresh();
    const hiding = new Set<BytePath>();
    for (const { i, spot } of rest) {
      const now = lstatEntry(spot.upper);
      if (now === null) placer.removed(spot.path);
      else if (isWhiteout(now)) {
        this.#whiteouts.add(i);
        hiding.add(spot.path);
      }
      if (problem !== null) this.#tell(spot.path, problem);
    }
    // Of the deletion: what the host has changed since then stays in conflict with it.
    if (hiding.size > 0)
      placer.restored(hiding, parseBaseLines(this.#transaction.journal.record.bases).records);
    // An event for watchers of the directory: a touch of what is shown would copy it up.
    for (const dir of new Set(rest.map(({ spot }) => parentOf(spot.path)))) {
      const mark = room.spot(joinPath(dir, SEEN_NAME));
      if (mark === null) continue;
      stir(room, mark);
      placer.record(dir);
    }
  }

  async #refresh(): Promise<string | null> {
    const { room } = this.#view;
    room.letGo();
    return await refreshMounts(this.#transaction.ctx, room.inside.pid, [room.covered.path]);
  }

  #resetDir(i: number, { path, host, mode, xattrs }: DiscardUnit): void {
    if (host === undefined) return;
    const why = dressInView(this.#view, path, { from: mode, to: host, xattrs });
    if (why !== null) this.#breaks(i, why);
  }

  async #clearKept(): Promise<void> {
    const pids = (await this.#processes()).map(({ pid }) => pid);
    if (pids.length === 0) return;
    for (const path of this.#view.room.clear(pids).saved) this.#tell(path, savedBeside(toDisplay(path)));
  }

  #close(drops: readonly Drop[]): void {
    const { journal } = this.#transaction;
    for (const { i } of drops) {
      const message = this.#late.get(i) ?? this.#reasonOf(i);
      // After an earlier run it may be the only copy of what that one took.
      if (message === undefined || this.#resumed)
        journal.add({ t: 'done', i, ...(this.#whiteouts.has(i) ? { whiteout: true } : {}) });
      else journal.add({ t: 'fail', i, message });
    }
    journal.flush();
  }

  /** The unit that stands for those that go together. */
  #first(i: number): number {
    return this.#transaction.journal.record.drops[i]?.with ?? i;
  }

  #isBroken(i: number): boolean {
    return this.#late.has(i) || this.#reasonOf(i) !== undefined;
  }

  #reasonOf(i: number): string | undefined {
    return this.#broken.get(i) ?? this.#brokenSets.get(this.#first(i));
  }

  /** Once something of a unit has left the upper, the trash must keep it: only a deletion can still stay pending. */
  #breaks(i: number, why: string): void {
    if (!this.#isSettled) {
      if (!this.#broken.has(i)) this.#broken.set(i, why);
      const first = this.#first(i);
      if (!this.#brokenSets.has(first)) this.#brokenSets.set(first, why);
      return;
    }
    const { dir, record } = this.#transaction.journal;
    const [unit, stored] = [record.drops[i], port.lstat(storedAt(dir, i))];
    if (unit?.kind === 'mode' || (stored !== null && isWhiteout(stored))) this.#late.set(i, why);
    else this.#tell(unit?.path ?? this.#view.room.covered.path, why);
  }

  #tell(path: BytePath, why: string): void {
    this.#told.push({ path, why });
  }

  async #alone(i: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const message = errorCode(error) === 'EEXIST' ? NOT_DISCARDED_LIVE : entryMessage(error);
      if (message === null) throw error;
      this.#breaks(i, message);
    }
  }
}
