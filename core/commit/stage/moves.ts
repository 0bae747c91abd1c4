/**
 * New directories and files that reach the host by one rename out of the upper instead of a copy. Only where it
 * is proven that a copy would be the same, and that nothing else is moved or lost:
 *
 * - the session is quiet, and upper and host directory are on one mount (a rename goes no further);
 * - the upper's directory holds exactly the reviewed entries: no whiteout, socket, ignored or excluded entry;
 * - a file is no merge, and in no group; its mark of a copy-up is taken off;
 * - no name outside leads to one of its files: a set of hard links is complete;
 * - no entry has a mark of overlayfs, or a label that depends on the place (SELinux, Smack); all were asked;
 * - no directory above it in the upper hides the host's, or the moved directory would then appear deleted.
 *
 * What can't be proven, also for lack of perl, is copied.
 */

import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import { NotApplied } from '../../kernel/fs/entry-errors.ts';
import { identityOf, isRenamed } from '../../kernel/fs/fingerprint.ts';
import { mountOf } from '../../kernel/fs/mounts.ts';
import type { Pace } from '../../kernel/fs/pace.ts';
import { errorCode, type FsPort, orIfRefused, type Stat } from '../../kernel/fs/port.ts';
import {
  askXattrNames,
  freeOfOrigin,
  type NamesAsked,
  OF_THE_PLACE,
  type XattrNames,
  xattrNames,
} from '../../kernel/fs/xattrs.ts';
import { coveringDir, type SessionContext, upperPathIn } from '../../session/session-context.ts';
import { commitsDir } from '../journal/journal.ts';
import { entriesOf, type MoveToHostUnit } from '../journal/unit.ts';
import { SANDBOX_CHANGED } from '../messages/reasons.ts';
import type { Step } from '../plan/plan.ts';
import { type CheckedStep, type Findings, isChangedFile, isNewTree, isUnmarked } from './check-steps.ts';
import type { Merges } from './merges.ts';
import { allDirsTo, dirsTo, type Uppers } from './uppers.ts';

/** In `commits/`: a proven rename failed (quotas, encryption), so the session copies from then on. */
const NO_MOVES = 'no-moves' as BytePath;

export function mayMove(port: FsPort, ctx: SessionContext): boolean {
  return port.lstat(joinPath(commitsDir(ctx), NO_MOVES)) === null;
}

interface Tree {
  top: BytePath;
  paths: readonly BytePath[];
  /** All entries except files of one name for which the list is trusted. */
  entries: ReadonlyMap<BytePath, Stat>;
}

/** Marks of an upper directory that hide the host's entries. */
const HIDING = /^(?:user|trusted)\.overlay\.(?!(?:impure|origin|uuid|nlink)$)/;

/**
 * Whether a file may be renamed, as far as its step tells. A new one may not: rename(2) would replace what the host
 * makes at that moment, and between link(2) and unlink(2) a call could write to the host through the upper. Nor one
 * of a group, which a call could change between a crash and the rest of its group.
 */
function isFileStep(step: Step, merges: Merges): boolean {
  return isChangedFile(step) && step.change.group === null && !merges.has(step.change.path);
}

/** Asks for the marks of what may be moved; the commit goes on meanwhile. The session stays quiet and locked. */
export async function askMarks(
  ctx: SessionContext,
  steps: readonly Step[],
  merges: Merges,
): Promise<XattrNames> {
  const trees = steps.filter((step) => isNewTree(step) || isFileStep(step, merges));
  const asked = trees.map(({ change, members }) => ({
    top: change.path,
    dirs: members.filter(({ pending }) => pending?.type === 'dir').map(({ path }) => path),
  }));
  return await askXattrNames(marksAsked(ctx, asked));
}

/** The steps to move. The session is quiet and its lock held. */
export function findMoves(
  port: FsPort,
  ctx: SessionContext,
  uppers: Uppers,
  { checked, failed }: Findings,
  { marks, merges }: { marks: XattrNames; merges: Merges },
): Set<CheckedStep> {
  const mayRename = new Map<BytePath, boolean>();
  const candidates = checked.filter((one) => {
    if (!isReady(one, failed, merges)) return false;
    const above = parentOf(one.step.change.path);
    if (!mayRename.has(above))
      mayRename.set(above, isOneMount(port, ctx, above) && isWritable(port, uppers, above));
    return mayRename.get(above) === true;
  });
  if (candidates.length === 0 || !mayMove(port, ctx)) return new Set();
  const whole = candidates.filter(
    (one) => !isNewTree(one.step) || isWhole(port, ctx, uppers, treeOf(one), marks.counts),
  );
  const marked = markedTops(ctx, uppers, whole.map(treeOf), marks);
  return new Set(whole.filter(({ step }) => !marked.has(step.change.path)));
}

/**
 * Takes the mark of a copy-up off the files among `moves`, which changes their change times; drops from `moves` those
 * that keep a mark.
 */
export async function takeMarksOff(uppers: Uppers, moves: Set<CheckedStep>, pace: Pace): Promise<void> {
  const files = [...moves].filter(({ step }) => !isNewTree(step));
  const paths = files.map(({ step }) => step.change.path);
  const free = await freeOfOrigin(paths.map((path) => uppers.pathOf(path)));
  const found = await uppers.lstatEach(paths, pace);
  for (const [i, one] of files.entries()) {
    const { change } = one.step;
    const [before, now] = [one.upper.get(change.path), found.get(change.path)];
    const isSame =
      now !== undefined &&
      (before === undefined ? isUnmarked(change, now) : isRenamed(identityOf(before), now));
    if (isSame) {
      one.upper.set(change.path, now);
      one.listed = undefined;
    }
    if (free[i] !== true || !isSame) moves.delete(one);
  }
}

/** The uppers of moved directories: they are mounted `volatile`, so the content is not on disk yet. */
export function uppersOf(ctx: SessionContext, moves: ReadonlySet<CheckedStep>): BytePath[] {
  const covering = [...moves].map(({ step }) => coveringDir(ctx.coveredDirs, step.change.path));
  return [...new Set(covering.flatMap((covered) => covered?.upper ?? []))];
}

/** Renames a proven directory. @throws NotApplied `refused` when it can't be renamed there at all */
export function moveWhole(
  port: FsPort,
  ctx: SessionContext,
  [from, to]: readonly [BytePath, BytePath],
  refused: string,
): void {
  try {
    port.rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    port.close(port.openAppend(joinPath(commitsDir(ctx), NO_MOVES)));
    throw new NotApplied(refused);
  }
}

/** Repeats the proof after a crash, since calls may have run. @throws NotApplied when it fails */
export function expectUnmoved(port: FsPort, ctx: SessionContext, uppers: Uppers, unit: MoveToHostUnit): void {
  const entries = new Map<BytePath, Stat>();
  for (const { path, id } of entriesOf(unit)) {
    const now = uppers.lstat(path);
    // Change times count, even of directories: nothing here has touched them, and attributes show only there.
    if (now === null || identityOf(now) !== id) throw new NotApplied(SANDBOX_CHANGED);
    entries.set(path, now);
  }
  const tree: Tree = { top: unit.path, paths: [...entries.keys()], entries };
  const dirs = [...entries].flatMap(([path, { type }]) => (type === 'dir' ? [path] : []));
  const marks = xattrNames(marksAsked(ctx, [{ top: unit.path, dirs }]));
  // Without the counts of `marks`: names are counted again as late as possible.
  if (!isWhole(port, ctx, uppers, tree, new Map()) || markedTops(ctx, uppers, [tree], marks).size > 0)
    throw new NotApplied(SANDBOX_CHANGED);
}

function isReady(
  { step, host, upper, listed }: CheckedStep,
  failed: ReadonlyMap<BytePath, string>,
  merges: Merges,
): boolean {
  const top = upper.get(step.change.path);
  // The list is only trusted for an entry with one name.
  const isOnlyName = top === undefined ? listed === true : top.nlink === 1;
  if (isFileStep(step, merges)) return host !== null && isOnlyName && !failed.has(step.change.path);
  if (!isNewTree(step) || host !== null || top === undefined) return false;
  return step.members.every(({ path }) => (listed === true || upper.has(path)) && !failed.has(path));
}

function treeOf({ step, upper }: CheckedStep): Tree {
  return { top: step.change.path, paths: step.members.map(({ path }) => path), entries: upper };
}

function isOneMount(port: FsPort, ctx: SessionContext, dir: BytePath): boolean {
  const upper = upperPathIn(ctx.coveredDirs, dir);
  return upper !== null && orIfRefused(() => mountOf(port, dir) === mountOf(port, upper), false);
}

function isWritable(port: FsPort, uppers: Uppers, dir: BytePath): boolean {
  return orIfRefused(() => {
    const upper = uppers.placed(dir);
    return upper !== null && port.writable(upper);
  }, false);
}

/** Whether the upper has exactly these entries with all their names, and the directory can be renamed. */
function isWhole(
  port: FsPort,
  ctx: SessionContext,
  uppers: Uppers,
  tree: Tree,
  counts: XattrNames['counts'],
): boolean {
  const { top, entries } = tree;
  // Renaming a directory rewrites its `..`, which takes write permission on it. A copy gets around that.
  if (!ctx.root && ((entries.get(top)?.mode ?? 0) & 0o200) === 0) return false;
  if (!isWritable(port, uppers, parentOf(top))) return false;
  return orIfRefused(() => hasExactly(uppers, tree, counts) && hasAllNames(entries), false);
}

/** All listed entries exist, so equal counts mean equal names. `marks` has the counts of most directories. */
function hasExactly(uppers: Uppers, { top, paths, entries }: Tree, counts: XattrNames['counts']): boolean {
  const names = new Map<BytePath, number>();
  let dir = parentOf(top);
  for (const path of paths) {
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

export function hasAllNames(entries: Tree['entries']): boolean {
  const missing = new Map<bigint, number>();
  for (const { type, nlink, ino } of entries.values()) {
    if (type !== 'dir' && nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
  }
  return [...missing.values()].every((names) => names === 0);
}

function marksAsked(
  ctx: SessionContext,
  trees: readonly { top: BytePath; dirs: readonly BytePath[] }[],
): NamesAsked {
  const above = allDirsTo(
    ctx,
    trees.map(({ top }) => top),
  );
  const inUpper = (path: BytePath) => upperPathIn(ctx.coveredDirs, path) ?? path;
  return { whole: trees.flatMap(({ dirs }) => dirs).map(inUpper), alone: [...above].map(inUpper) };
}

/** Tops of the trees that have, or may have, a mark in them or above them. */
function markedTops(
  ctx: SessionContext,
  uppers: Uppers,
  trees: readonly Tree[],
  { names, unknown }: XattrNames,
): Set<BytePath> {
  const tops = new Map(trees.map(({ top }) => [uppers.pathOf(top), top]));
  const marked = new Set<BytePath>();
  const mark = (path: BytePath) => {
    for (let at = path; at !== '/'; at = parentOf(at)) {
      const top = tops.get(at);
      if (top !== undefined) marked.add(top);
    }
  };
  for (const dir of unknown) mark(dir);
  for (const [path, found] of names) if (found.some((name) => OF_THE_PLACE.test(name))) mark(path);
  const hidden = new Map<BytePath, boolean>();
  const isHiding = (dir: BytePath) =>
    unknown.has(dir) || names.get(dir)?.some((name) => HIDING.test(name)) === true;
  for (const { top } of trees) {
    const above = parentOf(top);
    if (!hidden.has(above))
      hidden.set(
        above,
        [...dirsTo(ctx, top)].some((dir) => isHiding(uppers.pathOf(dir))),
      );
    if (hidden.get(above) === true) marked.add(top);
  }
  return marked;
}
