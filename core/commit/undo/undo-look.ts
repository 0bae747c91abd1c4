/** What taking a commit back means on the host as it is now: what goes back, what goes away, what stands in the way. */
import { createHash } from 'node:crypto';
import { type BytePath, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { UndoConflict, UndoReason } from '../../../shared/model/commit.ts';
import { type Dirs, lstatEach } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { at, type FsPort, type Pace, type Stat } from '../../kernel/fs/port.ts';
import { identityOf, isAsLeft } from '../../kernel/fs/stat-identity.ts';
import { NO_XATTRS, type XattrStep } from '../../kernel/xattr/text.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../../session/session-context.ts';
import { saysAsLeft } from '../apply/git-indexes.ts';
import { imageOf } from '../apply/images.ts';
import { xattrsAt } from '../apply/meta-unit.ts';
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
import { type Expected, lastResults } from '../plan/last-results.ts';

/** Something that is put back: a file, or a whole tree that was deleted, as one. */
export interface Restore {
  path: BytePath;
  /** The commit's units that it takes back, parents first. */
  units: Unit[];
  now: Stat | null;
  /** What the commit put there, with what lies below it now. */
  below: HostResult[];
}

/** An entry that the commit added. */
export interface Remove {
  path: BytePath;
  unit: PutUnit | MoveToHostUnit;
  now: Stat;
}

/** What a commit brought by one rename, and nobody has touched since, not even by a name made and removed again. */
export interface Tree {
  unit: MoveToHostUnit;
  now: Stat;
  /** As the host has them, with itself. */
  entries: HostResult[];
  stats: ReadonlyMap<BytePath, Stat>;
}

export interface Meta {
  path: BytePath;
  unit: MetaUnit;
  now: Stat;
  xattrs: XattrStep | null;
}

export interface UndoLook {
  restores: Restore[];
  /** Parents first. */
  removes: Remove[];
  /** Of the removes, those that may go by one rename. */
  trees: Tree[];
  metas: Meta[];
  conflicts: UndoConflict[];
  /** What can't be taken back although it should, and why. */
  unable: { path: BytePath; message: string }[];
  /** Names the host as it was looked at. */
  revision: string;
}

/** Looks at the host. Nothing is changed. */
export async function lookForUndo(
  port: FsPort,
  ctx: SessionContext,
  dirs: Dirs,
  record: CommitRecord,
  pace: Pace,
): Promise<UndoLook> {
  const look = new Look(port, dirs, record, lastResults(port, ctx, record), ctx.coveredDirs);
  const going = record.units.filter(({ i }) => record.done.has(i) && !record.undone.has(i));
  const deleted = new Set(going.filter(({ kind }) => kind === 'delete').map(({ path }) => path));
  const trees = new Map<BytePath, Unit[]>();
  for (const unit of going) {
    await pace.breathe();
    const { path, kind } = unit;
    if (coveringDir(ctx.coveredDirs, path) === null) await look.alone(path, () => look.uncovered(unit));
    else if (kind === 'delete') {
      const top = topOf(path, deleted);
      trees.set(top, [...(trees.get(top) ?? []), unit]);
    } else if (kind === 'meta') await look.alone(path, () => look.meta(unit));
    else if (kind === 'move-to-host') await look.alone(path, () => look.added(unit, pace));
    else if (kind === 'put' && unit.host === null) await look.alone(path, () => look.added(unit, pace));
    else if (kind === 'put' || kind === 'swap') await look.alone(path, () => look.replaced(unit));
  }
  for (const [path, units] of trees) {
    await pace.breathe();
    units.sort((a, b) => (a.path < b.path ? -1 : 1));
    await look.alone(path, () => look.deleted(path, units));
  }
  return look.result();
}

function topOf(path: BytePath, deleted: ReadonlySet<BytePath>): BytePath {
  let top = path;
  for (let dir = parentOf(path); dir !== '/' && deleted.has(dir); dir = parentOf(dir)) top = dir;
  return top;
}

/** In a directory with a mount below it, what a commit has made there is covered by itself from the next call on. */
const COVERED = 'it is a covered directory of its own by now, and stays';
/** A place without a pending change is known by the newest plan alone: it may have left that, or there is none since an adoption. */
const UNCOVERED =
  'the session does not cover that place now, so it could not be pending again; it stays until a command of the session covers it';

class Look {
  readonly #port: FsPort;
  readonly #dirs: Dirs;
  readonly #record: CommitRecord;
  readonly #expected: ReadonlyMap<BytePath, Expected>;
  readonly #places: readonly CoveredDir[];
  readonly #out: Omit<UndoLook, 'revision'> = {
    restores: [],
    removes: [],
    trees: [],
    metas: [],
    conflicts: [],
    unable: [],
  };
  readonly #hash = createHash('sha256');

  constructor(
    port: FsPort,
    dirs: Dirs,
    record: CommitRecord,
    expected: ReadonlyMap<BytePath, Expected>,
    coveredDirs: readonly CoveredDir[],
  ) {
    this.#places = coveredDirs;
    this.#port = port;
    this.#dirs = dirs;
    this.#record = record;
    this.#expected = expected;
    this.#hash.update(`${record.n} ${[...record.undone].join()}\n`);
  }

  result(): UndoLook {
    return { ...this.#out, revision: this.#hash.digest('hex').slice(0, 32) };
  }

  /** What can not be looked at stays as it is, and what was found of it so far is forgotten. */
  async alone(path: BytePath, work: () => void | Promise<void>): Promise<void> {
    const { restores, removes, trees, metas, conflicts } = this.#out;
    const found = [restores, removes, trees, metas, conflicts].map((list) => ({ list, length: list.length }));
    try {
      await work();
    } catch (error) {
      const message = entryMessage(error);
      if (message === null) throw error;
      for (const { list, length } of found) list.length = length;
      this.#hash.update(`${path}\0${message}\n`);
      this.#unable(path, message);
    }
  }

  /** What is taken off the host there would be nowhere. */
  uncovered({ path }: Unit): void {
    this.#lookAt(path);
    this.#unable(path, UNCOVERED);
  }

  meta(unit: MetaUnit): void {
    const now = this.#lookAt(unit.path);
    const ok = this.#check(unit.path, now);
    if (now === null) this.#unable(unit.path, 'the host has removed it');
    else if (!ok && now.type !== unit.host.split(':')[0])
      this.#unable(unit.path, 'the host has something else there');
    else if (unit.xattrs === undefined) this.#out.metas.push({ path: unit.path, unit, now, xattrs: null });
    else this.#xattrs(unit, unit.xattrs, now, ok);
  }

  #xattrs(unit: MetaUnit, { from, to }: XattrStep, now: Stat, ok: boolean): void {
    const { path } = unit;
    const has = xattrsAt(this.#port, this.#dirs, path);
    this.#hash.update(`${has}\n`);
    const expected = this.#expected.get(path)?.xattrs ?? to;
    if (ok && has !== null && has !== expected) this.#conflict(path, 'host-changed');
    if (has === null) this.#unable(path, NO_XATTRS);
    else this.#out.metas.push({ path, unit, now, xattrs: { from: has, to: from } });
  }

  async added(unit: PutUnit | MoveToHostUnit, pace: Pace): Promise<void> {
    const left = resultOf(unit);
    const mine = new Set(left.map(({ path }) => path));
    const found = await lstatEach(this.#port, this.#dirs, [...mine], pace);
    const before = this.#out.conflicts.length + this.#out.unable.length;
    for (const path of mine) {
      await pace.breathe();
      const now = this.#note(path, found.get(path) ?? null);
      // The host has removed it already.
      if (now === null) continue;
      this.#check(path, now);
      this.#foreign(path, now, mine);
      if (this.#isCovered(path)) this.#unable(path, COVERED);
      else this.#out.removes.push({ path, unit, now });
    }
    const isClean = before === this.#out.conflicts.length + this.#out.unable.length;
    if (isClean && unit.kind === 'move-to-host') this.#tree(unit, left, found);
  }

  #tree(unit: MoveToHostUnit, left: readonly HostResult[], stats: ReadonlyMap<BytePath, Stat>): void {
    const now = stats.get(unit.path);
    const { endedAt, stamps } = this.#record;
    if (now?.type !== 'dir' || endedAt === null) return;
    // The rename has moved this change time, and all that came later would have: a name in it, an attribute.
    const stamp = stamps.get(unit.i);
    if (stamp === undefined ? now.ctimeNs > BigInt(endedAt) * 1_000_000n : stamp !== String(now.ctimeNs))
      return;
    const entries = left.map(({ path }): HostResult => {
      const stat = stats.get(path);
      return { path, id: stat === undefined ? null : identityOf(stat) };
    });
    if (entries.every(({ path, id }, i) => path === unit.path || (id !== null && id === left[i]?.id)))
      this.#out.trees.push({ unit, now, entries, stats });
  }

  replaced(unit: PutUnit | SwapUnit): void {
    const mine = unit.result.filter(({ path }) => path !== unit.path);
    const paths = new Set(mine.map(({ path }) => path));
    const now = this.#lookAt(unit.path);
    this.#check(unit.path, now);
    if (this.#isCovered(unit.path)) {
      this.#unable(unit.path, COVERED);
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

  deleted(path: BytePath, units: Unit[]): void {
    const now = this.#lookAt(path);
    this.#check(path, now);
    if (now?.type === 'dir') this.#unable(path, 'the host has a directory there now');
    else this.#restore({ path, units, now, below: [] });
  }

  #restore(restore: Restore): void {
    const { imageless, collected } = this.#record;
    const lost = restore.units.find(
      (unit) => collected || imageOf(unit) === undefined || imageless.has(unit.i),
    );
    if (lost === undefined) this.#out.restores.push(restore);
    else this.#unable(restore.path, 'what was there before is not kept (any more)');
  }

  /** By an upper of its own, which can't hold that the directory itself is pending. */
  #isCovered(path: BytePath): boolean {
    return this.#places.some((covered) => isWithin(covered.path, path));
  }

  #lookAt(path: BytePath): Stat | null {
    return this.#note(path, this.#dirs.lstat(path));
  }

  #note(path: BytePath, now: Stat | null): Stat | null {
    const { type, ino, mtimeNs, mode, uid, gid, size } = now ?? { type: 'none' };
    this.#hash.update(`${path}\0${[type, ino, type === 'dir' ? 0 : mtimeNs, mode, uid, gid, size].join()}\n`);
    return now;
  }

  #check(path: BytePath, now: Stat | null): boolean {
    const expected: Expected = this.#expected.get(path) ?? { id: null, endedAt: null };
    if (isAsLeft(expected.id, now, expected.endedAt, expected.stamp)) return true;
    if (saysAsLeft(path, expected, now)) return true;
    this.#conflict(
      path,
      now === null ? 'host-removed' : expected.id === null ? 'host-created' : 'host-changed',
    );
    return false;
  }

  /** Names in a directory of the commit's that it did not put there. */
  #foreign(dir: BytePath, now: Stat, mine: ReadonlySet<BytePath>): void {
    if (now.type !== 'dir' || this.#expected.get(dir)?.id?.startsWith('dir:') !== true) return;
    for (const name of this.#port.readdir(at(this.#dirs.openToList(dir)))) {
      const path = joinPath(dir, name);
      if (!mine.has(path)) this.#conflict(path, 'host-new-below');
    }
  }

  #conflict(path: BytePath, reason: UndoReason): void {
    this.#out.conflicts.push({ path, reason });
  }

  #unable(path: BytePath, message: string): void {
    this.#out.unable.push({ path, message });
  }
}
