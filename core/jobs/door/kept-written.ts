/** Who wrote what survives a commit that is taken back: see core/overlay/kept-times.ts. */
import type { ChangeList } from '../../../shared/model/change.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { writeTimes } from '../../attribution/write-times.ts';
import { commitDir, readJournal } from '../../commit/journal/journal.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { keepTimes, returnTimes, TIMES } from '../../overlay/kept-times.ts';
import type { SessionContext } from '../../session/session-context.ts';

/** Runs a commit of the list, and keeps what only its uppers tell. */
export async function keepingTimes(
  ctx: SessionContext,
  list: ChangeList,
  commit: () => Promise<CommitReport>,
): Promise<CommitReport> {
  const times = writeTimes(ctx, list.changes);
  const report = await commit();
  if (report.applied > 0) ignoring(() => keepTimes(timesFile(ctx, report.n), list.changes, times));
  return report;
}

/** After an undo (or what finished one): what is pending again was written when it was before. */
export function returnWritten(ctx: SessionContext, { n }: Pick<CommitReport, 'n'>): void {
  ignoring(() => {
    const record = readJournal(nodePort, ctx, n);
    const of = record?.begin.undoes;
    if (record === null || of === undefined) return;
    // What is in them has its own times; theirs were moved by the rename.
    const moved = record.units.filter((unit) => unit.kind === 'move-to-store');
    const births = new Map(
      moved.flatMap(({ i, path, born }) =>
        record.done.has(i) ? [[path, born.split(':')[3] ?? ''] as const] : [],
      ),
    );
    returnTimes(ctx, timesFile(ctx, of), String(n), Date.parse(record.begin.at), births);
  });
}

function timesFile(ctx: SessionContext, n: number): string {
  return `${Buffer.from(commitDir(ctx, n), 'latin1').toString()}/${TIMES}`;
}

/** The commit or undo is done: that its writers are not known afterwards is no reason to call it failed. */
function ignoring(work: () => void): void {
  try {
    work();
  } catch {
    // A full disk, mostly.
  }
}
