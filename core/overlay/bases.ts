/**
 * Base records: what the host's entry was at its copy-up. They tell a call's changes from the host's later
 * ones. After each call, under the session's lock:
 *
 *     walk every upper:
 *       entry has a record       -> nothing
 *       entry is new             -> record the host's entry, if it is certainly the one that was copied up
 *                                   (seen.ts: unchanged since before the call, no directory above replaced)
 *                                   else record "unknown", a conflict where the host differs
 *       record without an entry  -> drop it
 *     append the changes to base.jsonl, with small text files as merge bases (base-file.ts)
 *
 * viewer.ts mounts the merged view read-only for questions that an upper alone does not answer, opaque.ts
 * finds opaque directories, prepare.ts provides the mount plan of a call.
 */
import { type BytePath, isBelowAny, joinPath, parentOf } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { type BaseRecord, type Bases, makeBases, wasDirectory } from '../../shared/model/base-record.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { hostEntry, isClosed, lstatEntry, namesOrNone, toHostStat } from '../kernel/fs/entry.ts';
import { inSlices } from '../kernel/fs/pace.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { areCopies } from '../kernel/fs/xattrs.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import type { SessionContext } from '../session/session-context.ts';
import { appendBases, type BaseFile, notePass, readBaseFile } from './base-file.ts';
import { copiedBase, copiedDirOf, knownBase, noteXattrs } from './base-of.ts';
import { hostTree } from './host-tree.ts';
import { hiddenNames, showsHost } from './opaque.ts';
import {
  type Above,
  aboveRoot,
  below,
  HostClocks,
  type RecordOptions,
  SeenWindow,
  UNSEEN,
  wasSeen,
} from './seen.ts';
import { openViewer, shownBy, type Viewer } from './viewer.ts';

export async function readBases(ctx: SessionContext): Promise<Bases> {
  const bases = makeBases(readBaseFile(ctx).records);
  return {
    lookup(path) {
      const base = bases.lookup(path);
      const covered = base.state === 'none' ? copiedDirOf(ctx, path) : undefined;
      return covered === undefined ? base : copiedBase(ctx, covered, path, null);
    },
  };
}

/** Required after each call, and after anything else that changes an upper (commit, discard, reap). */
export async function recordBases(ctx: LiveSession, options: RecordOptions = {}): Promise<{ added: number }> {
  const began = Date.now() - CLOCK_TICK_MS;
  const file = readBaseFile(ctx);
  const viewer = new EarlyViewer(ctx);
  const pass = new Pass(ctx, file, options, () => viewer.begin());
  try {
    for (const covered of ctx.coveredDirs) await inSlices(pass.walk(covered.path, covered.upper), never);
    while (pass.asked.length > 0) await inSlices(pass.askForCopies(), never);
    // A record that is replaced meanwhile keeps its base.
    const noted = noteXattrs(pass.taken.values());
    // Where the list fails first, nobody waits for it.
    noted.catch(() => {});
    if (pass.touched.length > 0) await inSlices(pass.listReplaced(await viewer.opened()), never);
    await noteXattrs(pass.taken.values(), await noted);
  } finally {
    await viewer.close();
  }
  const gone = pass.left();
  appendBases(ctx, file, [...gone.map((path): [BytePath, null] => [path, null]), ...pass.taken]);
  notePass(ctx, began);
  return { added: pass.taken.size };
}

const never = () => false;

/** Mounted while the pass goes on, as soon as it is sure to be asked. */
class EarlyViewer {
  readonly #ctx: SessionContext;
  #opening: Promise<Viewer> | null = null;
  #shown = 0;

  constructor(ctx: SessionContext) {
    this.#ctx = ctx;
  }

  begin(): void {
    if (this.#opening !== null) return;
    this.#shown = shownBy(this.#ctx).length;
    this.#opening = openViewer(this.#ctx);
    // Whoever asks gets the error.
    this.#opening.catch(() => {});
  }

  async opened(): Promise<Viewer> {
    // A live session has begun to write into another covered directory.
    if (this.#opening !== null && shownBy(this.#ctx).length !== this.#shown) {
      await this.close();
      this.#opening = null;
    }
    this.begin();
    return await (this.#opening as Promise<Viewer>);
  }

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.close();
  }
}

interface Touched {
  path: BytePath;
  upperPath: BytePath;
  /** The host has a directory here; otherwise names below could be reached through a link. */
  onHost: boolean;
  above: Above;
}

interface UpperEntry {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
  host: Stat | null;
  above: Above;
}

class Pass {
  readonly taken = new Map<BytePath, BaseRecord>();
  /** Directories new on both sides; the viewer tells which are opaque. */
  readonly touched: Touched[] = [];
  asked: UpperEntry[] = [];
  private readonly seen = new Set<BytePath>();
  /** Made since the last pass under a name that the upper had before, which may have hidden the host's. */
  private readonly hid = new Set<BytePath>();
  private readonly closed = new Set<string>();
  private readonly ctx: SessionContext;
  private readonly file: BaseFile;
  private readonly window: SeenWindow;
  private readonly clocks: HostClocks;
  /** Earlier records, also for names without one: below an opaque directory nothing was seen. */
  private readonly before: Bases;

  private readonly onTouched: () => void;

  constructor(ctx: SessionContext, file: BaseFile, options: RecordOptions, onTouched: () => void) {
    [this.ctx, this.file, this.onTouched] = [ctx, file, onTouched];
    this.window = new SeenWindow(ctx, file, options);
    this.clocks = new HostClocks(ctx);
    this.before = makeBases(file.records);
  }

  *walk(root: BytePath, upperRoot: BytePath): Generator<null, void> {
    this.seen.add(root);
    const upper = lstatEntry(upperRoot);
    if (upper !== null && isClosed(upper, this.ctx.root)) return void this.closed.add(root);
    const rootEntry = lstatEntry(root);
    const onHost = rootEntry?.type === 'dir';
    yield* this.directories([{ path: root, upperPath: upperRoot, onHost, above: aboveRoot(rootEntry) }]);
  }

  /** Asks overlayfs which entries are copy-ups: a made one may replace one that hid the host's changes. */
  *askForCopies(): Generator<null, void> {
    const asked = this.asked;
    this.asked = [];
    const answers = areCopies(asked.map(({ upperPath }) => upperPath));
    yield null;
    const stack: Touched[] = [];
    for (const { path, upperPath, upper, host, above } of asked.filter((_, i) => answers[i] === true)) {
      const listed = this.taken.get(path)?.listed === true;
      // The host had it, and removed it before this pass.
      const base = host === null ? ({ state: 'unknown' } as const) : knownBase(this.ctx, path, host, upper);
      this.take({ path, base, listed });
      if (host === null && upper.type === 'dir' && !isClosed(upper, this.ctx.root))
        stack.push({ path, upperPath, onHost: false, above });
    }
    yield* this.directories(stack);
  }

  private *directories(stack: Touched[]): Generator<null, void> {
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      yield null;
      for (const name of namesOrNone(at.upperPath)) {
        const path = joinPath(at.path, name);
        const upperPath = joinPath(at.upperPath, name);
        const upper = isExcluded(path, this.ctx.excluded) ? null : lstatEntry(upperPath);
        const host = upper !== null && at.onHost ? hostEntry(path) : null;
        if (upper === null) continue;
        // What is inaccessible on the host goes by existing records, or counts as removed.
        const known = host === 'closed' ? { host: null, above: UNSEEN } : { host, above: at.above };
        if (!(yield* this.entry({ path, upperPath, upper, ...known }))) continue;
        if (isClosed(upper, this.ctx.root)) continue;
        const onHost = known.host?.type === 'dir';
        const above = known.host !== null && onHost ? below(at.above, known.host) : known.above;
        stack.push({ path, upperPath, onHost, above: this.hid.has(path) ? UNSEEN : above });
      }
    }
  }

  *listReplaced(viewer: Viewer): Generator<null, void> {
    const unseen = new Set<string>();
    for (const { path, upperPath, above } of this.touched) {
      yield null;
      const present = new Set(namesOrNone(upperPath));
      const missing = namesOrNone(path).filter((name) => !present.has(name));
      const record = this.taken.get(path) ?? this.file.records.get(path);
      if (record === undefined || this.closed.has(path)) continue;
      const born = String(lstatEntry(upperPath)?.birthNs ?? 0n);
      const dir = { host: path, upper: upperPath };
      const hides = hiddenNames(viewer, dir, missing).length > 0;
      const shows = !hides && showsHost(viewer, dir);
      if (hides || record.born !== born || (record.shows ?? false) !== shows)
        this.take({ ...record, listed: record.listed || hides, born, shows });
      // This directory or its predecessor may have hidden what the host made since.
      const met = this.file.records.get(path);
      const blind = met !== undefined && !shows && ((met.born ?? born) === born || met.shows !== true);
      if (blind) unseen.add(path);
      if (!hides) continue;
      const made = lstatEntry(upperPath);
      if (made !== null) yield* this.listing(path, this.windowOf(path, made), blind ? UNSEEN : above);
    }
    if (unseen.size > 0) this.doubt(unseen);
  }

  /** New entries below these replace something that they may have hidden. */
  private doubt(dirs: ReadonlySet<string>): void {
    for (const { path, base, ...more } of this.taken.values())
      if (base.state === 'known' && !this.file.records.has(path) && isBelowAny(path, dirs))
        this.take({ path, base: { state: 'unknown' }, ...more });
  }

  left(): BytePath[] {
    const gone: BytePath[] = [];
    const listed = new Set<string>(this.closed);
    for (const record of [...this.file.records.values(), ...this.taken.values()]) {
      if (record.listed && this.seen.has(record.path)) listed.add(record.path);
    }
    for (const path of this.file.records.keys()) {
      if (!this.seen.has(path) && !this.taken.has(path) && !isBelowAny(path, listed)) gone.push(path);
    }
    return gone;
  }

  /** True when its directory is to be walked. */
  private *entry({ path, upperPath, upper, host, above }: UpperEntry): Generator<null, boolean> {
    this.seen.add(path);
    const isDir = upper.type === 'dir';
    const old = this.file.records.get(path);
    if (isClosed(upper, this.ctx.root)) this.closed.add(path);
    if (old !== undefined) return yield* this.again(old, { path, upperPath, upper, host, above });
    const copied = copiedDirOf(this.ctx, path);
    if (copied !== undefined) {
      this.take({ path, base: copiedBase(this.ctx, copied, path, upper), listed: false });
      return false;
    }
    const birth = upper.birthNs - this.clocks.lag(path);
    const hidden = this.before.lookup(path).state === 'absent';
    if (host === null || hidden) {
      this.take({ path, base: { state: 'absent' }, listed: false });
      if (!hidden && above.ctimeNs >= birth && !isWhiteout(upper))
        this.asked.push({ path, upperPath, upper, host, above });
      return false;
    }
    yield null;
    const window = this.windowOf(path, upper);
    const gone = host.type === 'dir' && !isDir;
    const seen = wasSeen(host, window, window, above);
    const base = seen ? knownBase(this.ctx, path, host, upper) : ({ state: 'unknown' } as const);
    const both = isDir && host.type === 'dir';
    this.take({ path, base, listed: gone, ...(both && { born: String(upper.birthNs) }) });
    // A directory's copy-up stays where it was made. A file's may have been moved here, over an earlier one
    // that hid this change of the host.
    if (!seen && both && wasSeen(host, birth, window, above))
      this.asked.push({ path, upperPath, upper, host, above });
    if (gone) yield* this.listing(path, window, below(above, host));
    if (both) this.touch({ path, upperPath, onHost: true, above: below(above, host) });
    // If the host had a directory at the copy-up, a later one's times say nothing about its entries.
    return isDir && wasDirectory(base);
  }

  /** Has a record. True when its directory is to be walked. */
  private *again(
    old: BaseRecord,
    { path, upperPath, upper, host, above }: UpperEntry,
  ): Generator<null, boolean> {
    const isDir = upper.type === 'dir';
    if (host?.type === 'dir' && !old.listed) {
      // Deleted, or replaced by a file: what it hides goes by existing records and the host's present state.
      if (!isDir && wasDirectory(old.base)) {
        this.take({ ...old, listed: true });
        // The former entry may have hidden what the host made.
        const shown = old.shows === true ? below(above, host) : UNSEEN;
        yield* this.listing(path, this.windowOf(path, upper), shown);
      } else if (isDir && old.base.state !== 'absent')
        // Below a directory that the host did not have nothing needs a record.
        this.touch({ path, upperPath, onHost: true, above: below(above, host) });
    } else if (host?.type !== 'dir' && old.shows === true && !(isDir && old.born === String(upper.birthNs)))
      // Deleted or made opaque while the host has nothing here that it could visibly hide.
      this.take({ ...old, shows: false });
    if (isDir && old.base.state === 'unknown' && upper.birthNs > this.file.lastPassNs) this.hid.add(path);
    return isDir && wasDirectory(old.base);
  }

  private windowOf(path: BytePath, upper: Stat): bigint {
    return this.window.of(upper) - this.clocks.lag(path);
  }

  private *listing(dir: BytePath, window: bigint, above: Above): Generator<null, void> {
    const host = lstatEntry(dir);
    if (host?.type !== 'dir') return;
    const dirs = new Map<BytePath, Above>([[dir, above]]);
    const look = { skip: (path: BytePath) => isExcluded(path, this.ctx.excluded), onProblem: () => {} };
    for (const node of hostTree(dir, host.dev, look)) {
      if (node === null) yield null;
      const holder = node === null ? above : (dirs.get(parentOf(node.path)) ?? above);
      if (node?.entry.type === 'dir') dirs.set(node.path, below(holder, node.entry));
      if (node === null || this.taken.has(node.path)) continue;
      if (this.before.lookup(node.path).state !== 'none') continue;
      const known = wasSeen(node.entry, window, window, holder);
      const base: BaseRecord['base'] = known
        ? { state: 'known', host: toHostStat(node.entry, node.path) }
        : { state: 'unknown' };
      this.take({ path: node.path, base, listed: false });
    }
  }

  private touch(dir: Touched): void {
    this.touched.push(dir);
    this.onTouched();
  }

  private take(record: BaseRecord): void {
    this.taken.set(record.path, record);
  }
}
