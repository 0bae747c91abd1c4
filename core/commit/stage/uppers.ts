/** The uppers of a session, addressed by host paths: directories opened without following, one walk for each place. */

import { type BytePath, isWithin, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { byParent, Dirs, type OnLoosen } from '../../kernel/fs/dir-handles.ts';
import { chmodEntry } from '../../kernel/fs/move-out.ts';
import { at, type FsPort, type Pace, type Stat } from '../../kernel/fs/port.ts';
import { removePath } from '../../kernel/fs/remove-tree.ts';
import { birthOf, identityOf } from '../../kernel/fs/stat-identity.ts';
import type { XattrChange } from '../../kernel/xattr/text.ts';
import { isExcluded } from '../../sandbox/claude-files.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import type { Loosened, Transaction } from '../journal/journal.ts';
import type { UpperEntry } from '../journal/unit.ts';
import { upperPath } from './areas.ts';

/** Directory beside an upper for what has left it and waits for its removal. */
const GONE = 'gone' as BytePath;

export class Uppers {
  readonly #port: FsPort;
  readonly #ctx: SessionContext;
  readonly #onLoosen: OnLoosen | null;
  readonly #walks = new Map<number, Dirs>();
  #moved = 0;
  readonly #loosened: { walk: Dirs; path: BytePath; mode: number }[] = [];

  /** @param onLoosen the session is quiet: directories that their owner may not read or write can be opened up */
  constructor(port: FsPort, ctx: SessionContext, onLoosen: OnLoosen | null) {
    this.#port = port;
    this.#ctx = ctx;
    this.#onLoosen = onLoosen;
  }

  /** A covered directory itself: its directory stays in the upper whatever happens. */
  isRoot(path: BytePath): boolean {
    return this.#ctx.coveredDirs.some((covered) => covered.path === path);
  }

  lstat(path: BytePath): Stat | null {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    const now = inside === null || walk === null ? null : walk.lstat(inside);
    return now === null || walk === null ? null : walk.asFound(now);
  }

  /** `lstat` of many paths, a directory at a time: what is there, by path. */
  async lstatEach(paths: readonly BytePath[], pace: Pace): Promise<Map<BytePath, Stat>> {
    const found = new Map<BytePath, Stat>();
    for (const path of paths) {
      const root = this.isRoot(path) ? this.lstat(path) : null;
      if (root !== null) found.set(path, root);
    }
    for (const [dir, inside] of byParent(paths.filter((path) => !this.isRoot(path)))) {
      await pace.breathe();
      this.#lstatIn(dir, inside, found);
    }
    return found;
  }

  #lstatIn(dir: BytePath, paths: readonly BytePath[], found: Map<BytePath, Stat>): void {
    const inside = upperPath(this.#ctx.coveredDirs, dir);
    const walk = this.#walk(dir);
    const fd = inside === null ? null : (walk?.openOrNone(inside) ?? null);
    if (fd === null || walk === null) return;
    for (const path of paths) {
      const now = this.#port.lstat(at(fd, nameOf(path)));
      if (now !== null) found.set(path, walk.asFound(now));
    }
  }

  /** A path to work on the upper's entry with, until the next look; null = not covered. */
  placed(path: BytePath): BytePath | null {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    if (inside === null || walk === null) return null;
    const root = coveringDir(this.#ctx.coveredDirs, path)?.path;
    return path === root ? at(walk.open(inside)) : at(walk.open(parentOf(inside)), nameOf(inside));
  }

  /** Where the upper keeps (or would keep) it. */
  pathOf(path: BytePath): BytePath {
    return upperPath(this.#ctx.coveredDirs, path) ?? path;
  }

  /** Names in a directory of the upper; none when there is no such directory. */
  readdir(path: BytePath): BytePath[] {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    if (inside === null || walk === null || walk.lstat(inside)?.type !== 'dir') return [];
    return this.#port.readdir(at(walk.openToList(inside)));
  }

  /** Removes one entry; a directory must be empty. Only in a quiet session. */
  remove(path: BytePath, type: Stat['type']): void {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    if (inside === null || walk === null) return;
    const target = at(walk.openToWrite(parentOf(inside)), nameOf(inside));
    if (type === 'dir') this.#port.rmdir(target);
    else this.#port.unlink(target);
  }

  /** Renames an entry that waits beside the upper into it; nothing may be there. Only in a quiet session. */
  insert(path: BytePath, from: BytePath): void {
    const target = this.#target(path);
    if (target !== null) this.#port.rename(from, target);
  }

  /** `insert` of a directory that its owner may not write, and has to for the rename; it ends with `mode`. */
  insertClosed(path: BytePath, from: BytePath, mode: number): void {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const now = this.#port.lstat(from);
    // Written down first: who dies in between is found by `restore`.
    if (inside !== null && now !== null) this.#onLoosen?.(inside, mode, birthOf(now));
    chmodEntry(this.#port, from, mode | 0o700);
    this.insert(path, from);
    this.chmod(path, mode);
  }

  /** Renames an entry to a place beside the upper. Only in a quiet session. */
  takeOut(path: BytePath, to: BytePath): void {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    if (inside === null || walk === null) return;
    // Renaming a directory writes its `..`: the owner needs the write bit for that.
    if (walk.lstat(inside)?.type === 'dir') walk.openToWrite(inside);
    this.#port.rename(at(walk.openToWrite(parentOf(inside)), nameOf(inside)), to);
  }

  /** Owner and mode of a directory. */
  dress(path: BytePath, { mode, uid, gid }: { mode: number; uid: number; gid: number }): void {
    const target = this.#target(path);
    const now = target === null ? null : this.#port.lstat(target);
    if (target === null || now?.type !== 'dir') return;
    if (now.uid !== uid || now.gid !== gid) this.#port.lchown(target, uid, gid);
    chmodEntry(this.#port, target, mode);
  }

  /** Extended attributes of a directory; null = not known. */
  xattrs(path: BytePath): string | null {
    return this.#held(path, (fd) => this.#port.xattrs(fd));
  }

  /** Only in a quiet session, and while the directory's owner may write in it. */
  setXattrs(path: BytePath, changes: readonly XattrChange[]): void {
    if (changes.length > 0) this.#held(path, (fd) => this.#port.setXattrs(fd, changes));
  }

  #held<T>(path: BytePath, use: (fd: number) => T): T | null {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    return inside === null || walk === null ? null : use(walk.open(inside));
  }

  /** A further name for a whiteout. Only in a quiet session. */
  link(path: BytePath, from: BytePath): void {
    const target = this.#target(path);
    if (target !== null) this.#port.link(from, target);
  }

  chmod(path: BytePath, mode: number): void {
    const target = this.#target(path);
    if (target !== null) chmodEntry(this.#port, target, mode);
  }

  #target(path: BytePath): BytePath | null {
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    if (inside === null || walk === null) return null;
    // The dot: a descriptor's own name is a link.
    if (this.isRoot(path)) return at(walk.open(inside), '.');
    return at(walk.openToWrite(parentOf(inside)), nameOf(inside));
  }

  /**
   * Takes a directory out of the upper with all that is in it, by one rename: its entries never look deleted. It waits
   * beside the upper for `removeMovedOut`.
   */
  moveOut(path: BytePath): void {
    const covered = coveringDir(this.#ctx.coveredDirs, path);
    const inside = upperPath(this.#ctx.coveredDirs, path);
    const walk = this.#walk(path);
    if (covered === null || inside === null || walk === null) return;
    // Renaming a directory writes its `..`: the owner needs the write bit for that.
    walk.openToWrite(inside);
    const beside = parentOf(covered.upper);
    const gone = joinPath(beside, GONE);
    if (this.#port.lstat(gone) === null) this.#port.mkdir(gone, 0o700);
    const from = at(walk.openToWrite(parentOf(inside)), nameOf(inside));
    this.#port.rename(from, joinPath(gone, String(this.#moved++)));
  }

  /** Removes what was moved out, also by a run that died. */
  removeMovedOut(): void {
    for (const { upper } of this.#ctx.coveredDirs) {
      const beside = parentOf(upper);
      if (this.#port.lstat(joinPath(beside, GONE)) !== null) removePath(this.#port, beside, GONE);
    }
  }

  /** Gives directories that an earlier run had loosened when it died their mode back; `path` is one of the upper. */
  restore(loosened: readonly Loosened[]): void {
    for (const { path, mode, id } of loosened) {
      const covered = this.#ctx.coveredDirs.find(({ upper }) => isWithin(path, upper));
      const walk = covered === undefined ? null : this.#walk(covered.path);
      const now = walk?.lstat(path) ?? null;
      if (walk === null || now === null || birthOf(now) !== id || now.mode !== (mode | 0o700)) continue;
      this.#port.chmod(at(walk.open(path)), mode);
    }
  }

  /** Gives directories that had to be loosened their mode back. */
  close(): void {
    for (const { walk, path, mode } of this.#loosened.splice(0).reverse()) {
      if (walk.lstat(path)?.type === 'dir') this.#port.chmod(at(walk.open(path)), mode);
    }
    for (const walk of this.#walks.values()) walk.close();
    this.#walks.clear();
  }

  #walk(path: BytePath): Dirs | null {
    const covered = coveringDir(this.#ctx.coveredDirs, path);
    if (covered === null) return null;
    const known = this.#walks.get(covered.n);
    if (known !== undefined) return known;
    const uid = this.#ctx.root ? 0 : this.#ctx.uid;
    const announce = this.#onLoosen;
    const note: OnLoosen = (dir, mode, id) => {
      announce?.(dir, mode, id);
      this.#loosened.push({ walk, path: dir, mode });
    };
    const walk: Dirs = new Dirs(this.#port, covered.upper, uid, announce === null ? null : note);
    this.#walks.set(covered.n, walk);
    return walk;
  }
}

/** The uppers of a quiet session, to be changed: with the modes back that a run before this one had loosened. */
export function openUppers({ port, ctx, journal }: Transaction): Uppers {
  const earlier = [...journal.record.upperLoosened];
  const uppers = new Uppers(port, ctx, (path, mode, id) => {
    journal.add({ t: 'loosen-upper', path, mode, id });
    journal.sync();
  });
  uppers.restore(earlier);
  return uppers;
}

/** Directories of the upper above `paths`, parents first: they may leave it when they are empty. */
export function dirsAbove(ctx: SessionContext, uppers: Uppers, paths: readonly BytePath[]): UpperEntry[] {
  const seen = new Set<BytePath>();
  for (const path of paths) {
    const root = coveringDir(ctx.coveredDirs, path)?.path;
    if (root === undefined) continue;
    for (let dir = parentOf(path); dir !== root && isWithin(dir, root) && !seen.has(dir); ) {
      seen.add(dir);
      dir = parentOf(dir);
    }
  }
  return [...seen].sort().flatMap((path) => {
    const stat = uppers.lstat(path);
    return stat?.type === 'dir' ? [{ path, id: identityOf(stat) }] : [];
  });
}

/** What the directories that were made again hold without a change: in the upper, but not in the list. */
export async function unlisted(
  ctx: SessionContext,
  uppers: Uppers,
  changes: readonly Change[],
  pace: Pace,
): Promise<UpperEntry[]> {
  const found = new Map<BytePath, UpperEntry>();
  const stack = changes.filter(({ kind }) => kind === 'dir-replaced').map(({ path }) => path);
  if (stack.length === 0) return [];
  const listed = new Set(changes.map(({ path }) => path));
  for (let dir = stack.pop(); dir !== undefined; dir = stack.pop()) {
    for (const name of uppers.readdir(dir)) {
      await pace.breathe();
      const path = joinPath(dir, name);
      const stat =
        listed.has(path) || found.has(path) || isExcluded(path, ctx.excluded) ? null : uppers.lstat(path);
      if (stat === null) continue;
      found.set(path, { path, id: identityOf(stat) });
      if (stat.type === 'dir') stack.push(path);
    }
  }
  return [...found.values()];
}
