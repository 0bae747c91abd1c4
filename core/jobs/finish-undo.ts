import { readJournal } from '../commit/journal/journal-file.ts';
import { finishCommit, unfinishedCommit } from '../commit/recover/recover.ts';
import { nodePort } from '../kernel/fs/port.ts';
import type { SessionContext } from '../session/session-context.ts';
import { returnWritten } from './kept-written.ts';
import { logCommit } from './log-commit.ts';

/** An undo that was interrupted while the session was live waits for quiet, to make its changes pending again. */
export async function finishUndo(ctx: SessionContext): Promise<void> {
  const n = await unfinishedCommit(ctx);
  const record = n === null ? undefined : readJournal(nodePort, ctx, n)?.record;
  if (record?.begin.undoes === undefined) return;
  const report = await finishCommit(ctx, false);
  if (report === null) return;
  returnWritten(ctx, report);
  await logCommit(ctx, report, 'finished-later');
}
