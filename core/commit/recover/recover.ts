/**
 * Recovery: completes what a crash, a kill or a full disk interrupted.
 *
 *     the newest journal in a phase before `closed`:
 *       `staging`                      -> abort (advance.ts): remove the staging directories
 *       `ready`, `applying`, `applied` -> advance (advance.ts): apply the units without `done`, then close
 *       with `abandon`                 -> complete what was begun; the rest stays pending
 *     repair.ts: a discard or its undo, or an adoption
 */
import { joinPath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { errorCode, type FsPort, nodePort, useAndCloseAsync } from '../../kernel/fs/port.ts';
import { keepPerl } from '../../kernel/perl.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import { abandonRest } from '../apply/apply.ts';
import type { OnProgress, Task } from '../apply/task.ts';
import { commitDir, JOURNAL, openJournal, unfinishedCommit } from '../journal/journal.ts';
import { asTraiError, commitNotClosed } from '../messages/errors.ts';
import { STOPPED } from '../messages/reasons.ts';
import { abort, advance } from './advance.ts';

/** Rolls the open commit or undo forward, or back from `staging` (null, as when none is open). */
export async function finishCommit(
  ctx: LiveSession,
  { port = nodePort, onProgress }: { port?: FsPort; onProgress?: OnProgress | undefined } = {},
): Promise<CommitReport | null> {
  try {
    return await withOpen({ port, ctx, onProgress }, advance);
  } catch (error) {
    throw asTraiError(error);
  }
}

/**
 * Closes the open commit or undo before pending changes are discarded or replaced, so that no later run
 * applies any of it: completes begun units and abandons the rest.
 * @throws TraiError `unfinished`, `no-space`, `corrupt`: not closed, so nothing may be discarded
 */
export async function closeUnfinished(
  ctx: LiveSession,
  port: FsPort = nodePort,
): Promise<CommitReport | null> {
  try {
    return await withOpen({ port, ctx, onProgress: undefined }, async (task) => {
      abandonRest(task);
      const report = await advance(task);
      if (task.journal.record.phase === 'closed') return report;
      throw commitNotClosed(report.failed.at(-1)?.message ?? STOPPED);
    });
  } catch (error) {
    if (!(error instanceof Error) || errorCode(error) === '' || error instanceof TraiError) throw error;
    throw commitNotClosed(error.message, error);
  }
}

async function withOpen(
  { port, ctx, onProgress }: Pick<Task, 'port' | 'ctx' | 'onProgress'>,
  forward: (task: Task) => Promise<CommitReport>,
): Promise<CommitReport | null> {
  const startedAt = performance.now();
  const n = unfinishedCommit(ctx, port);
  if (n === null) return null;
  const dir = commitDir(ctx, n);
  const written = port.lstat(joinPath(dir, JOURNAL))?.mtimeNs ?? 0n;
  const journal = openJournal(port, dir);
  if (journal === null) return null;
  return await useAndCloseAsync(journal, async () => {
    if (journal.record.phase === 'staging') {
      abort({ port, ctx, journal });
      return null;
    }
    const earlier = { done: new Set(journal.record.done.keys()), until: Number(written / 1_000_000n) + 1 };
    const unfinished = new Map<number, string>();
    const task = { port, ctx, journal, earlier, onProgress, startedAt, unfinished };
    return await keepPerl(async () => await forward(task));
  });
}
