/** The end of an undo, when the host is done: what it took off is pending again, and the commit knows. */
import { type BytePath, joinPath, toDisplay } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { errorCode, type FsPort } from '../../kernel/fs/port.ts';
import { removePath } from '../../kernel/fs/remove-tree.ts';
import { identityOf, isStillOurs } from '../../kernel/fs/stat-identity.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { hostDirs } from '../apply/apply.ts';
import { BEFORE, imageName } from '../apply/images.ts';
import { rebaseResults } from '../apply/rebase-results.ts';
import type { Task } from '../apply/task.ts';
import { isInPlace } from '../apply/unit-applier.ts';
import { type CommitRecord, commitDir, endTime, openJournal } from '../journal/journal.ts';
import { entriesOf, resultOf } from '../journal/unit.ts';
import { BACK } from '../stage/areas.ts';
import { restoreBases } from '../stage/merged-before.ts';
import { noteBeside } from '../stage/overrides.ts';
import { Uppers } from '../stage/uppers.ts';
import { insertPending } from '../upper/pending-again.ts';

/** `applied` to `closed`, of the undo of commit `of`. Idempotent; of a live session it waits for quiet. */
export async function closeUndo(task: Task, report: CommitReport, of: number): Promise<CommitReport> {
  const { ctx, journal, live } = task;
  const stops = (message: string): CommitReport => ({
    ...report,
    state: 'partial',
    failed: [...report.failed, { path: ctx.projectRoot, message }],
  });
  if (live && journal.record.pending.length > 0)
    return stops('it is on the host; what was undone is pending again when the session is quiet');
  try {
    noteInPlace(task);
    const kept = live ? [] : await insertPending(task);
    await closeRecords(task, of);
    journal.sync();
    if (kept.length === 0) removePath(task.port, journal.dir, BACK);
    const failed = kept.map(({ path, at }) => ({
      path,
      message: `the session has something else there by now, which stays; what was taken off the host is kept: ${toDisplay(at)}`,
    }));
    const told: CommitReport =
      kept.length === 0 ? report : { ...report, state: 'partial', failed: [...report.failed, ...failed] };
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

/** Units that failed after their rename: the host has what it was to have. */
function noteInPlace(task: Task): void {
  const { port, journal } = task;
  const { failed, unitOf } = journal.record;
  if (failed.size === 0) return;
  const dirs = hostDirs(task);
  try {
    for (const [i, note] of failed) {
      const unit = unitOf.get(i);
      if (unit !== undefined && isInPlace(port, dirs, unit)) journal.add({ t: 'done', i, note });
    }
  } finally {
    dirs.close();
  }
}

/** What the commit, the base records and a redo have to know. */
async function closeRecords(task: Task, of: number): Promise<void> {
  const { port, ctx, journal } = task;
  const { record } = journal;
  // Before the bases: an image is another link of what the host has again.
  const commit = markUndone(port, ctx, record, of);
  const uppers = new Uppers(port, ctx, null);
  try {
    // Directories that went back by one rename, and are in the upper with exactly what their units name.
    const trees = record.units
      .filter((unit) => unit.kind === 'move-to-store')
      .filter(({ i, path, born }) => record.done.get(i) === '' && isStillOurs(born, uppers.lstat(path)));
    const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
    const paths = touchedPaths(record).filter((path) => !whole.has(path));
    // Directories of the host that an upper hides: what is below them is named, so that a new name there is a conflict.
    const hiding = paths.filter((path) => {
      const upper = uppers.lstat(path);
      return upper !== null && upper.type !== 'dir' && port.lstat(path)?.type === 'dir';
    });
    await rebaseResults(task, paths, new Set(hiding));
    baseOnNothing(ctx, whole);
    if (commit !== null) restoreBases(ctx, commit, new Set([...paths, ...whole]));
    if (commit !== null) noteBeside(journal, commit);
    const reverted = revertedPaths(record, commit).filter((path) => !whole.has(path));
    const all = new Set([...paths, ...reverted, ...trees.map(({ path }) => path)]);
    // A redo is only for the very same.
    const entries = [...all].sort().map((path) => {
      const stat = uppers.lstat(path);
      return { path, id: stat === null ? null : identityOf(stat) };
    });
    journal.add({ t: 'same', entries, ...(trees.length > 0 ? { trees: trees.map(({ i }) => i) } : {}) });
  } finally {
    uppers.close();
  }
}

/** Whatever the host has there by now came after they had left it. */
function baseOnNothing(ctx: SessionContext, paths: ReadonlySet<BytePath>): void {
  if (paths.size === 0) return;
  const base = { state: 'absent' } as const;
  const entries = [...paths].map((path): [BytePath, BaseRecord] => [path, { path, base, listed: false }]);
  appendBases(ctx, readBaseFile(ctx), entries);
}

/** Every path that the undo has put back, removed or changed, parents first. */
function touchedPaths({ units, done }: CommitRecord): BytePath[] {
  const paths = units
    .filter(({ i }) => done.has(i))
    .flatMap((unit) => [unit.path, ...resultOf(unit).map(({ path }) => path)]);
  return [...new Set(paths)].sort();
}

/** Every path of the commit that is pending again, also below a directory that went or came whole. */
function revertedPaths(undo: CommitRecord, commit: CommitRecord | null): BytePath[] {
  const reverted = revertedUnits(undo, true);
  const units = commit?.units.filter(({ i }) => reverted.has(i)) ?? [];
  return units.flatMap(entriesOf).map(({ path }) => path);
}

/** Units of the commit of which a unit of the undo is carried out; or is not. */
function revertedUnits({ units, done }: CommitRecord, isDone: boolean): Set<number> {
  return new Set(units.filter(({ i }) => done.has(i) === isDone).flatMap(({ reverts }) => reverts ?? []));
}

/** Tells the commit which of its units are undone, and drops their before-images. */
function markUndone(port: FsPort, ctx: SessionContext, undo: CommitRecord, of: number): CommitRecord | null {
  const journal = openJournal(port, commitDir(ctx, of));
  if (journal === null) return null;
  const { record, dir } = journal;
  const open = revertedUnits(undo, false);
  const refused = new Set(undo.refused.map(({ path }) => path));
  const isRefused = (i: number) => refused.has(record.unitOf.get(i)?.path ?? ('/' as BytePath));
  const units = [...revertedUnits(undo, true)].filter((i) => !open.has(i) && !isRefused(i));
  try {
    journal.add({ t: 'undone', by: undo.n, units });
    journal.sync();
  } finally {
    journal.close();
  }
  const { done, undone } = record;
  if (record.units.every(({ i }) => !done.has(i) || undone.has(i))) removePath(port, dir, BEFORE);
  else if (port.lstat(joinPath(dir, BEFORE)) !== null)
    for (const i of units) removePath(port, joinPath(dir, BEFORE), imageName(i));
  return record;
}
