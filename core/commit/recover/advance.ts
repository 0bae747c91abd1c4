/**
 * How a transaction gets from phase to phase:
 *
 *     advance   `ready` to `closed`: apply the units (apply/), then
 *                 a commit   clean the uppers
 *                 an undo    rename what it took off the host into the uppers, mark the commit's units undone
 *     abort     `staging` to `closed`: remove what was staged; of a discard, put back what was taken out
 */
import { type BytePath, isBelowAny, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { messageOf } from '../../../shared/errors.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { removePath, removeTree } from '../../kernel/fs/dir-handles.ts';
import { identityOf, isStillOurs } from '../../kernel/fs/fingerprint.ts';
import { Pace } from '../../kernel/fs/pace.ts';
import { errorCode, orNull, useAndClose, useAndCloseAsync, withHandle } from '../../kernel/fs/port.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { applyAll, removeStages, restoreModes } from '../apply/apply.ts';
import { dropRecord, forgetMoved } from '../apply/cleanup.ts';
import { hashesIn } from '../apply/image-hashes.ts';
import { BEFORE, imageName } from '../apply/images.ts';
import { indexesIn, rebaseResults } from '../apply/results.ts';
import type { Task } from '../apply/task.ts';
import { isInPlace } from '../apply/unit-applier.ts';
import {
  type CommitRecord,
  commitDir,
  endTime,
  Journal,
  openJournal,
  type Transaction,
} from '../journal/journal.ts';
import { entriesOf, resultOf } from '../journal/unit.ts';
import {
  cleaningStopped,
  PENDING_WHEN_QUIET,
  pendingAgainStopped,
  sessionHasOther,
} from '../messages/reasons.ts';
import { BACK, hostDirs } from '../stage/areas.ts';
import { restoreBases } from '../stage/merged-before.ts';
import { noteBeside } from '../stage/overrides.ts';
import { Uppers } from '../stage/uppers.ts';
import { restoreEntries } from '../upper/drop-entries.ts';
import { insertPending, isPendingAlready, type Kept, keptBeside } from '../upper/insert-pending.ts';

/** Rolls forward from `ready` to `closed`. Idempotent. When it stops in between, the journal stays open. */
export async function advance(task: Task): Promise<CommitReport> {
  const { ctx, journal } = task;
  const { report: applied, stopped } = await applyAll(task);
  const report = { ...applied, copies: !ctx.quiet };
  if (stopped) return report;
  const { undoes } = journal.record.begin;
  try {
    return undoes === undefined ? await closeCommit(task, report) : await closeUndo(task, report, undoes);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    const why = messageOf(error);
    return partial(task, report, undoes === undefined ? cleaningStopped(why) : pendingAgainStopped(why));
  }
}

function partial({ ctx }: Task, report: CommitReport, message: string): CommitReport {
  return { ...report, state: 'partial', failed: [...report.failed, { path: ctx.projectRoot, message }] };
}

async function closeCommit(task: Task, report: CommitReport): Promise<CommitReport> {
  const { port, ctx, journal } = task;
  // Without new base records, the next write to a copy that stays would conflict with this commit.
  if (!ctx.quiet) forgetMoved(port, ctx, journal.record);
  const stay = ctx.quiet
    ? await cleanUppers({ port, ctx, journal }, task.settled === true)
    : copiedPaths(journal.record);
  if (stay.length > 0) await rebaseResults(task, stay);
  const end = { t: 'end' as const, report, at: endTime(), ...indexesIn(port, journal.record) };
  journal.addSynced(end, ...(ctx.quiet ? [{ t: 'dropped' as const }] : []));
  return report;
}

/** Returns the committed paths that stay in an upper. */
async function cleanUppers(
  transaction: Transaction & { ctx: QuietSession },
  settled: boolean,
): Promise<BytePath[]> {
  const { ctx, journal } = transaction;
  const bases = readBaseFile(ctx);
  const of = hashesIn(journal.record, bases.records);
  if (of.length > 0) journal.add({ t: 'hashes', of });
  // Before the records are dropped: a run that completes this one has the line instead.
  journal.flush();
  return (await dropRecord(transaction, { bases, settled })).stay;
}

function copiedPaths({ units, done }: CommitRecord): BytePath[] {
  const copied = units.filter(({ i, kind }) => done.has(i) && kind !== 'move-to-host');
  return copied.flatMap(entriesOf).map(({ path }) => path);
}

/** Rolls back from `staging`. Idempotent. Returns how many entries of a discard could not be put back. */
export function abort(transaction: Transaction): number {
  const { port, journal } = transaction;
  if (journal.record.begin.discards !== undefined) return abortDiscard(transaction);
  useAndClose(hostDirs(transaction), (dirs) => {
    removeStages(port, dirs, journal);
    restoreModes(port, dirs, journal);
  });
  for (const name of [BEFORE, BACK]) removePath(port, journal.dir, name);
  journal.addSynced({ t: 'end', report: null });
  return 0;
}

function abortDiscard(transaction: Transaction): number {
  const { port, journal } = transaction;
  const { begin, reopened } = journal.record;
  if (begin.discards?.live === true && reopened === null) {
    // Only copies were made.
    removePath(port, parentOf(journal.dir), nameOf(journal.dir));
    return 0;
  }
  const left = restoreEntries(transaction);
  journal.addSynced(left > 0 ? { t: 'discarded' } : { t: 'end', report: null });
  // A discard that never took place is not part of the history.
  if (left === 0 && reopened === null) removePath(port, parentOf(journal.dir), nameOf(journal.dir));
  return left;
}

/** `abort` after an error, which takes precedence. @param forget also removes the journal, to free space */
export function abortQuietly(transaction: Transaction, forget: boolean): void {
  const { port, journal } = transaction;
  orNull(() => {
    abort(transaction);
    if (forget) removePath(port, parentOf(journal.dir), nameOf(journal.dir));
  });
}

/** `applied` to `closed`, for the undo of commit `of`. Idempotent; in a live session it stops until quiet. */
async function closeUndo(task: Task, report: CommitReport, of: number): Promise<CommitReport> {
  const { ctx, journal } = task;
  if (!ctx.quiet && !isPendingAlready(task)) return partial(task, report, PENDING_WHEN_QUIET);
  noteInPlace(task);
  const kept = ctx.quiet ? await insertPending(task, task.earlier !== undefined) : keptBeside(task);
  await closeRecords(task, of, kept);
  journal.sync();
  if (kept.length === 0) removePath(task.port, journal.dir, BACK);
  const told = withKept(report, kept);
  journal.addSynced({ t: 'end', report: told, at: endTime() }, { t: 'dropped' });
  return told;
}

function withKept(report: CommitReport, kept: readonly Kept[]): CommitReport {
  const others = kept.filter(({ later }) => later !== true);
  const failed = others.map(({ path, at }) => ({ path, message: sessionHasOther(at) }));
  const beside = kept.filter(({ later }) => later === true).map(({ path, at }) => ({ path, at }));
  return {
    ...report,
    ...(failed.length === 0 ? {} : { state: 'partial', failed: [...report.failed, ...failed] }),
    ...(beside.length === 0 ? {} : { beside }),
  };
}

/** Marks units as done that failed after their rename: the host has their result. */
function noteInPlace(task: Task): void {
  const { port, journal } = task;
  const { failed, unitOf } = journal.record;
  if (failed.size === 0) return;
  useAndClose(hostDirs(task), (dirs) => {
    for (const [i, note] of failed) {
      const unit = unitOf.get(i);
      if (unit !== undefined && isInPlace(port, dirs, unit)) journal.add({ t: 'done', i, note });
    }
  });
}

async function closeRecords(task: Task, of: number, kept: readonly Kept[]): Promise<void> {
  const { port, ctx, journal } = task;
  const { record } = journal;
  // Before the bases: an image is another link of what the host has again, so removing it changes the ctime.
  const commit = markUndone(task, of);
  await useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
    // Directories that were moved back whole, and are in the upper exactly as their units say.
    const trees = record.units
      .filter((unit) => unit.kind === 'move-to-store')
      .filter(({ i, path, born }) => record.done.get(i) === '' && isStillOurs(born, uppers.lstat(path)));
    const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
    const paths = touchedPaths(record).filter((path) => !whole.has(path));
    const reverted = revertedPaths(record, commit).filter((path) => !whole.has(path));
    const all = new Set([...paths, ...reverted, ...trees.map(({ path }) => path)]);
    const found = await uppers.lstatEach([...all], new Pace());
    // Host directories that an upper hides are recorded with their names, since a new one is a conflict.
    const hiding = paths.filter((path) => {
      const upper = found.get(path);
      return upper !== undefined && upper.type !== 'dir';
    });
    await rebaseResults(task, paths, new Set(hiding), commit);
    baseOnNothing(ctx, whole);
    if (commit !== null) restoreBases(ctx, commit, new Set([...paths, ...whole]));
    if (commit !== null) noteBeside(journal, commit);
    // A redo requires these very entries, and commits no others: what a later call has made of the rest is not as committed.
    const deleted = deletedPaths(record, commit);
    const others = new Set(kept.map(({ path }) => path));
    const entries = [...all].sort().flatMap((path) => {
      const stat = found.get(path);
      const isOther = stat !== undefined && deleted.has(path) && !isWhiteout(stat);
      if (isOther || others.has(path) || isBelowAny(path, others)) return [];
      return [{ path, id: stat === undefined ? null : identityOf(stat) }];
    });
    journal.add({ t: 'same', entries, ...(trees.length > 0 ? { trees: trees.map(({ i }) => i) } : {}) });
  });
}

/** Any entry of the host's at these paths is newer, so a conflict. */
function baseOnNothing(ctx: SessionContext, paths: ReadonlySet<BytePath>): void {
  if (paths.size === 0) return;
  const base = { state: 'absent' } as const;
  const entries = [...paths].map((path): [BytePath, BaseRecord] => [path, { path, base, listed: false }]);
  appendBases(ctx, readBaseFile(ctx), entries);
}

function touchedPaths({ units, done }: CommitRecord): BytePath[] {
  const paths = units
    .filter(({ i }) => done.has(i))
    .flatMap((unit) => [unit.path, ...resultOf(unit).map(({ path }) => path)]);
  return [...new Set(paths)].sort();
}

function revertedPaths(undo: CommitRecord, commit: CommitRecord | null): BytePath[] {
  const reverted = revertedUnits(undo, true);
  const units = commit?.units.filter(({ i }) => reverted.has(i)) ?? [];
  return units.flatMap(entriesOf).map(({ path }) => path);
}

/** What the undone commit deleted, without what was in it. */
function deletedPaths(undo: CommitRecord, commit: CommitRecord | null): ReadonlySet<BytePath> {
  const reverted = revertedUnits(undo, true);
  const units = commit?.units.filter(({ i, kind }) => reverted.has(i) && kind === 'delete') ?? [];
  return new Set(units.map(({ path }) => path));
}

function revertedUnits({ units, done }: CommitRecord, isDone: boolean): Set<number> {
  return new Set(units.filter(({ i }) => done.has(i) === isDone).flatMap(({ reverts }) => reverts ?? []));
}

function markUndone({ port, ctx, journal: { record: undo }, commit }: Task, of: number): CommitRecord | null {
  const dirOf = commitDir(ctx, of);
  const journal = commit === undefined ? openJournal(port, dirOf) : new Journal(port, dirOf, commit);
  if (journal === null) return null;
  const { record, dir } = journal;
  const open = revertedUnits(undo, false);
  const refused = new Set(undo.refused.map(({ path }) => path));
  const isRefused = (i: number) => refused.has(record.unitOf.get(i)?.path ?? ('/' as BytePath));
  const units = [...revertedUnits(undo, true)].filter((i) => !open.has(i) && !isRefused(i));
  useAndClose(journal, () => journal.addSynced({ t: 'undone', by: undo.n, units }));
  if (record.standing().length === 0) removePath(port, dir, BEFORE);
  else if (port.lstat(joinPath(dir, BEFORE)) !== null)
    withHandle(port, port.openDir(joinPath(dir, BEFORE)), (fd) => {
      for (const i of units) removeTree(port, fd, imageName(i));
    });
  return record;
}
