/**
 * Stages an undo (`staging` to `ready`):
 *
 *     assemble     put together beside its target what is put back, from the commit's before-images; a file whose
 *                  before-image is the old inode goes back by one rename
 *     plan units   what goes back; what goes away, children first or as one moved tree; modes
 *     pending      copy what the host has now to `back/` (upper/pending-again.ts)
 *     journal the units, sync everything
 *
 * A directory that the commit moved (stage/moves.ts) is moved by one rename into `back/`, and from there into
 * the upper. Only where it is proven that nothing has changed in it and that no process will write to it:
 *
 * - every entry has its fingerprint, change time included, and no name was added or removed (reversal.ts): so
 *   content, modes, attributes and labels are those that the commit has proven;
 * - nothing is pending at its path, the session is quiet, and host directory and `back/` are on one mount,
 *   with no mount point inside;
 * - no name outside leads to one of its files;
 * - no process that we can inspect has a file of it open for writing, or works in it.
 *
 * The rename checks all of it once more (upper/take-tree.ts). What can't be proven is copied. A file that is replaced goes the
 * same way by a link and a rename, as long as it is as the commit left it and nobody has it open for writing.
 */

import { type BytePath, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { Beside, EntryFailure } from '../../../shared/model/commit.ts';
import { chmodEntry, Dirs, dressDir, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { refusalOf } from '../../kernel/fs/entry-errors.ts';
import { birthOf, fingerprint, identityOf, looksAlike, typeOf } from '../../kernel/fs/fingerprint.ts';
import { mountOf, ownMounts } from '../../kernel/fs/mounts.ts';
import { Pace } from '../../kernel/fs/pace.ts';
import {
  at,
  type FsPort,
  orIfRefused,
  type Stat,
  useAndCloseAsync,
  withHandleAsync,
} from '../../kernel/fs/port.ts';
import { heldForWriting, type InodeTree, treesInUse } from '../../kernel/proc/open-files.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import { BEFORE, copiedImage, imageName, imageOf, topsOf } from '../apply/images.ts';
import {
  type CommitRecord,
  commitDir,
  commitsDir,
  nextNumber,
  type Transaction,
} from '../journal/journal.ts';
import {
  entriesOf,
  type HostResult,
  hostOf,
  type MetaUnit,
  type PutUnit,
  replacedBelow,
  type SwapUnit,
  type Unit,
} from '../journal/unit.ts';
import { undoWhileLive } from '../messages/errors.ts';
import { beforeImageChanged } from '../messages/reasons.ts';
import { type Area, asideName, BACK, waitingAt } from '../stage/areas.ts';
import { copyOut } from '../stage/copy.ts';
import { beforeMerge } from '../stage/merged-before.ts';
import { hasAllNames, mayMove } from '../stage/moves.ts';
import { makeParents, type Staging } from '../stage/stage.ts';
import { Uppers } from '../stage/uppers.ts';
import { type Displaced, type Item, PendingPlan, stagePending } from '../upper/pending-again.ts';
import type { Meta, Remove, Restore, Reversal, Tree } from './reversal.ts';

/**
 * Makes items pending in the merged view of a live session, while the host still has what they show. Returns the
 * units that failed, with the reason. @param losing the directories that the host will not have any more
 */
export type PendLive = (
  transaction: Transaction,
  items: readonly Item[],
  instead: ReadonlyMap<BytePath, BytePath>,
  losing: readonly Displaced[],
) => Promise<Map<number, string>>;

export async function stageUndo(
  work: Staging,
  commit: CommitRecord,
  reversal: Reversal,
  pendLive?: PendLive,
): Promise<void> {
  const { port, ctx, journal, areas, pace } = work;
  const refused: EntryFailure[] = [...reversal.unable];
  const puts = await assembleAll(work, commit, reversal, refused);
  const changed = new Set(reversal.conflicts.map(({ path }) => path));
  const instead = beforeMerge(port, ctx, commit);
  // If the host has changed a merge since, its version becomes pending; the sandbox's stays behind.
  for (const path of changed) instead.delete(path);
  const pending = new PendingPlan(work, commit, changed);
  let planned: Planned[];
  try {
    const trees = ctx.quiet ? await movableTrees(work, pending, reversal) : [];
    const files = ctx.quiet ? movableFiles(work, puts, (path) => changed.has(path) || instead.has(path)) : [];
    planned = planUnits(work, reversal, puts, { trees, files: new Set(files) });
    for (const { displaced } of planned) {
      await pace.breathe();
      if (displaced !== null) await pending.add(displaced);
    }
    await pending.dropNeedless();
    // What the sandbox had before a merge stays behind, too, where a later call has changed the merge.
    for (const { line } of pending.items) if (line.stays === true) instead.delete(line.path);
  } finally {
    await pending.close();
  }
  const losing = planned.flatMap(({ displaced }) =>
    displaced?.now?.type === 'dir' && !displaced.alone ? [displaced] : [],
  );
  const pend = ctx.quiet || pending.items.length + losing.length === 0 ? stagePending : pendLive;
  if (pend === undefined) throw undoWhileLive();
  // Where the session has a version of its own, nothing becomes pending.
  const moving = new Set(pending.items.filter(({ moves }) => moves).map(({ line }) => line.i));
  for (const { unit } of planned) if (unit.kind === 'put' && moving.has(unit.i)) unit.image = 'back';
  const failed = await pend(work, pending.items, instead, losing);
  for (const [i, message] of pending.failed) failed.set(i, message);
  const messageOf = ({ unit, top }: Planned) => failed.get(unit.i) ?? failed.get(top);
  for (const one of planned) {
    const message = messageOf(one);
    if (message === undefined) journal.add(one.unit);
    else refused.push({ path: one.unit.path, message });
  }
  for (const { line } of pending.items) journal.add(line);
  journal.add({ t: 'refused', entries: refused });
  await areas.sync([journal.dir]);
  journal.addSynced({ t: 'ready', units: journal.record.units.length });
}

async function movableTrees(
  { port, ctx }: Transaction,
  pending: PendingPlan,
  { trees }: Reversal,
): Promise<Tree[]> {
  if (trees.length === 0 || !mayMove(port, ctx)) return [];
  const own = mountOf(port, commitsDir(ctx));
  const points = ownMounts().map(({ point }) => point);
  const found = new Map<InodeTree, Tree>();
  for (const tree of trees) {
    const { path } = tree.unit;
    const isFree = () =>
      isOurs(ctx, tree.now) &&
      hasAllNames(tree.stats) &&
      mountOf(port, parentOf(path)) === own &&
      !points.some((point) => isWithin(point, path));
    if (orIfRefused(isFree, false) && (await pending.isWhole(path))) found.set(inodesOf(tree), tree);
  }
  for (const used of treesInUse([...found.keys()])) found.delete(used);
  return [...found.values()];
}

/**
 * Those of which the host's file itself becomes pending. One that a process writes to is copied; what one opens later
 * stays with the session, which loses no byte.
 */
function movableFiles(
  { port, ctx }: Transaction,
  puts: readonly Put[],
  isOther: (path: BytePath) => boolean,
): BytePath[] {
  if (!mayMove(port, ctx)) return [];
  const own = mountOf(port, commitsDir(ctx));
  const near = new Map<BytePath, boolean>();
  const candidates = puts.flatMap(({ restore: { path, now, units }, born }) => {
    if (now?.type !== 'file' || now.nlink !== 1 || typeOf(born) === 'dir' || isOther(path)) return [];
    if (units.some(({ kind }) => kind !== 'put') || !(ctx.root || now.uid === ctx.uid)) return [];
    const above = parentOf(path);
    if (!near.has(above))
      near.set(
        above,
        orIfRefused(() => mountOf(port, above) === own, false),
      );
    return near.get(above) === true ? [{ path, ino: now.ino }] : [];
  });
  const held = heldForWriting(new Set(candidates.map(({ ino }) => ino)));
  return candidates.filter(({ ino }) => !held.has(ino)).map(({ path }) => path);
}

/** Renaming a directory rewrites its `..`, which takes write permission on it. */
function isOurs({ root, uid }: SessionContext, { mode, uid: owner }: Stat): boolean {
  return root || (owner === uid && (mode & 0o200) !== 0);
}

function inodesOf({ unit, stats }: Tree): InodeTree {
  const [files, dirs] = [new Set<bigint>(), new Set<bigint>()];
  for (const { type, ino } of stats.values()) {
    if (type === 'dir') dirs.add(ino);
    else if (type === 'file') files.add(ino);
  }
  return { real: unit.path, files, dirs };
}

interface Planned {
  unit: Unit;
  displaced: Displaced | null;
  top: number;
}

function displacedBy({ path, now, units }: Restore): Omit<Displaced, 'i'> {
  const below = units.flatMap(takenAway).flatMap((entry) => (entry.path === path ? [] : [entry.path]));
  return { path, now, alone: false, below: below.sort() };
}

function topmost(removes: readonly Remove[]): Remove[] {
  const going = new Set(removes.map(({ path }) => path));
  return removes.filter(({ path }) => !going.has(parentOf(path)));
}

/** What the undo would keep in `back/`, since the session has versions of its own. Reads only. */
export async function keptBack(
  port: FsPort,
  ctx: SessionContext,
  commit: CommitRecord,
  { restores, removes, conflicts }: Reversal,
): Promise<Beside[]> {
  const back = joinPath(commitDir(ctx, nextNumber(port, ctx)), BACK);
  const dirs = new Dirs(port, '/' as BytePath, 0, null);
  const pace = new Pace();
  return await useAndCloseAsync(dirs, async () =>
    useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
      const changed = new Set(conflicts.map(({ path }) => path));
      const pending = new PendingPlan({ port, ctx, dirs, uppers }, commit, changed);
      const removed = topmost(removes).map(({ path, now }) => ({ path, now, alone: false, below: [] }));
      try {
        for (const displaced of [...restores.map(displacedBy), ...removed]) {
          await pace.breathe();
          await pending.add({ i: 0, ...displaced });
        }
      } finally {
        await pending.close();
      }
      return pending.items.flatMap(({ line: { path, stays } }) => {
        const covered = stays === true ? coveringDir(ctx.coveredDirs, path) : null;
        return covered === null ? [] : [{ path, at: waitingAt(back, covered, path) }];
      });
    }),
  );
}

type EveryUnit = Pick<Unit, 't' | 'i' | 'groups'>;

/** In the order of application. @param moving what becomes pending itself: of what goes away, and of what is replaced */
function planUnits(
  transaction: Transaction,
  { removes, metas }: Reversal,
  puts: readonly Put[],
  { trees, files }: { trees: readonly Tree[]; files: ReadonlySet<BytePath> },
): Planned[] {
  const out: Planned[] = [];
  const add = (make: (every: EveryUnit) => Unit, displaced: Omit<Displaced, 'i'> | null): Planned => {
    const i = out.length;
    const unit = make({ t: 'unit', i, groups: [] });
    const planned = { unit, top: i, displaced: displaced === null ? null : { i, ...displaced } };
    out.push(planned);
    return planned;
  };
  for (const put of puts) {
    const { path } = put.restore;
    const displaced = displacedBy(put.restore);
    add(
      (every) => restoreUnit(transaction, every, put),
      files.has(path) ? { ...displaced, moves: true } : displaced,
    );
  }
  for (const { unit, now, entries } of trees) {
    const { path, i } = unit;
    const of = { path, host: identityOf(now), reverts: [i], born: birthOf(now), entries };
    const displaced = { path, now, alone: false, below: [], moves: true } as const;
    add((every) => ({ ...every, kind: 'move-to-store', ...of }), displaced);
  }
  // A new tree is deleted by entry, children first; its pending copy belongs to the topmost deleted one.
  const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
  const single = removes.filter(({ path }) => !whole.has(path));
  const tops = new Set(topmost(single));
  const added = new Map<BytePath, Planned>();
  for (const remove of single.sort((a, b) => (a.path < b.path ? 1 : -1))) {
    const { path, unit, now } = remove;
    const displaced = tops.has(remove) ? { path, now, alone: false, below: [] } : null;
    const of = { path, host: identityOf(now), upper: null, reverts: [unit.i] };
    added.set(
      path,
      add((every) => ({ ...every, kind: 'delete', ...of }), displaced),
    );
  }
  // Parents first, since each takes its parent's `top`.
  for (const [path, planned] of [...added].reverse())
    planned.top = added.get(parentOf(path))?.top ?? planned.top;
  for (const meta of [...metas].reverse())
    add((every) => metaUnit(every, meta), { path: meta.path, now: meta.now, alone: true, below: [] });
  return out;
}

function metaUnit(every: EveryUnit, { path, unit, now, xattrs }: Meta): MetaUnit {
  const { mode, uid, gid, mtimeNs } = fingerprint(unit.host);
  return {
    ...every,
    kind: 'meta',
    path,
    host: identityOf(now),
    upper: null,
    reverts: [unit.i],
    mode,
    uid,
    gid,
    mtime: unit.mtime === null ? null : String(mtimeNs),
    ...(xattrs === null ? {} : { xattrs }),
  };
}

function restoreUnit(
  { ctx, journal }: Transaction,
  every: EveryUnit,
  { restore, source, born, left }: Put,
): PutUnit | SwapUnit {
  const { path, now, units, below } = restore;
  const before = units.flatMap((unit) => {
    const id = hostOf(unit);
    return id === null ? [] : [fingerprint(id)];
  });
  const mode = before[0]?.mode ?? 0;
  const isNowDir = typeOf(born) === 'dir';
  // Written whole, as by a commit: unit-of-step.ts.
  const put: PutUnit = {
    t: 'unit',
    i: every.i,
    path,
    groups: every.groups,
    kind: 'put',
    host: now === null ? null : identityOf(now),
    reverts: units.map(({ i }) => i),
    stage: source.stage,
    rel: source.rel,
    born,
    closedMode: isNowDir && !ctx.root && (mode & 0o200) === 0 ? mode : null,
    entries: units.flatMap(entriesOf).map((entry) => ({ path: entry.path, id: null })),
    result: left,
    bytes: before.reduce((sum, { size }) => sum + size, 0),
  };
  if (now === null || isNowDir === (now.type === 'dir')) return put;
  return {
    ...put,
    kind: 'swap',
    host: identityOf(now),
    aside: asideName(ctx.session, journal.record.n, every.i),
    below: below.map(({ path: at, id }) => ({ path: at, host: id ?? '' })),
  };
}

interface Put {
  restore: Restore;
  source: Pick<PutUnit, 'stage' | 'rel'>;
  born: string;
  left: HostResult[];
}

async function assembleAll(
  { port, ctx, journal, areas, pace }: Staging,
  commit: CommitRecord,
  { restores }: Reversal,
  refused: EntryFailure[],
): Promise<Put[]> {
  const bases = new Map<Restore, BytePath>();
  for (const restore of restores) {
    const { path } = restore;
    const message = refusalOf(() => bases.set(restore, areas.baseFor(parentOf(path))));
    if (message !== null) refused.push({ path, message });
  }
  const puts: Put[] = [];
  const images = joinPath(commitDir(ctx, commit.n), BEFORE);
  for (const restore of bases.keys()) {
    const rel = imageAlone(restore);
    if (rel === null) continue;
    const found = await checkAssembled(restore, () => port.lstat(joinPath(images, rel)), pace);
    bases.delete(restore);
    if (found !== null) puts.push({ ...found, restore, source: { stage: 'before', rel } });
    else refused.push({ path: restore.path, message: beforeImageChanged('') });
  }
  for (const base of bases.values()) areas.areaAt(base, journal);
  for (const area of areas.all) {
    const inArea = [...bases].flatMap(([restore, base]) => (base === area.base ? [restore] : []));
    const complaint = await assemble(port, commitDir(ctx, commit.n), area, inArea);
    const relOf = (path: BytePath) => joinPath(TREES, relativeTo(area.base, path));
    for (const restore of inArea) {
      const found = await checkAssembled(restore, (path) => port.lstat(at(area.fd, relOf(path))), pace);
      if (found !== null)
        puts.push({ ...found, restore, source: { stage: area.index, rel: relOf(restore.path) } });
      else
        refused.push({
          path: restore.path,
          message: beforeImageChanged(complaint),
        });
    }
  }
  return puts;
}

/** In a staging directory: the commit's images by their own names, and what is put together by its path. */
const IMAGES = 'i' as BytePath;
const TREES = 't' as BytePath;

/** The before-image of a file that goes back as it is; null = what is restored is put together. */
function imageAlone({ units }: Restore): BytePath | null {
  const [unit, other] = units;
  if (unit === undefined || other !== undefined) return null;
  const isFile = imageOf(unit) === 'link' && typeOf(hostOf(unit)) !== 'dir';
  return isFile ? imageName(unit.i) : null;
}

function takenAway(unit: Unit): { path: BytePath; id: string }[] {
  const below = replacedBelow(unit).map(({ path, host }) => ({ path, id: host }));
  return [{ path: unit.path, id: hostOf(unit) ?? '' }, ...below];
}

/** `checkAssembled` finds what could not be assembled. @param dir of the commit @returns complaints */
async function assemble(
  port: FsPort,
  dir: BytePath,
  area: Area,
  restores: readonly Restore[],
): Promise<string> {
  const units = restores.flatMap((one) => one.units);
  const linked = units.filter((unit) => imageOf(unit) === 'link');
  let complaint = '';
  if (linked.length > 0) {
    const names = linked.map(({ i }) => imageName(i));
    complaint = await inside(port, area, IMAGES, async (fd) => {
      return await copyOut(port, joinPath(dir, BEFORE), names, fd, '--link');
    });
  }
  const alone = (work: () => void): void => {
    complaint = refusalOf(work) ?? complaint;
  };
  const relOf = (path: BytePath) => relativeTo(area.base, path);
  await inside(port, area, TREES, async (fd) => {
    for (const unit of units)
      if (imageOf(unit) === 'link') alone(() => arrange(port, area, unit.i, [fd, relOf(unit.path)]));
    const copies = units.filter((unit) => imageOf(unit) === 'copy');
    const copied = topsOf(copies.map((unit) => ({ path: unit.path, id: hostOf(unit) })));
    const from = joinPath(dir, copiedImage(area.base === '/' ? ('' as BytePath) : area.base));
    if (copied.length > 0) {
      const wanted = copied.map(relOf);
      makeParents(port, fd, wanted);
      complaint ||= await copyOut(port, from, wanted, fd);
    }
    for (const unit of [...units].reverse()) {
      for (const { path, id } of takenAway(unit).reverse())
        if (typeOf(id) === 'dir') alone(() => dressDir(port, at(fd, relOf(path)), fingerprint(id)));
    }
  });
  return complaint;
}

/** Makes a directory of a staging directory, and works in it. */
async function inside<T>(
  port: FsPort,
  area: Area,
  name: BytePath,
  work: (fd: number) => Promise<T>,
): Promise<T> {
  port.mkdir(at(area.fd, name), 0o700);
  return await withHandleAsync(port, port.openDir(at(area.fd, name)), work);
}

/** Moves the image of unit `i` to where it is put together. */
function arrange(port: FsPort, area: Area, i: number, [to, rel]: [fd: number, rel: BytePath]): void {
  const image = at(area.fd, joinPath(IMAGES, imageName(i)));
  const now = port.lstat(image);
  if (now === null) return;
  if (now.type === 'dir') chmodEntry(port, image, now.mode | 0o700);
  makeParents(port, to, [rel]);
  port.rename(image, at(to, rel));
}

/** @param look at what is to be put back at a path: that of `restore`, or one below it */
async function checkAssembled(
  restore: Restore,
  look: (path: BytePath) => Stat | null,
  pace: Pace,
): Promise<Pick<Put, 'born' | 'left'> | null> {
  const left: HostResult[] = [];
  let born: string | null = null;
  for (const { path, id } of restore.units.flatMap(takenAway)) {
    await pace.breathe();
    // Entries of an unsearchable directory can't be checked; those above decide.
    const found = orIfRefused(() => look(path), null);
    if (found === null || !looksAlike(id, found)) return null;
    if (path === restore.path) born = birthOf(found);
    left.push({ path, id: identityOf(found) });
  }
  return born === null ? null : { born, left };
}
