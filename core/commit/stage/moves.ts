/**
 * New directories that go to the host by one rename out of the upper, instead of a copy. Only where it is certain that
 * a copy would be the same and that nothing else goes along or gets lost:
 *
 * - the session is quiet, and upper and host directory are on one mount (a rename goes no further);
 * - the upper's directory holds exactly the reviewed entries: no whiteout, socket, ignored or excluded entry, and no
 *   change since;
 * - no name outside leads to one of its files: a set of hard links goes whole;
 * - no entry carries a mark of overlayfs, or a label that depends on the place (SELinux, Smack): every one was asked;
 * - no directory above it in the upper hides the host's, or what has left would look deleted.
 *
 * What can't be proven, also for want of perl, is copied.
 */

import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import { NotApplied } from '../../kernel/fs/entry-errors.ts';
import { identityOf } from '../../kernel/fs/fingerprint.ts';
import { type FsPort, orIfRefused, type Stat, syncFileSystems } from '../../kernel/fs/port.ts';
import { type XattrNames, xattrNames } from '../../kernel/fs/xattrs.ts';
import { mountOf } from '../../kernel/mounts.ts';
import { coveringDir, type SessionContext, upperPathIn } from '../../session/session-context.ts';
import { commitsDir } from '../journal/journal.ts';
import { entriesOf, type MoveToHostUnit } from '../journal/unit.ts';
import type { Areas } from './areas.ts';
import { type CheckedStep, type Findings, GONE_ON, isNewTree } from './check-steps.ts';
import { dirsTo, type Uppers } from './uppers.ts';

/** In `commits/`: a rename out of an upper failed although all was proven (quotas, encryption); from then on copies. */
const NO_MOVES = 'no-moves' as BytePath;

/** Whether that has not happened. */
export function mayMove(port: FsPort, ctx: SessionContext): boolean {
  return port.lstat(joinPath(commitsDir(ctx), NO_MOVES)) === null;
}

interface Tree {
  /** Host path of the directory. */
  top: BytePath;
  /** Every entry of it, itself first. */
  paths: readonly BytePath[];
  /** All of them but files of one name of which the list is believed. */
  entries: ReadonlyMap<BytePath, Stat>;
}

/** Overlayfs' marks, and labels that a policy gives by the place. */
const OF_THE_PLACE = /^(?:user|trusted)\.overlay\.|^security\.(?!capability$)/;
/** What a directory of the upper may not have if the host's entries are to show in it. */
const HIDING = /^(?:user|trusted)\.overlay\.(?!(?:impure|origin|uuid|nlink)$)/;

/** Those of the checked steps that are moved. The session is quiet and its lock held. */
export function findMoves(
  port: FsPort,
  ctx: SessionContext,
  uppers: Uppers,
  { checked, failed }: Findings,
): Set<CheckedStep> {
  const mounts = new Map<BytePath, boolean>();
  const candidates = checked.filter((one) => {
    if (!isReady(one, failed)) return false;
    const above = parentOf(one.step.change.path);
    if (!mounts.has(above)) mounts.set(above, isOneMount(port, ctx, above));
    return mounts.get(above) === true;
  });
  if (candidates.length === 0 || !mayMove(port, ctx)) return new Set();
  const marks = readMarks(ctx, candidates.map(treeOf));
  const whole = candidates.filter((one) => isWhole(port, ctx, uppers, treeOf(one), marks.counts));
  const marked = markedTops(ctx, whole.map(treeOf), marks);
  return new Set(whole.filter(({ step }) => !marked.has(step.change.path)));
}

/** What the sandbox has written is on no disk yet (`volatile`); it has to be before it is the host's, like a copy. */
export async function syncStaged(
  port: FsPort,
  ctx: SessionContext,
  areas: Areas,
  moves: ReadonlySet<CheckedStep>,
): Promise<void> {
  const places = new Set([...moves].map(({ step }) => coveringDir(ctx.coveredDirs, step.change.path)));
  const fds = [...places].flatMap((covered) =>
    covered === null ? [] : [port.openDir(joinPath(covered.upper, '.'))],
  );
  try {
    await syncFileSystems(port, [...areas.all.map(({ fd }) => fd), ...fds]);
  } finally {
    for (const fd of fds) port.close(fd);
  }
}

/** Copies instead, from the next commit of the session on. */
export function rememberNoMoves(port: FsPort, ctx: SessionContext): void {
  port.close(port.openAppend(joinPath(commitsDir(ctx), NO_MOVES)));
}

/**
 * The same once more for a unit that a run before this one has left undone: calls may have come in between.
 * @throws NotApplied when the upper has not exactly what was reviewed, without marks
 */
export function expectUnmoved(port: FsPort, ctx: SessionContext, uppers: Uppers, unit: MoveToHostUnit): void {
  const entries = new Map<BytePath, Stat>();
  for (const { path, id } of entriesOf(unit)) {
    const now = uppers.lstat(path);
    // With its change time, also of a directory and of a file of several names: nothing here has moved it, and attributes do.
    if (now === null || identityOf(now) !== id) throw new NotApplied(GONE_ON);
    entries.set(path, now);
  }
  const tree: Tree = { top: unit.path, paths: [...entries.keys()], entries };
  const marks = readMarks(ctx, [tree]);
  // Counted anew: calls may have come in between, and this is long ago by the time of the rename.
  if (!isWhole(port, ctx, uppers, tree, new Map()) || markedTops(ctx, [tree], marks).size > 0)
    throw new NotApplied(GONE_ON);
}

function isReady({ step, host, upper, listed }: CheckedStep, failed: ReadonlyMap<BytePath, string>): boolean {
  if (!isNewTree(step) || host !== null || !upper.has(step.change.path)) return false;
  return step.members.every(({ path }) => (listed === true || upper.has(path)) && !failed.has(path));
}

function treeOf({ step, upper }: CheckedStep): Tree {
  return { top: step.change.path, paths: step.members.map(({ path }) => path), entries: upper };
}

function isOneMount(port: FsPort, ctx: SessionContext, dir: BytePath): boolean {
  const upper = upperPathIn(ctx.coveredDirs, dir);
  return upper !== null && orFalse(() => mountOf(port, dir) === mountOf(port, upper));
}

/** Whether the upper has exactly these entries there, all names of their files, and lets the directory go. */
function isWhole(
  port: FsPort,
  ctx: SessionContext,
  uppers: Uppers,
  tree: Tree,
  counts: XattrNames['counts'],
): boolean {
  const { top, entries } = tree;
  // Renaming a directory writes its `..`: its owner needs the write bit for that, and a copy shows how to do without.
  if (!ctx.root && ((entries.get(top)?.mode ?? 0) & 0o200) === 0) return false;
  return orFalse(() => {
    const above = uppers.placed(parentOf(top));
    return above !== null && port.writable(above) && hasExactly(uppers, tree, counts) && hasAllNames(entries);
  });
}

/** All entries are there: so as many names in each directory are the same names. Who has asked for attributes has counted. */
function hasExactly(uppers: Uppers, { top, paths, entries }: Tree, counts: XattrNames['counts']): boolean {
  const names = new Map<BytePath, number>();
  let dir = parentOf(top);
  for (const path of paths) {
    // Many entries one after the other are of one directory.
    if (path.lastIndexOf('/') !== dir.length || !path.startsWith(dir)) dir = parentOf(path);
    if (path !== top) names.set(dir, (names.get(dir) ?? 0) + 1);
  }
  for (const [path, { type }] of entries) {
    if (type !== 'dir') continue;
    const count = counts.get(uppers.pathOf(path)) ?? uppers.readdir(path).length;
    if (count !== (names.get(path) ?? 0)) return false;
  }
  return true;
}

/** Whether no name outside leads to one of their files. */
export function hasAllNames(entries: Tree['entries']): boolean {
  const missing = new Map<bigint, number>();
  for (const { type, nlink, ino } of entries.values()) {
    if (type !== 'dir' && nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
  }
  return [...missing.values()].every((names) => names === 0);
}

/** The attributes of every directory of the trees with all in it, and of those above them. */
function readMarks(ctx: SessionContext, trees: readonly Tree[]): XattrNames {
  const inUpper = (path: BytePath) => upperPathIn(ctx.coveredDirs, path) ?? path;
  // Believed entries are files.
  const dirs = trees.flatMap(({ entries }) => [...entries].filter(([, { type }]) => type === 'dir'));
  const above = new Set(trees.flatMap(({ top }) => [...dirsTo(ctx, top)]));
  return xattrNames(
    dirs.map(([path]) => inUpper(path)),
    [...above].map(inUpper),
  );
}

/** Tops of the trees in which, or above which, a mark is or may be. */
function markedTops(
  ctx: SessionContext,
  trees: readonly Tree[],
  { names, unknown }: XattrNames,
): Set<BytePath> {
  const tops = new Map(trees.map(({ top }) => [upperPathIn(ctx.coveredDirs, top) ?? top, top]));
  const marked = new Set<BytePath>();
  const mark = (path: BytePath) => {
    for (let at = path; at !== '/'; at = parentOf(at)) {
      const top = tops.get(at);
      if (top !== undefined) marked.add(top);
    }
  };
  for (const dir of unknown) mark(dir);
  for (const [path, found] of names) if (found.some((name) => OF_THE_PLACE.test(name))) mark(path);
  for (const { top } of trees) {
    const above = [...dirsTo(ctx, top)].map((dir) => upperPathIn(ctx.coveredDirs, dir) ?? dir);
    if (above.some((dir) => unknown.has(dir) || names.get(dir)?.some((name) => HIDING.test(name)) === true))
      marked.add(top);
  }
  return marked;
}

/** What can't be read is not proven. */
export function orFalse(proof: () => boolean): boolean {
  return orIfRefused(proof, false);
}
