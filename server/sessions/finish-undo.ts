import { readJournal } from '../../shared/commit/node/journal-file.ts';
import { nodePort } from '../../shared/commit/node/port.ts';
import { finishCommit, unfinishedCommit } from '../../shared/commit/node/recover.ts';
import type { SessionContext } from '../../shared/sandbox/types.ts';
import { logCommit } from './job-parts.ts';
import { returnWritten } from './kept-written.ts';

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
