/**
 * What an undo takes off the host becomes pending again, so that the merged view stays the same. In a live
 * session core/live-sync/pend.ts makes it pending before `ready`, and nothing waits in `back/`. In a quiet one:
 *
 *     before `ready`    PendingPlan     what the uppers need for that
 *                       stagePending    copies it to `back/` of the transaction, unless its unit moves it there
 *     after `applied`   insertPending   renames it into the uppers of a quiet session (insert-pending.ts)
 *
 * A version that an upper already has stays, and the host's stays in `back/`: what the host has changed since, and what
 * was committed, where a later call has changed it.
 */

import { type BytePath, isBelowAny, isWithin, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { type Dirs, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { lstatEntry } from '../../kernel/fs/entry.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { birthOf, identityOf, isSame, looksAlike } from '../../kernel/fs/fingerprint.ts';
import { at, type FsPort, type Stat, withHandleAsync } from '../../kernel/fs/port.ts';
import { askXattrNames } from '../../kernel/fs/xattrs.ts';
import { openViewer, type Viewer } from '../../overlay/viewer.ts';
import {
  type CoveredDir,
  coveringDir,
  type SessionContext,
  upperPathIn,
} from '../../session/session-context.ts';
import type { CommitRecord, Transaction } from '../journal/journal.ts';
import type { PendingLine } from '../journal/lines.ts';
import { entriesOf } from '../journal/unit.ts';
import { deletionNotPending, manyFileSystems } from '../messages/errors.ts';
import { MEANWHILE, notPending } from '../messages/reasons.ts';
import { BACK } from '../stage/areas.ts';
import { copyOut, isWholeCopy } from '../stage/copy.ts';
import { makeParents as makeCopyParents } from '../stage/stage.ts';
import { allDirsTo, type Uppers } from '../stage/uppers.ts';

export const WHITEOUT = 'w' as BytePath;

/** An entry of the host that an undo replaces or removes (`now` is null where it puts something back). */
export interface Displaced {
  i: number;
  path: BytePath;
  now: Stat | null;
  /** Only its mode and owner; the entries of a directory stay. */
  alone: boolean;
  /** Moved by a rename to where a copy would wait; see undo/stage-undo.ts. */
  moves?: true;
  below: readonly BytePath[];
}

export interface Item {
  line: PendingLine;
  now: Stat | null;
  moves: boolean;
}

export class PendingPlan {
  items: Item[] = [];
  readonly failed = new Map<number, string>();
  readonly #port: FsPort;
  readonly #ctx: SessionContext;
  readonly #dirs: Dirs;
  readonly #uppers: Uppers;
  readonly #commit: CommitRecord;
  readonly #changed: ReadonlySet<BytePath>;
  #copies: ReadonlyMap<BytePath, string | null> | null = null;
  readonly #opaque = new Map<BytePath, boolean>();
  readonly #hidden = new Map<BytePath, boolean>();
  /** Directories that no upper has. */
  readonly #missing = new Set<BytePath>();
  #viewer: Viewer | null = null;

  /** @param changed what the host changed since the commit, so that no session has it */
  constructor(
    { port, ctx, dirs, uppers }: { port: FsPort; ctx: SessionContext; dirs: Dirs; uppers: Uppers },
    commit: CommitRecord,
    changed: ReadonlySet<BytePath>,
  ) {
    this.#port = port;
    this.#ctx = ctx;
    this.#dirs = dirs;
    this.#uppers = uppers;
    this.#commit = commit;
    this.#changed = changed;
  }

  /** Adds what the uppers need to show `displaced`. On an error only its unit fails. */
  async add(displaced: Displaced): Promise<void> {
    const { path, i } = displaced;
    const before = this.items.length;
    try {
      if (coveringDir(this.#ctx.coveredDirs, path) === null) return;
      if (await this.#isHidden(parentOf(path))) this.#keep(displaced);
      else await this.#add(displaced);
    } catch (error) {
      const message = entryMessage(error);
      if (message === null) throw error;
      this.items.length = before;
      this.failed.set(i, message);
    }
  }

  /** Whether `add` would copy all of it: no upper has an entry there or hides the host's. */
  async isWhole(path: BytePath): Promise<boolean> {
    if (coveringDir(this.#ctx.coveredDirs, path) === null || this.#uppers.lstat(path) !== null) return false;
    return !(await this.#isHidden(parentOf(path)));
  }

  /** After the last `add`. A whiteout in an opaque directory hides nothing, and is listed as a name without an entry. */
  async dropNeedless(): Promise<void> {
    const isDeletion = ({ line }: Item) => line.kind === 'whiteout';
    const opaque = await markedOpaque(this.#ctx, this.items.filter(isDeletion));
    this.items = this.items.filter((item) => !isDeletion(item) || !isBelowAny(item.line.path, opaque));
  }

  async close(): Promise<void> {
    await this.#viewer?.close();
    this.#viewer = null;
  }

  async #add(displaced: Displaced): Promise<void> {
    const { i, path, now, alone, below, moves } = displaced;
    const upper = this.#missing.has(parentOf(path)) ? null : this.#uppers.lstatHere(path);
    if (upper === null) {
      const kind = now === null ? 'whiteout' : alone && now.type === 'dir' ? 'dir' : 'copy';
      this.#push({ i, path, kind }, now, moves);
      return;
    }
    if (alone) return;
    if (upper.type !== 'dir') return this.#keep(displaced);
    if (now?.type !== 'dir') {
      this.#keep(displaced);
      return this.#hide(i, below);
    }
    if (await this.#isOpaque(path)) return this.#keep(displaced);
    for (const name of this.#port.readdir(at(this.#dirs.openToList(path)))) {
      const inside = joinPath(path, name);
      await this.#add({ i, path: inside, now: this.#dirs.lstat(inside), alone: false, below: [] });
    }
  }

  #push(
    about: Pick<PendingLine, 'i' | 'path' | 'kind' | 'stays' | 'later'>,
    now: Stat | null,
    moves = false,
  ): void {
    const { mode, uid, gid, mtimeNs } = now ?? { mode: 0, uid: 0, gid: 0, mtimeNs: 0n };
    const mtime = String(mtimeNs);
    const line: PendingLine = { t: 'pending', ...about, born: null, mode, uid, gid, mtime };
    this.items.push({ line, now, moves });
  }

  /** Keeps in `back/` what the host loses, where the session has a version of its own. */
  #keep({ i, path, now, alone, moves }: Displaced): void {
    if (!alone && now !== null) this.#keepBelow(i, path, now, moves);
  }

  #keepBelow(i: number, path: BytePath, now: Stat, moves?: true): void {
    const keep = { i, path, kind: 'copy', stays: true } as const;
    const all = this.#changed;
    if (all.has(path) || isBelowAny(path, all)) {
      this.#push(keep, now);
      return;
    }
    const upper = this.#uppers.lstat(path);
    if (now.type !== 'dir') {
      if (!this.#isCopy(path, upper)) this.#push({ ...keep, later: true }, now, moves);
      return;
    }
    const names = this.#port.readdir(at(this.#dirs.openToList(path)));
    const isWhole = upper?.type !== 'dir' && ![...all].some((one) => isWithin(one, path));
    if (isWhole && names.length > 0) this.#push({ ...keep, later: true }, now);
    for (const name of isWhole ? [] : names) {
      const inside = joinPath(path, name);
      const stat = this.#dirs.lstat(inside);
      if (stat !== null) this.#keepBelow(i, inside, stat);
    }
  }

  /** Whether it is what was committed, and has stayed in the upper since because the session was live. */
  #isCopy(path: BytePath, upper: Stat | null): boolean {
    this.#copies ??= new Map(this.#commit.units.flatMap(entriesOf).map((entry) => [entry.path, entry.id]));
    return upper !== null && isSame(this.#copies.get(path) ?? null, upper);
  }

  /** Whiteouts for what the host gets back below a directory of the session's that is not opaque. */
  #hide(i: number, paths: readonly BytePath[]): void {
    const hidden = new Set<BytePath>();
    for (const path of paths) {
      const upper = hidden.has(parentOf(path)) ? undefined : this.#uppers.lstat(path);
      if (upper?.type === 'dir') continue;
      hidden.add(path);
      if (upper === null) this.#push({ i, path, kind: 'whiteout' }, null);
    }
  }

  /** Whether an upper hides the host's entries in `dir`, by `dir` itself or a directory above. */
  async #isHidden(dir: BytePath): Promise<boolean> {
    const known = this.#hidden.get(dir);
    if (known !== undefined) return known;
    const root = coveringDir(this.#ctx.coveredDirs, dir)?.path;
    if (root === undefined || dir === root) return false;
    const upper = this.#uppers.lstat(dir);
    if (upper === null) this.#missing.add(dir);
    const hides = upper !== null && (upper.type !== 'dir' || (await this.#isOpaque(dir)));
    const hidden = hides || (await this.#isHidden(parentOf(dir)));
    this.#hidden.set(dir, hidden);
    return hidden;
  }

  /** False in doubt: being pending twice loses nothing. See showsHost() for the link counts. */
  async #isOpaque(dir: BytePath): Promise<boolean> {
    const known = this.#opaque.get(dir);
    if (known !== undefined) return known;
    this.#viewer ??= await openViewer(this.#ctx);
    const upper = upperPathIn(this.#ctx.coveredDirs, dir);
    const own = upper === null ? null : lstatEntry(upper);
    const view = lstatEntry(this.#viewer.pathOf(dir));
    const opaque = own !== null && own.nlink >= 2 && view !== null && view.nlink > 1;
    this.#opaque.set(dir, opaque);
    return opaque;
  }
}

/**
 * Those of the uppers' directories above the items. By the mark, since a link count (`showsHost`) tells nothing where
 * the host has no directory yet.
 */
async function markedOpaque(ctx: SessionContext, items: readonly Item[]): Promise<Set<BytePath>> {
  const above = [
    ...allDirsTo(
      ctx,
      items.map(({ line }) => line.path),
    ),
  ];
  if (above.length === 0) return new Set();
  const uppers = above.map((dir) => upperPathIn(ctx.coveredDirs, dir) ?? dir);
  const { names } = await askXattrNames({ whole: [], alone: uppers });
  const isOpaque = (upper = '/' as BytePath) =>
    names.get(upper)?.some((name) => /\.overlay\.opaque$/.test(name)) === true;
  return new Set(above.filter((_, i) => isOpaque(uppers[i])));
}

/**
 * Makes the copies; returns the units that failed. @param instead path -> directory of what to copy instead
 */
export async function stagePending(
  { port, ctx, journal }: Transaction,
  items: readonly Item[],
  instead: ReadonlyMap<BytePath, BytePath>,
): Promise<Map<number, string>> {
  const failed = new Map<number, string>();
  if (items.length === 0) return failed;
  const dirs = items.map(({ line }) => line).filter(({ kind }) => kind === 'dir');
  port.xattrsOf(dirs.map(({ path }) => path)).forEach((text, i) => {
    const line = dirs[i];
    if (line !== undefined && text !== null && text !== '') line.xattrs = text;
  });
  const back = joinPath(journal.dir, BACK);
  if (items.some(({ line, moves }) => line.kind === 'copy' && !moves)) journal.syncBegin();
  port.mkdir(back, 0o700);
  expectOneFileSystem(port, ctx, back);
  if (items.some(({ line }) => line.kind === 'whiteout')) await makeWhiteout(port, back);
  for (const covered of ctx.coveredDirs) {
    const mine = items.filter(
      ({ line: { kind, path } }) => kind === 'copy' && coveringDir(ctx.coveredDirs, path) === covered,
    );
    if (mine.length === 0) continue;
    const dir = joinPath(back, String(covered.n));
    port.mkdir(dir, 0o700);
    await withHandleAsync(port, port.openDir(dir), async (fd) => {
      await copyItems(port, { covered, items: mine, fd, instead }, failed);
    });
  }
  return failed;
}

interface Copying {
  covered: CoveredDir;
  items: readonly Item[];
  fd: number;
  instead: ReadonlyMap<BytePath, BytePath>;
}

async function copyItems(
  port: FsPort,
  { covered, items, fd, instead }: Copying,
  failed: Map<number, string>,
): Promise<void> {
  const nameIn = ({ line }: Item) => relativeTo(covered.path, line.path);
  const copied = items.filter(({ moves }) => !moves);
  makeCopyParents(port, fd, items.map(nameIn));
  const own = copied.filter(({ line }) => !instead.has(line.path)).map(nameIn);
  let complaint = own.length === 0 ? '' : await copyOut(port, covered.path, own, fd);
  for (const item of items) {
    const { path } = item.line;
    const dir = instead.get(path);
    if (dir === undefined) continue;
    // The dot: the descriptor's own name is a symbolic link, which openDir does not follow.
    const holder = at(fd, `.${parentOf(`/${nameIn(item)}` as BytePath)}`);
    await withHandleAsync(port, port.openDir(holder), async (to) => {
      complaint += await copyOut(port, dir, [nameOf(path)], to);
    });
  }
  const sourceOf = (path: BytePath) => {
    const dir = instead.get(path);
    return dir === undefined ? path : joinPath(dir, nameOf(path));
  };
  const fails = ({ line }: Item, why: string) => failed.set(line.i, notPending(why));
  for (const item of items) {
    const { line, now, moves } = item;
    const from = instead.has(line.path) ? port.lstat(sourceOf(line.path)) : now;
    const copy = moves ? from : port.lstat(at(fd, nameIn(item)));
    // What moves is its own copy.
    const isAlike = copy !== null && from !== null && (moves || looksAlike(identityOf(from), copy));
    if (isAlike) line.born = birthOf(copy);
    else fails(item, complaint || MEANWHILE);
  }
  if (complaint === '') return;
  for (const item of copied)
    if (!failed.has(item.line.i) && !isWholeCopy(port, sourceOf(item.line.path), at(fd, nameIn(item))))
      fails(item, complaint);
}

function expectOneFileSystem(port: FsPort, ctx: SessionContext, dir: BytePath): void {
  const dev = port.lstat(dir)?.dev;
  for (const { upper } of ctx.coveredDirs) {
    const there = port.lstat(upper)?.dev;
    if (there !== undefined && there !== dev) throw manyFileSystems();
  }
}

/** Any user may make this device (since Linux 5.8); other whiteouts are links of it. */
export async function makeWhiteout(port: FsPort, dir: BytePath): Promise<void> {
  const script = 'IFS= read -r -d "" path; exec mknod -- "$path" c 0 0';
  const input = Buffer.from(`${joinPath(dir, WHITEOUT)}\0`, 'latin1');
  const { status, stderr } = await port.run('bash', ['--norc', '-c', script], input, []);
  if (status !== 0) throw deletionNotPending(stderr.trim());
}
