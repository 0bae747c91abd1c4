/** What an undo means on the host as it is now: what is put back, removed, or in conflict. Reads only. */

import { createHash } from 'node:crypto';
import { type BytePath, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { EntryFailure, UndoConflict, UndoReason } from '../../../shared/model/commit.ts';
import { Dirs, lstatEach } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { identityOf, isAsLeft, typeOf } from '../../kernel/fs/fingerprint.ts';
import { Pace } from '../../kernel/fs/pace.ts';
import { at, type FsPort, type Stat, useAndCloseAsync } from '../../kernel/fs/port.ts';
import type { XattrStep } from '../../kernel/fs/xattr-text.ts';
import { NO_XATTRS } from '../../kernel/messages/reasons.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import { imageOf } from '../apply/images.ts';
import { xattrsAt } from '../apply/meta-unit.ts';
import { saysAsLeft } from '../apply/results.ts';
import type { CommitRecord } from '../journal/journal.ts';
import {
  type HostResult,
  type MetaUnit,
  type MoveToHostUnit,
  type PutUnit,
  resultOf,
  type SwapUnit,
  type Unit,
} from '../journal/unit.ts';
import {
  COVERED_ITSELF,
  HOST_HAS_DIR,
  HOST_HAS_OTHER,
  HOST_REMOVED,
  NOT_COVERED_NOW,
  NOT_KEPT_ANY_MORE,
} from '../messages/reasons.ts';
import { type Expected, lastResults } from '../plan/last-results.ts';

export interface Restore {
  path: BytePath;
  units: Unit[];
  now: Stat | null;
  /** The commit's entries below it, as they are now. */
  below: HostResult[];
}

export interface Remove {
  path: BytePath;
  unit: PutUnit | MoveToHostUnit;
  now: Stat;
}

/** A moved directory that nothing has touched since, so that it may be moved back by one rename. */
export interface Tree {
  unit: MoveToHostUnit;
  now: Stat;
  entries: HostResult[];
  stats: ReadonlyMap<BytePath, Stat>;
}

export interface Meta {
  path: BytePath;
  unit: MetaUnit;
  now: Stat;
  xattrs: XattrStep | null;
}

export interface Reversal {
  restores: Restore[];
  removes: Remove[];
  trees: Tree[];
  metas: Meta[];
  conflicts: UndoConflict[];
  unable: EntryFailure[];
  revision: string;
}

export async function compareHost(
  port: FsPort,
  ctx: SessionContext,
  record: CommitRecord,
): Promise<Reversal> {
  return await useAndCloseAsync(
    new Dirs(port, '/' as BytePath, 0, null),
    async (dirs) => await new Comparison(port, ctx, dirs, record).run(),
  );
}

class Comparison {
  readonly #port: FsPort;
  readonly #ctx: SessionContext;
  readonly #dirs: Dirs;
  readonly #record: CommitRecord;
  readonly #expected: ReadonlyMap<BytePath, Expected>;
  readonly #restores: Restore[] = [];
  readonly #removes: Remove[] = [];
  readonly #trees: Tree[] = [];
  readonly #metas: Meta[] = [];
  readonly #conflicts: UndoConflict[] = [];
  readonly #unable: EntryFailure[] = [];
  readonly #hash = createHash('sha256');
  readonly #pace = new Pace();

  constructor(port: FsPort, ctx: SessionContext, dirs: Dirs, record: CommitRecord) {
    this.#port = port;
    this.#ctx = ctx;
    this.#dirs = dirs;
    this.#record = record;
    this.#expected = lastResults(port, ctx, record);
    this.#hash.update(`${record.n} ${[...record.undone].join()}\n`);
  }

  async run(): Promise<Reversal> {
    const going = this.#record.standing();
    const deleted = new Set(going.filter(({ kind }) => kind === 'delete').map(({ path }) => path));
    const trees = new Map<BytePath, Unit[]>();
    for (const unit of going) {
      const isTree = unit.kind === 'delete' && coveringDir(this.#ctx.coveredDirs, unit.path) !== null;
      if (isTree) {
        const top = topOf(unit.path, deleted);
        trees.set(top, [...(trees.get(top) ?? []), unit]);
      } else await this.#alone(unit.path, () => this.#unit(unit));
    }
    for (const [path, members] of trees) {
      members.sort((a, b) => (a.path < b.path ? -1 : 1));
      await this.#alone(path, () => this.#deleted(path, members));
    }
    return {
      restores: this.#restores,
      removes: this.#removes,
      trees: this.#trees,
      metas: this.#metas,
      conflicts: this.#conflicts,
      unable: this.#unable,
      revision: this.#hash.digest('hex').slice(0, 32),
    };
  }

  /** On an error that concerns this entry alone, drops what `work` has found so far. */
  async #alone(path: BytePath, work: () => void | Promise<void>): Promise<void> {
    await this.#pace.breathe();
    const lists = [this.#restores, this.#removes, this.#trees, this.#metas, this.#conflicts];
    const lengths = lists.map(({ length }) => length);
    try {
      await work();
    } catch (error) {
      const message = entryMessage(error);
      if (message === null) throw error;
      lists.forEach((list, i) => {
        list.length = lengths[i] ?? 0;
      });
      this.#hash.update(`${path}\0${message}\n`);
      this.#unable.push({ path, message });
    }
  }

  async #unit(unit: Unit): Promise<void> {
    if (coveringDir(this.#ctx.coveredDirs, unit.path) === null) {
      // Not pending anywhere, what is taken off the host there would be lost.
      this.#lookAt(unit.path);
      // Without pending changes only the newest mount plan names a directory; an adoption drops the plans.
      this.#unable.push({ path: unit.path, message: NOT_COVERED_NOW });
    } else if (unit.kind === 'meta') this.#meta(unit);
    else if (unit.kind === 'move-to-host' || (unit.kind === 'put' && unit.host === null))
      await this.#added(unit);
    else if (unit.kind === 'put' || unit.kind === 'swap') this.#replaced(unit);
  }

  #meta(unit: MetaUnit): void {
    const { path, xattrs } = unit;
    const unable = (message: string) => this.#unable.push({ path, message });
    const now = this.#lookAt(path);
    const ok = this.#check(path, now);
    if (now === null) unable(HOST_REMOVED);
    else if (!ok && now.type !== typeOf(unit.host)) unable(HOST_HAS_OTHER);
    else if (xattrs === undefined) this.#metas.push({ path, unit, now, xattrs: null });
    else {
      const has = xattrsAt(this.#port, this.#dirs, path);
      this.#hash.update(`${has}\n`);
      const expected = this.#expected.get(path)?.xattrs ?? xattrs.to;
      if (ok && has !== null && has !== expected) this.#conflict(path, 'host-changed');
      if (has === null) unable(NO_XATTRS);
      else this.#metas.push({ path, unit, now, xattrs: { from: has, to: xattrs.from } });
    }
  }

  async #added(unit: PutUnit | MoveToHostUnit): Promise<void> {
    const left = resultOf(unit);
    const mine = new Set(left.map(({ path }) => path));
    const found = await lstatEach(this.#port, this.#dirs, [...mine], this.#pace);
    const before = this.#conflicts.length + this.#unable.length;
    for (const path of mine) {
      await this.#pace.breathe();
      const now = this.#note(path, found.get(path) ?? null);
      if (now === null) continue;
      this.#check(path, now);
      this.#foreign(path, now, mine);
      // Once a mount is below it, the next call covers a directory of the commit's as one of its own.
      if (this.#isCovered(path)) this.#unable.push({ path, message: COVERED_ITSELF });
      else this.#removes.push({ path, unit, now });
    }
    const isClean = before === this.#conflicts.length + this.#unable.length;
    if (isClean && unit.kind === 'move-to-host') this.#tree(unit, left, found);
  }

  #tree(unit: MoveToHostUnit, left: readonly HostResult[], stats: ReadonlyMap<BytePath, Stat>): void {
    const now = stats.get(unit.path);
    const { endedAt, stamps } = this.#record;
    if (now?.type !== 'dir' || endedAt === null) return;
    // Since the rename, any new name or attribute in it would have changed its change time.
    const stamp = stamps.get(unit.i);
    if (stamp === undefined ? now.ctimeNs > BigInt(endedAt) * 1_000_000n : stamp !== String(now.ctimeNs))
      return;
    const entries = left.map(({ path }): HostResult => {
      const stat = stats.get(path);
      return { path, id: stat === undefined ? null : identityOf(stat) };
    });
    if (entries.every(({ path, id }, i) => path === unit.path || (id !== null && id === left[i]?.id)))
      this.#trees.push({ unit, now, entries, stats });
  }

  #replaced(unit: PutUnit | SwapUnit): void {
    const mine = unit.result.filter(({ path }) => path !== unit.path);
    const paths = new Set(mine.map(({ path }) => path));
    const now = this.#lookAt(unit.path);
    this.#check(unit.path, now);
    if (this.#isCovered(unit.path)) {
      this.#unable.push({ path: unit.path, message: COVERED_ITSELF });
      return;
    }
    if (now !== null) this.#foreign(unit.path, now, paths);
    const found: HostResult[] = [];
    for (const { path } of mine) {
      const below = this.#lookAt(path);
      this.#check(path, below);
      if (below === null) continue;
      this.#foreign(path, below, paths);
      found.push({ path, id: identityOf(below) });
    }
    this.#restore({ path: unit.path, units: [unit], now, below: found });
  }

  #deleted(path: BytePath, units: Unit[]): void {
    const now = this.#lookAt(path);
    this.#check(path, now);
    if (now?.type === 'dir') this.#unable.push({ path, message: HOST_HAS_DIR });
    else this.#restore({ path, units, now, below: [] });
  }

  #restore(restore: Restore): void {
    const { imageless, collected } = this.#record;
    const lost = restore.units.some(
      (unit) => collected || imageOf(unit) === undefined || imageless.has(unit.i),
    );
    if (lost) this.#unable.push({ path: restore.path, message: NOT_KEPT_ANY_MORE });
    else this.#restores.push(restore);
  }

  /** The upper of a covered directory can't make that directory itself pending. */
  #isCovered(path: BytePath): boolean {
    return this.#ctx.coveredDirs.some((covered) => isWithin(covered.path, path));
  }

  #lookAt(path: BytePath): Stat | null {
    // Its unit compares the host again before it changes it.
    return this.#note(path, this.#dirs.lstatHere(path));
  }

  #note(path: BytePath, now: Stat | null): Stat | null {
    const { type, ino, mtimeNs, mode, uid, gid, size } = now ?? { type: 'none' };
    this.#hash.update(`${path}\0${[type, ino, type === 'dir' ? 0 : mtimeNs, mode, uid, gid, size].join()}\n`);
    return now;
  }

  #check(path: BytePath, now: Stat | null): boolean {
    const expected: Expected = this.#expected.get(path) ?? { id: null, endedAt: null };
    const asLeft = isAsLeft(expected.id, now, expected.endedAt, expected.stamp);
    if (asLeft || saysAsLeft(path, expected, now)) return true;
    const reason = expected.id === null ? 'host-created' : 'host-changed';
    this.#conflict(path, now === null ? 'host-removed' : reason);
    return false;
  }

  #foreign(dir: BytePath, now: Stat, mine: ReadonlySet<BytePath>): void {
    if (now.type !== 'dir' || typeOf(this.#expected.get(dir)?.id) !== 'dir') return;
    for (const name of this.#port.readdir(at(this.#dirs.openToList(dir)))) {
      const path = joinPath(dir, name);
      if (!mine.has(path)) this.#conflict(path, 'host-new-below');
    }
  }

  #conflict(path: BytePath, reason: UndoReason): void {
    this.#conflicts.push({ path, reason });
  }
}

function topOf(path: BytePath, deleted: ReadonlySet<BytePath>): BytePath {
  let top = path;
  for (let dir = parentOf(path); dir !== '/' && deleted.has(dir); dir = parentOf(dir)) top = dir;
  return top;
}
