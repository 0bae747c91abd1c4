/** Cleanup after a commit: committed entries leave the upper, so that they are no longer pending. */

import { type BytePath, isBelowAny, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { isSame, typeOf } from '../../kernel/fs/fingerprint.ts';
import { Pace } from '../../kernel/fs/pace.ts';
import {
  errorCode,
  type FsPort,
  nodePort,
  orIfRefused,
  type Stat,
  useAndClose,
  useAndCloseAsync,
} from '../../kernel/fs/port.ts';
import { type BaseFile, dropBases, readBaseFile } from '../../overlay/base-file.ts';
import { showsHost } from '../../overlay/opaque.ts';
import { openViewer } from '../../overlay/viewer.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { coveringDir, type SessionContext, upperPathIn } from '../../session/session-context.ts';
import {
  type CommitRecord,
  commitDir,
  commitNumbers,
  openJournal,
  readClosed,
  readJournal,
  type Transaction,
} from '../journal/journal.ts';
import { entriesOf, leavesUpper, type MoveToHostUnit, type Unit, type UpperEntry } from '../journal/unit.ts';
import { openUppers, otherThanHost, Uppers } from '../stage/uppers.ts';

/**
 * Removes from the uppers what earlier commits copied, if unchanged since. Returns the number of entries.
 * With an overlay mounted, the next write to a removed file that a process has open would reach the host.
 */
export async function dropCommitted(ctx: QuietSession): Promise<number> {
  let count = 0;
  for (const n of commitNumbers(nodePort, ctx)) {
    // Most were, and this runs after each call.
    if (readClosed(commitDir(ctx, n))?.after.has('dropped') === true) continue;
    const journal = openJournal(nodePort, commitDir(ctx, n));
    if (journal === null) continue;
    await useAndCloseAsync(journal, async () => {
      const { phase, dropped, report, begin } = journal.record;
      if (phase !== 'closed' || dropped) return;
      if (report !== null && begin.undoes === undefined)
        count += (await dropRecord({ port: nodePort, ctx, journal })).count;
      journal.addSynced({ t: 'dropped' });
    });
  }
  return count;
}

/**
 * Removes one commit's entries from the uppers. An opaque directory leaves whole, by one rename, once all of
 * it is committed: entries removed one by one would appear deleted, since it hides the host's.
 * @param settled no upper has changed since the scan, which has compared the attributes of all that it could read
 * @returns the number of entries, and the committed paths that stay in such a directory (equal to the host)
 */
export async function dropRecord(
  transaction: Transaction & { ctx: QuietSession },
  { bases = readBaseFile(transaction.ctx), settled = false }: { bases?: BaseFile; settled?: boolean } = {},
): Promise<{ count: number; stay: BytePath[] }> {
  const { port, ctx, journal } = transaction;
  const { record } = journal;
  const applied = record.standing();
  const moved = applied.filter(isMoved);
  const copied = applied.filter((unit) => !isMoved(unit)).flatMap(entriesOf);
  // The root of a covered directory can't leave the upper.
  const isRoot = ({ path }: UpperEntry) => coveringDir(ctx.coveredDirs, path)?.path === path;
  const going = copied.filter((entry) => !isRoot(entry));
  return await useAndCloseAsync(openUppers(transaction), async (uppers) => {
    uppers.removeMovedOut();
    const made = new MadeDirs(ctx);
    const gone = new Set(applied.filter(leavesUpper).map(({ path }) => path));
    const left = going.filter(({ path }) => !gone.has(path));
    const entries = [...record.above, ...record.same, ...left];
    // With unchanged entries of opaque directories, which another commit may have left there.
    const there = [...left, ...record.same].filter(({ id }) => id !== null).map(({ path }) => path);
    await made.look(there, (path) => uppers.lstat(path)?.type === 'dir');
    // Several commits may have applied parts of an opaque directory: the last one removes all of it.
    const before = there.some((path) => made.topOf(path) !== null)
      ? earlierEntries(port, ctx, record.n).filter((entry) => !isRoot(entry))
      : [];
    // In a live session a directory's attributes may have changed, which its fingerprint does not contain.
    // Of a directory above the entries, nothing can tell more than the scan has.
    const asked = settled ? [...record.same, ...left] : entries;
    const dirs = [...asked, ...before].filter(({ id }) => typeOf(id) === 'dir');
    const stays = blocked(record);
    for (const path of otherThanHost(port, uppers, [...new Set(dirs.map(({ path }) => path))]))
      stays.add(path);
    const drop = new Drop({ port, uppers, made, stays, going: idsOf(entries), before: idsOf(before) });
    await drop.all();
    forget({ ctx, bases, uppers }, [...going, ...before], moved);
    const frozen = going.filter(({ path }) => drop.isFrozen(path));
    return { count: drop.count, stay: [...frozen, ...copied.filter(isRoot)].map(({ path }) => path) };
  });
}

function earlierEntries(port: FsPort, ctx: SessionContext, n: number): UpperEntry[] {
  return commitNumbers(port, ctx)
    .filter((number) => number < n)
    .flatMap((number) => {
      const record = readJournal(port, ctx, number);
      if (record === null || record.report === null || record.begin.undoes !== undefined) return [];
      return [...record.same, ...record.standing().flatMap(entriesOf)];
    });
}

function idsOf(entries: readonly UpperEntry[]): Map<BytePath, string> {
  return new Map(entries.flatMap(({ path, id }) => (id === null ? [] : [[path, id] as const])));
}

function mayBeOnHost(port: FsPort, path: BytePath): boolean {
  return orIfRefused(() => port.lstat(path) !== null, true);
}

/**
 * After a crash, in a live session: drops the base records of moved directories. What the upper has of them
 * now was copied up since, perhaps from another version of the host's.
 */
export function forgetMoved(port: FsPort, ctx: SessionContext, record: CommitRecord): void {
  const moved = record.units.filter(isMoved).filter(({ i }) => record.done.has(i));
  if (moved.length === 0) return;
  const bases = readBaseFile(ctx);
  useAndClose(new Uppers(port, ctx, null), (uppers) => forget({ ctx, bases, uppers }, [], moved));
}

const isMoved = (unit: Unit): unit is MoveToHostUnit => unit.kind === 'move-to-host';

/** Drops the base records of what left the uppers: a later copy-up of the same name has another base. */
function forget(
  { ctx, bases: file, uppers }: { ctx: SessionContext; bases: BaseFile; uppers: Uppers },
  going: readonly UpperEntry[],
  moved: readonly MoveToHostUnit[],
): void {
  const names = new Map<BytePath, ReadonlySet<BytePath> | null>();
  /** One readdir for a directory instead of one lstat for each entry. */
  const isThere = (path: BytePath): boolean => {
    const dir = parentOf(path);
    if (!names.has(dir))
      names.set(
        dir,
        orIfRefused(() => new Set(uppers.readdir(dir)), null),
      );
    return names.get(dir)?.has(nameOf(path)) ?? uppers.lstat(path) !== null;
  };
  const isGone = ({ path }: UpperEntry) => file.records.has(path) && !isThere(path);
  const gone = new Set(going.filter(isGone).map(({ path }) => path));
  // lstat of each entry only where a call has made the tree again.
  const again = moved.filter(({ path }) => uppers.lstat(path) !== null);
  for (const { path } of again.flatMap((unit) => entriesOf(unit).filter(isGone))) gone.add(path);
  const left = new Set(moved.filter((unit) => !again.includes(unit)).map(({ path }) => path));
  if (left.size > 0)
    for (const path of file.records.keys()) if (left.has(path) || isBelowAny(path, left)) gone.add(path);
  dropBases(ctx, file, [...gone]);
}

/** Directories whose own entry in the upper is needed: something pending is in them, or hidden by them. */
function blocked(record: CommitRecord): Set<BytePath> {
  const standing = new Set(record.standing());
  const failed = record.units.filter((unit) => !standing.has(unit)).flatMap(entriesOf);
  const left = [
    ...record.begin.leftOut,
    ...record.refused.map(({ path }) => path),
    ...failed.map(({ path }) => path),
  ];
  const stays = new Set<BytePath>(left);
  for (const path of left) {
    for (let dir = parentOf(path); dir !== '/' && !stays.has(dir); dir = parentOf(dir)) stays.add(dir);
  }
  return stays;
}

interface DropParts {
  port: FsPort;
  uppers: Uppers;
  made: MadeDirs;
  stays: ReadonlySet<BytePath>;
  /** By path: what leaves the upper. */
  going: ReadonlyMap<BytePath, string>;
  /** Of earlier commits: they leave only with a whole opaque directory. */
  before: ReadonlyMap<BytePath, string>;
}

class Drop {
  count = 0;
  readonly #parts: DropParts;
  readonly #decided = new Map<BytePath, boolean>();
  readonly #pace = new Pace();

  constructor(parts: DropParts) {
    this.#parts = parts;
  }

  isFrozen(path: BytePath): boolean {
    const top = this.#parts.made.topOf(path);
    return top !== null && this.#decided.get(top) === false;
  }

  /**
   * Removes children before parents, opaque directories whole.
   * @throws the first error, after everything else: one unwritable directory keeps only its own entries
   */
  async all(): Promise<void> {
    const errors: unknown[] = [];
    const { going, made, uppers } = this.#parts;
    for (const path of [...going.keys()].sort().reverse()) {
      await this.#pace.breathe();
      const top = made.topOf(path);
      try {
        if (top !== null) await this.#whole(top);
        else this.#one(path);
      } catch (error) {
        if (errorCode(error) === '') throw error;
        errors.push(error);
      }
    }
    uppers.removeMovedOut();
    if (errors.length > 0) throw errors[0];
  }

  #one(path: BytePath): void {
    const { uppers, going } = this.#parts;
    const now = uppers.lstat(path);
    if (now === null || !this.#mayGo(path, now, going.get(path))) return;
    if (now.type === 'dir' && uppers.readdir(path).length > 0) return;
    uppers.remove(path, now.type);
    this.count++;
  }

  async #whole(top: BytePath): Promise<void> {
    if (this.#decided.has(top)) return;
    const inside = await this.#countIfCommitted(top);
    this.#decided.set(top, inside !== null);
    const { uppers } = this.#parts;
    if (inside === null || inside === 0 || uppers.lstat(top)?.type !== 'dir') return;
    uppers.moveOut(top);
    this.count += inside;
  }

  async #countIfCommitted(top: BytePath): Promise<number | null> {
    const { uppers, going, before } = this.#parts;
    const stack = [top];
    let count = 0;
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      await this.#pace.breathe();
      const now = uppers.lstat(path);
      if (now === null) continue;
      if (!this.#mayGo(path, now, going.get(path) ?? before.get(path))) return null;
      count++;
      if (now.type === 'dir') for (const name of uppers.readdir(path)) stack.push(joinPath(path, name));
    }
    return count;
  }

  #mayGo(path: BytePath, now: Stat, id: string | undefined): boolean {
    if (id === undefined || this.#parts.stays.has(path)) return false;
    // Whiteouts share an inode, so fingerprints mean nothing. One that hides an entry is a later deletion.
    return isWhiteout(now) ? typeOf(id) === 'char' && !mayBeOnHost(this.#parts.port, path) : isSame(id, now);
  }
}

export class MadeDirs {
  readonly #ctx: SessionContext;
  /** Directory -> the topmost directory at or above it that is not proven to show the host's entries. */
  readonly #tops = new Map<BytePath, BytePath | null>();

  constructor(ctx: SessionContext) {
    this.#ctx = ctx;
  }

  /**
   * Finds the opaque directories at and above `paths`. Closes the viewer before it returns: it has the uppers
   * mounted, which are about to change. @param isDir whether the upper has a directory there
   */
  async look(paths: readonly BytePath[], isDir: (path: BytePath) => boolean): Promise<void> {
    if (paths.length === 0) return;
    const pace = new Pace();
    await useAndCloseAsync(await openViewer(this.#ctx), async (viewer) => {
      const shows = (path: BytePath): boolean => {
        const upper = upperPathIn(this.#ctx.coveredDirs, path);
        if (upper === null) return false;
        return orIfRefused(() => showsHost(viewer, { host: path, upper }), false);
      };
      for (const path of paths) {
        await pace.breathe();
        const dir = parentOf(path);
        const top = this.#find(dir, shows);
        if (top !== null || this.#tops.has(path) || !isDir(path)) continue;
        this.#tops.set(path, shows(path) ? null : path);
      }
    });
  }

  topOf(path: BytePath): BytePath | null {
    return this.#tops.get(path) ?? this.#tops.get(parentOf(path)) ?? null;
  }

  #find(dir: BytePath, shows: (path: BytePath) => boolean): BytePath | null {
    const known = this.#tops.get(dir);
    if (known !== undefined) return known;
    // The root of an overlay is merged by its mount.
    const isRoot = coveringDir(this.#ctx.coveredDirs, dir)?.path === dir || dir === '/';
    const above = isRoot ? null : this.#find(parentOf(dir), shows);
    const top = above ?? (isRoot || shows(dir) ? null : dir);
    this.#tops.set(dir, top);
    return top;
  }
}
