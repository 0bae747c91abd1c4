/** The end of an undo, when the host is done: what it took off is pending again, and the commit knows. */
import { type BytePath, joinPath, toDisplay } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { errorCode, type FsPort, Pace } from '../../kernel/fs/port.ts';
import { removePath } from '../../kernel/fs/remove-tree.ts';
import { identityOf, isBornAs, isStillOurs } from '../../kernel/fs/stat-identity.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { BEFORE, imageName } from '../apply/images.ts';
import { hasTime } from '../apply/meta-unit.ts';
import { rebaseResults } from '../apply/rebase-results.ts';
import type { Task } from '../apply/task.ts';
import { type CommitRecord, commitDir, endTime, openJournal } from '../journal/journal.ts';
import { entriesOf, type MoveToStoreUnit, resultOf, type Unit, type UpperEntry } from '../journal/unit.ts';
import { BACK } from '../stage/areas.ts';
import { restoreBases } from '../stage/merged-before.ts';
import { noteBeside } from '../stage/overrides.ts';
import { Uppers } from '../stage/uppers.ts';
import { type Kept, mergeBack } from '../upper/back-merge.ts';

/** `applied` to `closed`, of the undo of commit `of`. Idempotent; of a live session it waits for quiet. */
export async function closeUndo(task: Task, report: CommitReport, of: number): Promise<CommitReport> {
  const { port, ctx, journal, live } = task;
  const { record } = journal;
  const stops = (message: string): CommitReport => ({
    ...report,
    state: 'partial',
    failed: [...report.failed, { path: ctx.projectRoot, message }],
  });
  if (live && record.backs.length > 0)
    return stops('it is on the host; what was undone is pending again when the session is quiet');
  try {
    for (const [i, note] of record.failed) {
      const unit = record.unitOf.get(i);
      if (unit !== undefined && isInPlace(port, unit)) journal.add({ t: 'done', i, note });
    }
    const kept = live ? [] : await mergeBack(port, ctx, journal, new Pace());
    // Before the bases: an image is another link of what the host has again.
    const commit = markUndone(port, ctx, record, of);
    const trees = wholeTrees(port, ctx, record);
    const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
    const paths = touchedPaths(record).filter((path) => !whole.has(path));
    await rebaseResults(task, paths, listedDirs(port, ctx, paths));
    baseOnNothing(ctx, whole);
    if (commit !== null) restoreBases(ctx, commit, new Set([...paths, ...whole]));
    if (commit !== null) noteBeside(journal, commit);
    const taken = commit === null ? [] : pathsTakenBack(record, commit).filter((path) => !whole.has(path));
    const all = [...new Set([...paths, ...taken, ...trees.map(({ path }) => path)])].sort();
    const entries = pendingNow(port, ctx, all, record);
    journal.add({ t: 'same', entries, ...(trees.length > 0 ? { trees: trees.map(({ i }) => i) } : {}) });
    journal.sync();
    const dir = commitDir(ctx, record.n);
    if (kept.length === 0) removePath(port, dir, BACK);
    const told = kept.length === 0 ? report : withKept(report, kept);
    journal.add({ t: 'end', report: told, at: endTime() });
    journal.add({ t: 'dropped' });
    journal.sync();
    return told;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return stops(
      `everything else is as reported, but making it pending again stopped (the next run does it): ${why}`,
    );
  }
}

function withKept(report: CommitReport, kept: readonly Kept[]): CommitReport {
  const failed = [...report.failed];
  for (const { path, at } of kept) {
    const message = `the session has something else there by now, which stays; what was taken off the host is kept: ${toDisplay(at)}`;
    failed.push({ path, message });
  }
  return { ...report, state: 'partial', failed };
}

/** Directories that went back by one rename, and are in the upper with exactly what their units name. */
function wholeTrees(port: FsPort, ctx: SessionContext, { units, done }: CommitRecord): MoveToStoreUnit[] {
  const uppers = new Uppers(port, ctx, null);
  try {
    return units
      .filter((unit) => unit.kind === 'move-to-store')
      .filter(({ i, path, born }) => done.get(i) === '' && isStillOurs(born, uppers.lstat(path)));
  } finally {
    uppers.close();
  }
}

/** Whatever the host has there by now came after they had left it. */
function baseOnNothing(ctx: SessionContext, paths: ReadonlySet<BytePath>): void {
  if (paths.size === 0) return;
  const file = readBaseFile(ctx);
  const base = { state: 'absent' } as const;
  const entries = [...paths].map((path): [BytePath, BaseRecord] => [path, { path, base, listed: false }]);
  appendBases(ctx, file, entries);
}

/** A unit that failed after its rename: the host has what it was to have. */
function isInPlace(port: FsPort, unit: Unit): boolean {
  const now = port.lstat(unit.path);
  if (unit.kind === 'delete' || unit.kind === 'move-to-store') return now === null;
  if (unit.kind !== 'meta') return isBornAs(unit.born, now);
  const { path, mode, uid, gid, xattrs } = unit;
  if (now === null) return false;
  if (now.uid !== uid || now.gid !== gid || (now.type !== 'symlink' && now.mode !== mode)) return false;
  if (!hasTime(unit, now)) return false;
  return xattrs === undefined || port.xattrsOf([path])[0] === xattrs.to;
}

/** Every path that the undo has put back, removed or changed, parents first. */
function touchedPaths({ units, done }: CommitRecord): BytePath[] {
  const paths = units
    .filter(({ i }) => done.has(i))
    .flatMap((unit) => [unit.path, ...resultOf(unit).map(({ path }) => path)]);
  return [...new Set(paths)].sort();
}

/** Every path of the commit that the undo has made pending again, also below a directory that went or came whole. */
function pathsTakenBack(undo: CommitRecord, commit: CommitRecord): BytePath[] {
  const back = new Set(
    undo.units.filter(({ i }) => undo.done.has(i)).flatMap(({ reverts }) => reverts ?? []),
  );
  return commit.units
    .filter(({ i }) => back.has(i))
    .flatMap(entriesOf)
    .map(({ path }) => path);
}

/** Directories of the host that an upper hides: what is below them is named, so that a new name there is a conflict. */
function listedDirs(port: FsPort, ctx: SessionContext, paths: readonly BytePath[]): Set<BytePath> {
  const uppers = new Uppers(port, ctx, null);
  try {
    return new Set(
      paths.filter((path) => {
        const upper = uppers.lstat(path);
        return upper !== null && upper.type !== 'dir' && port.lstat(path)?.type === 'dir';
      }),
    );
  } finally {
    uppers.close();
  }
}

/** What the uppers have of it: a redo is only for the very same. */
function pendingNow(
  port: FsPort,
  ctx: SessionContext,
  paths: readonly BytePath[],
  { units, done }: CommitRecord,
): UpperEntry[] {
  const uppers = new Uppers(port, ctx, null);
  try {
    const dressed = units.filter(
      (unit) => unit.kind === 'meta' && unit.xattrs !== undefined && done.has(unit.i),
    );
    const texts = port.xattrsOf(dressed.map(({ path }) => uppers.pathOf(path)));
    const xattrsOf = new Map(dressed.map(({ path }, i) => [path, texts[i] ?? undefined]));
    return paths.map((path) => {
      const stat = uppers.lstat(path);
      const xattrs = xattrsOf.get(path);
      return {
        path,
        id: stat === null ? null : identityOf(stat),
        ...(xattrs === undefined ? {} : { xattrs }),
      };
    });
  } finally {
    uppers.close();
  }
}

/** Tells the commit which of its units are taken back, and drops their before-images. */
function markUndone(port: FsPort, ctx: SessionContext, undo: CommitRecord, of: number): CommitRecord | null {
  const dir = commitDir(ctx, of);
  const journal = openJournal(port, dir);
  if (journal === null) return null;
  const takenBack = (isDone: boolean) =>
    new Set(
      undo.units.filter(({ i }) => undo.done.has(i) === isDone).flatMap(({ reverts }) => reverts ?? []),
    );
  const open = takenBack(false);
  const refused = new Set(undo.refused.map(({ path }) => path));
  const isRefused = (i: number) => refused.has(journal.record.unitOf.get(i)?.path ?? ('/' as BytePath));
  const units = [...takenBack(true)].filter((i) => !open.has(i) && !isRefused(i));
  try {
    journal.add({ t: 'undone', by: undo.n, units });
    journal.sync();
  } finally {
    journal.close();
  }
  const { done, undone, units: all } = journal.record;
  if (all.every(({ i }) => !done.has(i) || undone.has(i))) removePath(port, dir, BEFORE);
  else if (port.lstat(joinPath(dir, BEFORE)) !== null)
    for (const i of units) removePath(port, joinPath(dir, BEFORE), imageName(i));
  return journal.record;
}
