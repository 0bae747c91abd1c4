/**
 * Entries in and out of an upper. An undo makes pending again what it takes off the host (back.ts: the copies are durable
 * before the host is touched, and renamed into the uppers afterwards); a discard of a part takes entries out (take-out.ts);
 * fresh-overlay.ts makes an empty overlay. Where an upper has a version of a path already, that stays, and the host's stays
 * in `back/`.
 */
import { type BytePath, isBelowAny, isWithin, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { type Dirs, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { lstatEntry } from '../../kernel/fs/entry.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { at, type FsPort, type Stat } from '../../kernel/fs/port.ts';
import { birthOf, identityOf, looksAlike } from '../../kernel/fs/stat-identity.ts';
import { openViewer, type Viewer } from '../../overlay/viewer.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../../session/session-context.ts';
import { commitDir, type Journal } from '../journal/journal.ts';
import type { BackLine } from '../journal/lines.ts';
import { BACK, upperPath } from '../stage/areas.ts';
import { copyOut, isWholeCopy } from '../stage/copy.ts';
import { makeParents } from '../stage/stage.ts';
import type { Uppers } from '../stage/uppers.ts';

export const WHITEOUT = 'w' as BytePath;

/** A path whose view an undo would change: what the host has there now; null = nothing. */
export interface Shown {
  /** Index of the undo's unit. */
  i: number;
  path: BytePath;
  now: Stat | null;
  /** Only its mode and owner: what is in a directory stays. */
  alone: boolean;
  /** Its directory is renamed to where a copy would wait; see undo-trees.ts. */
  moves?: true;
  /** What the host will have below it again, parents first. */
  below: readonly BytePath[];
}

export class BackPlan {
  readonly items: (BackLine & { now: Stat | null; moves: boolean })[] = [];
  /** Units of which not all could be looked at, and why. */
  readonly failed = new Map<number, string>();
  readonly #ctx: SessionContext;
  readonly #port: FsPort;
  readonly #dirs: Dirs;
  readonly #uppers: Uppers;
  #viewer: Viewer | null = null;
  readonly #opaque = new Map<BytePath, boolean>();
  readonly #changed: ReadonlySet<BytePath>;

  /** @param changed what the host changed since the commit: no session has it */
  constructor(
    port: FsPort,
    ctx: SessionContext,
    dirs: Dirs,
    uppers: Uppers,
    changed: ReadonlySet<BytePath> = new Set(),
  ) {
    this.#port = port;
    this.#ctx = ctx;
    this.#dirs = dirs;
    this.#uppers = uppers;
    this.#changed = changed;
  }

  /** Adds what has to go into the uppers so that `shown` stays as the session sees it. */
  async add(shown: Shown): Promise<void> {
    if (coveringDir(this.#ctx.coveredDirs, shown.path) === null) return;
    if (await this.#isHidden(parentOf(shown.path))) this.#keep(shown);
    else await this.#add(shown);
  }

  /** `add`; what can't be looked at fails alone. */
  async addAlone(shown: Shown): Promise<void> {
    const before = this.items.length;
    try {
      await this.add(shown);
    } catch (error) {
      const message = entryMessage(error);
      if (message === null) throw error;
      this.items.length = before;
      this.failed.set(shown.i, message);
    }
  }

  /** Whether `add` would take the whole of it: no upper says anything of it, nor hides what the host has there. */
  async isWhole(path: BytePath): Promise<boolean> {
    if (coveringDir(this.#ctx.coveredDirs, path) === null || this.#uppers.lstat(path) !== null) return false;
    return !(await this.#isHidden(parentOf(path)));
  }

  async close(): Promise<void> {
    await this.#viewer?.close();
    this.#viewer = null;
  }

  async #add(shown: Shown): Promise<void> {
    const { i, path, now, alone, below, moves } = shown;
    const upper = this.#uppers.lstat(path);
    if (upper === null) {
      const { mode, uid, gid, mtimeNs } = now ?? { mode: 0, uid: 0, gid: 0, mtimeNs: 0n };
      const kind = now === null ? 'whiteout' : alone && now.type === 'dir' ? 'dir' : 'copy';
      const of = { t: 'back', i, path, kind, born: null } as const;
      this.items.push({ ...of, mode, uid, gid, mtime: String(mtimeNs), now, moves: moves === true });
      return;
    }
    if (alone) return;
    if (upper.type !== 'dir') return this.#keep(shown);
    if (now?.type !== 'dir') {
      this.#keep(shown);
      return this.#hide(i, below);
    }
    if (await this.#isOpaque(path)) return this.#keep(shown);
    for (const name of this.#port.readdir(at(this.#dirs.openToList(path)))) {
      const inside = joinPath(path, name);
      await this.#add({ i, path: inside, now: this.#dirs.lstat(inside), alone: false, below: [] });
    }
  }

  /** What the host changed since, where the session shows something else: copied, but for no upper. */
  #keep({ i, path, now, alone }: Shown): void {
    if (alone || now === null || this.#changed.size === 0) return;
    const all = this.#changed;
    const inside =
      all.has(path) || isBelowAny(path, all)
        ? [path]
        : [...all].filter((one) => isWithin(one, path) && !isBelowAny(one, all));
    for (const one of inside) {
      const stat = this.#dirs.lstat(one);
      if (stat === null) continue;
      const { mode, uid, gid, mtimeNs } = stat;
      const of = { t: 'back', i, path: one, kind: 'copy', stays: true, born: null } as const;
      this.items.push({ ...of, mode, uid, gid, mtime: String(mtimeNs), now: stat, moves: false });
    }
  }

  /** A directory that the session has made since need not hide what the host has in one of that name. */
  #hide(i: number, paths: readonly BytePath[]): void {
    const hidden = new Set<BytePath>();
    for (const path of paths) {
      const upper = hidden.has(parentOf(path)) ? undefined : this.#uppers.lstat(path);
      if (upper?.type === 'dir') continue;
      hidden.add(path);
      if (upper !== null) continue;
      const none = { mode: 0, uid: 0, gid: 0, mtime: '0', now: null, moves: false };
      this.items.push({ t: 'back', i, path, kind: 'whiteout', born: null, ...none });
    }
  }

  /** Whether an upper says of `dir`, or of a directory above it, that nothing of the host's shows below. */
  async #isHidden(dir: BytePath): Promise<boolean> {
    const root = coveringDir(this.#ctx.coveredDirs, dir)?.path;
    for (let path = dir; root !== undefined && path !== root && isWithin(path, root); path = parentOf(path)) {
      const upper = this.#uppers.lstat(path);
      if (upper !== null && (upper.type !== 'dir' || (await this.#isOpaque(path)))) return true;
    }
    return false;
  }

  /** In doubt it is not: what is pending twice is lost by nobody. See showsHost() for the link counts. */
  async #isOpaque(dir: BytePath): Promise<boolean> {
    const known = this.#opaque.get(dir);
    if (known !== undefined) return known;
    this.#viewer ??= await openViewer(this.#ctx);
    const upper = upperPath(this.#ctx.coveredDirs, dir);
    const own = upper === null ? null : lstatEntry(upper);
    const view = lstatEntry(this.#viewer.pathOf(dir));
    const opaque = own !== null && own.nlink >= 2 && view !== null && view.nlink > 1;
    this.#opaque.set(dir, opaque);
    return opaque;
  }
}

/**
 * Makes the copies and writes the lines of `items` down.
 *
 * @param instead of what the host has there: by path, the directory with what is to be pending
 *
 * @returns units of which something could not be copied, with the reason
 */
export async function stageBack(
  port: FsPort,
  ctx: SessionContext,
  journal: Journal,
  items: BackPlan['items'],
  instead: ReadonlyMap<BytePath, BytePath> = new Map(),
): Promise<Map<number, string>> {
  const failed = new Map<number, string>();
  if (items.length === 0) return failed;
  const dirs = items.filter(({ kind }) => kind === 'dir');
  port.xattrsOf(dirs.map(({ path }) => path)).forEach((text, i) => {
    const item = dirs[i];
    if (item !== undefined && text !== null && text !== '') item.xattrs = text;
  });
  const dir = joinPath(commitDir(ctx, journal.record.n), BACK);
  port.mkdir(dir, 0o700);
  expectOneFileSystem(port, ctx, dir);
  if (items.some(({ kind }) => kind === 'whiteout')) await makeWhiteout(port, dir);
  for (const covered of ctx.coveredDirs) {
    const mine = items.filter(
      ({ path, kind }) => kind === 'copy' && coveringDir(ctx.coveredDirs, path) === covered,
    );
    if (mine.length === 0) continue;
    const fd = openPart(port, dir, covered);
    try {
      const names = mine.map(({ path }) => relativeTo(covered.path, path));
      makeParents(port, fd, names);
      const own = mine
        .filter(({ path, moves }) => !moves && !instead.has(path))
        .map(({ path }) => relativeTo(covered.path, path));
      let complaint = own.length === 0 ? '' : await copyOut(port, covered.path, own, fd);
      const sources = new Map<BytePath, Stat | null>();
      for (const { path } of mine) {
        const dir = instead.get(path);
        if (dir === undefined) continue;
        // The dot: the descriptor's own name is a link, which openDir does not follow.
        const to = port.openDir(at(fd, `.${parentOf(`/${relativeTo(covered.path, path)}` as BytePath)}`));
        try {
          complaint += await copyOut(port, dir, [nameOf(path)], to);
        } finally {
          port.close(to);
        }
        sources.set(path, port.lstat(joinPath(dir, nameOf(path))));
      }
      mine.forEach((item, k) => {
        if (item.moves) {
          item.born = item.now === null ? null : birthOf(item.now);
          return;
        }
        const copy = port.lstat(at(fd, names[k] ?? ''));
        const from = sources.has(item.path) ? (sources.get(item.path) ?? null) : item.now;
        if (copy !== null && from !== null && looksAlike(identityOf(from), copy)) item.born = birthOf(copy);
        else failed.set(item.i, `it could not be kept as pending: ${complaint || 'it changed meanwhile'}`);
      });
      if (complaint === '') continue;
      for (const [k, { i, path, moves }] of mine.entries()) {
        if (moves || failed.has(i)) continue;
        const other = instead.get(path);
        const from = other === undefined ? path : joinPath(other, nameOf(path));
        if (!isWholeCopy(port, from, at(fd, names[k] ?? '')))
          failed.set(i, `it could not be kept as pending: ${complaint}`);
      }
    } finally {
      port.close(fd);
    }
  }
  return failed;
}

function openPart(port: FsPort, dir: BytePath, { n }: CoveredDir): number {
  const part = joinPath(dir, String(n));
  port.mkdir(part, 0o700);
  return port.openDir(part);
}

function expectOneFileSystem(port: FsPort, ctx: SessionContext, dir: BytePath): void {
  const dev = port.lstat(dir)?.dev;
  for (const { upper } of ctx.coveredDirs) {
    const there = port.lstat(upper)?.dev;
    if (there !== undefined && there !== dev)
      throw new TraiError(
        'unsupported',
        'expected the overlay and the commits of the session on one file system',
      );
  }
}

/** Any user may make this one device (Linux 5.8); all others are links of it. */
async function makeWhiteout(port: FsPort, dir: BytePath): Promise<void> {
  const script = 'IFS= read -r -d "" path; exec mknod -- "$path" c 0 0';
  const input = Buffer.from(`${joinPath(dir, WHITEOUT)}\0`, 'latin1');
  const { status, stderr } = await port.run('bash', ['--norc', '-c', script], input, []);
  if (status !== 0) throw new TraiError('io', `A deletion can't be made pending again: ${stderr.trim()}`);
}
