/**
 * Recovery: completes what a crash, a kill or a full disk interrupted.
 *
 *     a journal without `end`:
 *       without `ready`  -> roll back: remove the staging directories, the host is untouched
 *       with `ready`     -> roll forward: apply the units without `done`, then conclude
 *       with `abandon`   -> complete what was begun; the rest stays pending
 *     conclude-undo.ts   the same for an undo, whose `back/` then goes into the uppers
 *     repair.ts          an overlay that is between the renames of a discard, an undo or an adoption
 */
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { errorCode, type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { removePath } from '../../kernel/fs/remove-tree.ts';
import type { LiveSession, QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { carryOut, giveUpRest, hostDirs, removeStages, restoreModes } from '../apply/apply.ts';
import { dropRecord, forgetMoved } from '../apply/cleanup.ts';
import { indexesIn } from '../apply/git-indexes.ts';
import { BEFORE } from '../apply/images.ts';
import { rebaseLeft } from '../apply/rebase-left.ts';
import type { Earlier, OnProgress, Task } from '../apply/task.ts';
import {
  type CommitRecord,
  commitDir,
  commitNumbers,
  commitsDir,
  endTime,
  isClosed,
  JOURNAL,
  Journal,
  readJournal,
} from '../journal/journal-file.ts';
import { writeReport } from '../journal/report-file.ts';
import { entriesOf } from '../journal/unit.ts';
import { BACK } from '../stage/areas.ts';
import { concludeUndo } from './conclude-undo.ts';

/** Number of the commit that is not finished, or null. There is never more than one: the next run finishes it first. */
export async function unfinishedCommit(
  ctx: Pick<SessionContext, 'sessionDir'>,
  port: FsPort = nodePort,
): Promise<number | null> {
  for (const n of commitNumbers(port, ctx).reverse()) {
    if (isClosed(port, ctx, n)) return null;
    const found = readJournal(port, ctx, n);
    if (found !== null) return found.record.ended ? null : n;
  }
  return null;
}

/**
 * Finishes the unfinished commit. `live` says whether some process has an upper
 * mounted now. A commit that had not got as far as touching the host is taken back.
 *
 * @returns its report; null when there was none, or it was taken back (everything is still pending)
 */
export async function finishCommit(
  ctx: LiveSession,
  live: boolean,
  onProgress?: OnProgress,
  port: FsPort = nodePort,
): Promise<CommitReport | null> {
  const startedAt = performance.now();
  const found = await reopen(ctx, port);
  if (found === null) return null;
  const { journal, earlier } = found;
  try {
    if (journal.record.ready) {
      return await conclude(
        { port, ctx, journal, earlier, onProgress, startedAt, resumed: true, unfinished: new Map() },
        live,
      );
    }
    takeBack(port, ctx, journal);
    return null;
  } catch (error) {
    throw asTraiError(error);
  } finally {
    journal.close();
  }
}

/**
 * Closes the unfinished commit before pending changes are discarded or replaced: afterwards no later run applies
 * anything of it. What it had begun is finished, the rest stays pending.
 *
 * @returns its report; null when there was none, or it had not touched the host
 * @throws TraiError `unfinished`, `no-space`, `corrupt` when it could not be closed: nothing may be discarded then
 */
export async function closeUnfinished(
  ctx: QuietSession,
  port: FsPort = nodePort,
): Promise<CommitReport | null> {
  const startedAt = performance.now();
  const found = await reopen(ctx, port);
  if (found === null) return null;
  const { journal, earlier } = found;
  try {
    if (!journal.record.ready) {
      takeBack(port, ctx, journal);
      return null;
    }
    const task: Task = {
      ...{ port, ctx, journal, earlier, startedAt, onProgress: undefined, resumed: true },
      unfinished: new Map(),
    };
    giveUpRest(task);
    const report = await conclude(task, false);
    if (journal.record.ended) return report;
    throw notClosed(report.failed.at(-1)?.message ?? 'it stopped');
  } catch (error) {
    const code = errorCode(error);
    if (!(error instanceof Error) || code === null || error instanceof TraiError) throw error;
    throw notClosed(error.message, error);
  } finally {
    journal.close();
  }
}

function notClosed(why: string, cause?: Error): TraiError {
  const full = cause !== undefined && ['ENOSPC', 'EDQUOT'].includes(errorCode(cause) ?? '');
  return new TraiError(
    full ? 'no-space' : 'unfinished',
    `An interrupted commit could not be closed first: ${why}`,
    {
      hint: 'Nothing was discarded. Remove the cause, then try again, or commit to finish it.',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

async function reopen(
  ctx: SessionContext,
  port: FsPort,
): Promise<{ journal: Journal; earlier: Earlier } | null> {
  try {
    const n = await unfinishedCommit(ctx, port);
    const found = n === null ? null : readJournal(port, ctx, n);
    if (n === null || found === null) return null;
    const written = port.lstat(joinPath(commitDir(ctx, n), JOURNAL))?.mtimeNs ?? 0n;
    const earlier = { done: new Set(found.record.done.keys()), until: Number(written / 1_000_000n) + 1 };
    return { journal: new Journal(port, commitDir(ctx, n), found.record, found.torn), earlier };
  } catch (error) {
    throw asTraiError(error);
  }
}

/** The error that a person sees for one of the file system's; anything else is left as it is. */
export function asTraiError(thrown: unknown): unknown {
  const code = errorCode(thrown);
  if (!(thrown instanceof Error) || code === null || thrown instanceof TraiError) return thrown;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new TraiError(full ? 'no-space' : 'io', `Nothing was applied: ${thrown.message}`, {
    hint: full ? 'Free some space and commit again.' : 'Everything is still pending. Try again.',
    cause: thrown,
  });
}

/** Removes the copies of a commit that has not touched the host, and closes its journal. */
export function takeBack(port: FsPort, ctx: SessionContext, journal: Journal): void {
  const dirs = hostDirs(port, ctx, journal);
  try {
    removeStages(port, dirs, journal);
    restoreModes(port, dirs, journal);
  } finally {
    dirs.close();
  }
  for (const name of [BEFORE, BACK]) removePath(port, commitDir(ctx, journal.record.n), name);
  journal.add({ t: 'end', report: null });
  journal.sync();
}

/** The first error is the one to tell; copies that can't be removed now are removed by the next run. */
export function takeBackQuietly(port: FsPort, ctx: SessionContext, journal: Journal, remove: boolean): void {
  try {
    takeBack(port, ctx, journal);
    // Nothing of it is on the host, and what it takes may be what a discard needs.
    if (remove) removePath(port, commitsDir(ctx), String(journal.record.n) as BytePath);
  } catch (error) {
    if (errorCode(error) === null) throw error;
  }
}

/** Applies a `ready` journal, cleans the upper (quiet) or marks its copies (live), and closes the journal. */
export async function conclude(task: Task, live: boolean): Promise<CommitReport> {
  const { port, ctx, journal } = task;
  const { report: done, stopped } = await carryOut({ ...task, live });
  const report = { ...done, copies: live };
  if (stopped) return report;
  if (journal.record.begin.undoes !== undefined)
    return await concludeUndo(task, report, live, journal.record.begin.undoes);
  try {
    // Copies that stay in the upper: without new base records, the next write to one would conflict with our own commit.
    if (live) forgetMoved(port, ctx, journal.record);
    const stay = live ? copiedPaths(journal.record) : (await dropRecord(port, ctx, journal)).stay;
    if (stay.length > 0) await rebaseLeft(task, stay);
    writeReport(port, commitDir(ctx, report.n), report);
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
