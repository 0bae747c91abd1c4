/** What becomes of a commit, or the undo of one, that was interrupted; it stands in the log. */
import type { CommitReport } from '../../../shared/model/commit.ts';
import { readJournal } from '../../commit/journal/journal-file.ts';
import { closeUnfinished, finishCommit, unfinishedCommit } from '../../commit/recover/recover.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import type { LiveSession, QuietSession } from '../../sandbox/lock.ts';
import { returnWritten } from './kept-written.ts';
import { log, logCommit } from './log-commit.ts';

/** Rolls it forward, or back where it had changed nothing. Null when there is none, or it was rolled back. */
export async function finishInterrupted(session: LiveSession, live: boolean): Promise<CommitReport | null> {
  const n = await unfinishedCommit(session);
  if (n === null) return null;
  const report = await finishCommit(session, live);
  if (report === null) {
    const text = 'it was interrupted before it changed anything; everything is still pending';
    const none = { entries: 0, bytes: 0, conflicts: 0 };
    await log(session, { t: 'commit', n, state: 'refused', ...none, text });
    return null;
  }
  returnWritten(session, report);
  await logCommit(session, report, 'finished-later');
  return report;
}

/** An undo that was interrupted while the session was live waits for quiet, to make its changes pending again. */
export async function finishInterruptedUndo(session: QuietSession): Promise<void> {
  const n = await unfinishedCommit(session);
  const record = n === null ? undefined : readJournal(nodePort, session, n)?.record;
  if (record?.begin.undoes !== undefined) await finishInterrupted(session, false);
}

/**
 * Finishes what it had begun and gives up the rest, which stays pending: what is dropped or moved next must not reach the
 * host by it. Errors: those of closeUnfinished.
 */
export async function giveUpInterrupted(session: QuietSession): Promise<CommitReport | null> {
  const closed = await closeUnfinished(session);
  if (closed !== null) await logCommit(session, closed, 'finished-later');
  return closed;
}
