/** The uppers of a session, addressed by host paths. Directories are opened without following links. */
import { type BytePath, isWithin, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import {
  byParent,
  chmodEntry,
  Dirs,
  moveOut,
  type OnLoosen,
  removePath,
} from '../../kernel/fs/dir-handles.ts';
import { birthOf, identityOf } from '../../kernel/fs/fingerprint.ts';
import type { Pace } from '../../kernel/fs/pace.ts';
import { at, type FsPort, type Stat } from '../../kernel/fs/port.ts';
import type { XattrChange } from '../../kernel/fs/xattr-text.ts';
import { isExcluded } from '../../sandbox/claude-files.ts';
import {
  type CoveredDir,
  coveringDir,
  type SessionContext,
  upperPath,
  upperPathIn,
} from '../../session/session-context.ts';
import type { Loosened, Transaction } from '../journal/journal.ts';
import type { UpperEntry } from '../journal/unit.ts';

/** Beside an upper: trees that have left it and are to be removed. */
const GONE = 'gone' as BytePath;

interface UpperPath {
  inside: BytePath;
  walk: Dirs;
}

/** Where a path is not covered, methods do nothing or find nothing. Changes need a quiet session. */
export class Uppers {
  readonly #port: FsPort;
  readonly #ctx: SessionContext;
  readonly #onLoosen: OnLoosen | null;
  readonly #walks = new Map<number, Dirs>();
  #moved = 0;
  readonly #loosened: { walk: Dirs; path: BytePath; mode: number }[] = [];

  /** @param onLoosen set in a quiet session only: allows loosening the modes of closed directories */
  constructor(port: FsPort, ctx: SessionContext, onLoosen: OnLoosen | null) {
    this.#port = port;
    this.#ctx = ctx;
    this.#onLoosen = onLoosen;
  }

  isRoot(path: BytePath): boolean {
    return coveringDir(this.#ctx.coveredDirs, path)?.path === path;
  }

  lstat(path: BytePath): Stat | null {
    return this.#in(path, ({ walk, inside }) => {
      const now = walk.lstat(inside);
      return now === null ? null : walk.asFound(now);
    });
  }

  /** See `Dirs.lstatHere`. */
  lstatHere(path: BytePath): Stat | null {
    if (this.isRoot(path)) return this.lstat(path);
    return this.#in(path, ({ walk, inside }) => {
      const now = walk.lstatHere(inside);
      return now === null ? null : walk.asFound(now);
    });
  }

  /** `lstat` of many paths, a directory at a time; missing entries are left out. */
  async lstatEach(paths: readonly BytePath[], pace: Pace): Promise<Map<BytePath, Stat>> {
    const found = new Map<BytePath, Stat>();
    for (const path of paths) {
      const root = this.isRoot(path) ? this.lstat(path) : null;
      if (root !== null) found.set(path, root);
    }
    for (const [dir, inDir] of byParent(paths.filter((path) => !this.isRoot(path)))) {
      await pace.breathe();
      this.#in(dir, ({ walk, inside }) => {
        const fd = walk.openOrNone(inside);
        for (const path of fd === null ? [] : inDir) {
          const now = this.#port.lstat(at(fd ?? 0, nameOf(path)));
          if (now !== null) found.set(path, walk.asFound(now));
        }
      });
    }
    return found;
  }

  /** A path to work on the upper's entry with, valid until the next call; null = not covered. */
  placed(path: BytePath): BytePath | null {
    return this.#in(path, ({ walk, inside }) =>
      this.isRoot(path) ? at(walk.open(inside)) : at(walk.open(parentOf(inside)), nameOf(inside)),
    );
  }

  /** `placed` of what is no root, see `Dirs.openHere`. */
  placedHere(path: BytePath): BytePath | null {
    return this.#in(path, ({ walk, inside }) => at(walk.openHere(parentOf(inside)), nameOf(inside)));
  }

  pathOf(path: BytePath): BytePath {
    return upperPathIn(this.#ctx.coveredDirs, path) ?? path;
  }

  readdir(path: BytePath): BytePath[] {
    const names = this.#in(path, ({ walk, inside }) =>
      walk.lstat(inside)?.type === 'dir' ? this.#port.readdir(at(walk.openToList(inside))) : [],
    );
    return names ?? [];
  }

  remove(path: BytePath, type: Stat['type']): void {
    this.#at(path, (target) => (type === 'dir' ? this.#port.rmdir(target) : this.#port.unlink(target)));
  }

  /**
   * Renames an entry from beside the upper into it; the path is free, as the caller has just seen.
   * @param closedMode final mode of a directory that its owner may not write, which a rename requires
   */
  insert(path: BytePath, from: BytePath, closedMode: number | null = null): void {
    const now = closedMode === null ? null : this.#port.lstat(from);
    if (closedMode !== null && now !== null) {
      // Journalled first: after a crash `restore` sets the mode.
      this.#in(path, ({ inside }) => this.#onLoosen?.(inside, closedMode, birthOf(now)));
      chmodEntry(this.#port, from, closedMode | 0o700);
    }
    this.#in(path, ({ walk, inside }) => this.#port.rename(from, walk.targetHere(inside)));
    if (closedMode !== null) this.chmod(path, closedMode);
  }

  takeOut(path: BytePath, to: BytePath): void {
    this.#in(path, ({ walk, inside }) => moveOut(this.#port, walk, inside, to));
  }

  dress(path: BytePath, { mode, uid, gid }: { mode: number; uid: number; gid: number }): void {
    this.#at(path, (target) => {
      const now = this.#port.lstat(target);
      if (now?.type !== 'dir') return;
      if (now.uid !== uid || now.gid !== gid) this.#port.lchown(target, uid, gid);
      chmodEntry(this.#port, target, mode);
    });
  }

  xattrs(path: BytePath): string | null {
    return this.#in(path, ({ walk, inside }) => this.#port.xattrs(walk.open(inside)));
  }

  setXattrs(path: BytePath, changes: readonly XattrChange[]): void {
    if (changes.length > 0)
      this.#in(path, ({ walk, inside }) => this.#port.setXattrs(walk.open(inside), changes));
  }

  link(path: BytePath, from: BytePath): void {
    this.#at(path, (target) => this.#port.link(from, target));
  }

  chmod(path: BytePath, mode: number): void {
    this.#at(path, (target) => chmodEntry(this.#port, target, mode));
  }

  /** By one rename, so that its entries never appear deleted. `removeMovedOut` removes it. */
  moveOut(path: BytePath): void {
    const covered = coveringDir(this.#ctx.coveredDirs, path);
    if (covered === null) return;
    const gone = joinPath(parentOf(covered.upper), GONE);
    if (this.#port.lstat(gone) === null) this.#port.mkdir(gone, 0o700);
    this.takeOut(path, joinPath(gone, String(this.#moved++)));
  }

  /** Also removes what a crashed run has moved out. */
  removeMovedOut(): void {
    for (const { upper } of this.#ctx.coveredDirs) {
      const beside = parentOf(upper);
      if (this.#port.lstat(joinPath(beside, GONE)) !== null) removePath(this.#port, beside, GONE);
    }
  }

  /** Restores the modes that a crashed run had loosened; `path` lies in the upper itself. */
  restore(loosened: readonly Loosened[]): void {
    for (const { path, mode, id } of loosened) {
      const covered = this.#ctx.coveredDirs.find(({ upper }) => isWithin(path, upper));
      const walk = covered === undefined ? null : this.#walk(covered);
      const now = walk?.lstat(path) ?? null;
      if (walk === null || now === null || birthOf(now) !== id || now.mode !== (mode | 0o700)) continue;
      this.#port.chmod(at(walk.open(path)), mode);
    }
  }

  close(): void {
    for (const { walk, path, mode } of this.#loosened.splice(0).reverse()) {
      if (walk.lstat(path)?.type === 'dir') this.#port.chmod(at(walk.open(path)), mode);
    }
    for (const walk of this.#walks.values()) walk.close();
    this.#walks.clear();
  }

  #in<T>(path: BytePath, use: (upper: UpperPath) => T): T | null {
    const covered = coveringDir(this.#ctx.coveredDirs, path);
    return covered === null ? null : use({ inside: upperPath(covered, path), walk: this.#walk(covered) });
  }

  #at(path: BytePath, use: (target: BytePath) => void): void {
    this.#in(path, ({ walk, inside }) => {
      // The dot: the descriptor's own name is a symbolic link.
      if (this.isRoot(path)) use(at(walk.open(inside), '.'));
      else use(walk.target(inside));
    });
  }

  #walk({ n, upper }: CoveredDir): Dirs {
    const known = this.#walks.get(n);
    if (known !== undefined) return known;
    const announce = this.#onLoosen;
    const note: OnLoosen = (dir, mode, id) => {
      announce?.(dir, mode, id);
      this.#loosened.push({ walk, path: dir, mode });
    };
    const uid = this.#ctx.root ? 0 : this.#ctx.uid;
    const walk: Dirs = new Dirs(this.#port, upper, uid, announce === null ? null : note);
    this.#walks.set(n, walk);
    return walk;
  }
}

/** Opens the uppers of a quiet session for changes, after restoring modes that a crashed run had loosened. */
export function openUppers({ port, ctx, journal }: Transaction): Uppers {
  const earlier = [...journal.record.upperLoosened];
  const uppers = new Uppers(port, ctx, (path, mode, id) => {
    journal.addSynced({ t: 'loosen-upper', path, mode, id });
  });
  uppers.restore(earlier);
  return uppers;
}

export function* dirsTo({ coveredDirs }: SessionContext, path: BytePath): Generator<BytePath> {
  const root = coveringDir(coveredDirs, path)?.path ?? path;
  for (let dir = parentOf(path); dir !== root && isWithin(dir, root); dir = parentOf(dir)) yield dir;
}

/** The directories that lead to `paths`, each once. */
export function allDirsTo(ctx: SessionContext, paths: readonly BytePath[]): Set<BytePath> {
  const seen = new Set<BytePath>();
  for (const path of paths) {
    if (seen.has(parentOf(path))) continue;
    for (const dir of dirsTo(ctx, path)) {
      if (seen.has(dir)) break;
      seen.add(dir);
    }
  }
  return seen;
}

export function dirsAbove(ctx: SessionContext, uppers: Uppers, paths: readonly BytePath[]): UpperEntry[] {
  return [...allDirsTo(ctx, paths)].sort().flatMap((path) => {
    const stat = uppers.lstat(path);
    return stat?.type === 'dir' ? [{ path, id: identityOf(stat) }] : [];
  });
}

/** Unchanged entries of directories that were made again: in the upper, but not in the list. */
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

/**
 * The attributes (core/kernel/fs/xattr-text.ts) of the host's directories `dirs` and of those above `paths`, empty
 * when they could not be read. The first question reads all at once, since each reading starts a program.
 */
export function hostXattrs(
  port: FsPort,
  ctx: SessionContext,
  paths: readonly BytePath[],
  dirs: readonly BytePath[] = [],
): (dir: BytePath) => string {
  let texts: Map<BytePath, string> | null = null;
  return (dir) => {
    if (texts === null) {
      const all = [...new Set([dir, ...dirs, ...allDirsTo(ctx, paths)])];
      const found = port.xattrsOf(all);
      texts = new Map(all.map((one, i) => [one, found[i] ?? '']));
    }
    return texts.get(dir) ?? '';
  };
}

/** The same of those directories above `paths` that the uppers lack, asked while the caller waits for nothing else. */
export async function askHostXattrs(
  { port, ctx }: Pick<Transaction, 'port' | 'ctx'>,
  uppers: Uppers,
  paths: readonly BytePath[],
): Promise<(dir: BytePath) => string> {
  const lacking = [...allDirsTo(ctx, paths)].filter((dir) => uppers.lstat(dir) === null);
  const found = await port.askXattrs(lacking);
  const texts = new Map(lacking.map((dir, i) => [dir, found[i] ?? '']));
  return (dir) => texts.get(dir) ?? '';
}

/** Directories whose attributes differ between upper and host, so that the upper's is no mere copy-up. */
export function otherThanHost(port: FsPort, uppers: Uppers, dirs: readonly BytePath[]): BytePath[] {
  const texts = port.xattrsOf(dirs.flatMap((dir) => [dir, uppers.pathOf(dir)]));
  return dirs.filter((_, i) => {
    const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
    return host !== null && upper !== null && host !== upper;
  });
}
