/** How a transaction gets from phase to phase: `advance` rolls it forward to its end, `abort` ends one that is only staged. */
import { type BytePath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { errorCode } from '../../kernel/fs/port.ts';
import { removePath } from '../../kernel/fs/remove-tree.ts';
import { applyAll, hostDirs, removeStages, restoreModes } from '../apply/apply.ts';
import { dropRecord, forgetMoved } from '../apply/cleanup.ts';
import { indexesIn } from '../apply/git-indexes.ts';
import { BEFORE } from '../apply/images.ts';
import { rebaseResults } from '../apply/rebase-results.ts';
import type { Task } from '../apply/task.ts';
import { type CommitRecord, endTime, type Transaction } from '../journal/journal.ts';
import { entriesOf } from '../journal/unit.ts';
import { BACK } from '../stage/areas.ts';
import { restoreEntries } from '../upper/drop-entries.ts';
import { closeUndo } from './close-undo.ts';

/**
 * Rolls a transaction forward from `ready` to `closed`. Idempotent: what an earlier run has done is recognised. Where it has
 * to stop in between, the journal stays open in the phase that it has reached, and the report says why.
 */
export async function advance(task: Task): Promise<CommitReport> {
  const { live, journal } = task;
  const { report: applied, stopped } = await applyAll(task);
  const report = { ...applied, copies: live };
  if (stopped) return report;
  const { undoes } = journal.record.begin;
  return undoes === undefined ? await closeCommit(task, report) : await closeUndo(task, report, undoes);
}

/** `applied` to `closed`: cleans the upper of a quiet session, or gives the copies of a live one new base records. */
async function closeCommit(task: Task, report: CommitReport): Promise<CommitReport> {
  const { port, ctx, journal, live } = task;
  try {
    // Copies that stay in the upper: without new base records, the next write to one would conflict with our own commit.
    if (live) forgetMoved(port, ctx, journal.record);
    const stay = live ? copiedPaths(journal.record) : (await dropRecord(port, ctx, journal)).stay;
    if (stay.length > 0) await rebaseResults(task, stay);
    journal.add({ t: 'end', report, at: endTime(), ...indexesIn(port, journal.record) });
    if (!live) journal.add({ t: 'dropped' });
    journal.sync();
    return report;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const message = `everything else is as reported, but cleaning up stopped (the next run does it): ${why}`;
    return { ...report, state: 'partial', failed: [...report.failed, { path: ctx.projectRoot, message }] };
  }
}

function copiedPaths({ units, done }: CommitRecord): BytePath[] {
  const copied = units.filter(({ i, kind }) => done.has(i) && kind !== 'move-to-host');
  return copied.flatMap(entriesOf).map(({ path }) => path);
}

/**
 * `staging` to `closed`: removes what was staged, or gives back what a discard has taken out of the uppers. Idempotent.
 *
 * @returns how many entries of a discard found something else in their place: it stays one that can be undone
 */
export function abort(transaction: Transaction): number {
  const { port, journal } = transaction;
  if (journal.record.begin.discards !== undefined) return abortDiscard(transaction);
  const dirs = hostDirs(transaction);
  try {
    removeStages(port, dirs, journal);
    restoreModes(port, dirs, journal);
  } finally {
    dirs.close();
  }
  for (const name of [BEFORE, BACK]) removePath(port, journal.dir, name);
  journal.add({ t: 'end', report: null });
  journal.sync();
  return 0;
}

function abortDiscard(transaction: Transaction): number {
  const { port, journal } = transaction;
  const left = restoreEntries(transaction);
  journal.add(left > 0 ? { t: 'discarded' } : { t: 'end', report: null });
  journal.sync();
  // What never was a discard is no part of the history.
  if (left === 0 && journal.record.reopened === null)
    removePath(port, parentOf(journal.dir), nameOf(journal.dir));
  return left;
}

/**
 * `abort` after an error, which is the one to tell: what can't be rolled back now is rolled back by the next run.
 * @param forget removes the journal, too: what it takes may be what a discard needs
 */
export function abortQuietly(transaction: Transaction, forget: boolean): void {
  const { port, journal } = transaction;
  try {
    abort(transaction);
    if (forget) removePath(port, parentOf(journal.dir), nameOf(journal.dir));
  } catch (error) {
    if (errorCode(error) === null) throw error;
  }
}

/** The error that a user sees for one of the file system's; anything else is left as it is. */
export function asTraiError(
  thrown: unknown,
  what = 'Nothing was applied',
  hint = 'Everything is still pending. Try again.',
): unknown {
  const code = errorCode(thrown);
  if (!(thrown instanceof Error) || code === null || thrown instanceof TraiError) return thrown;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new TraiError(full ? 'no-space' : 'io', `${what}: ${thrown.message}`, {
    hint: full ? `Free some space. ${hint}` : hint,
    cause: thrown,
  });
}
