/** Taking a commit back, and committing it again. */
import { toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type {
  CommitReport,
  HistoryEntry,
  HistoryKey,
  HistoryPaths,
  UndoPreview,
  UndoRequest,
} from '../../shared/model/commit.ts';
import type { OnProgress } from '../commit/apply/task.ts';
import { historyPaths, readHistory } from '../commit/history/history.ts';
import { lookSettled } from '../commit/stage/settled.ts';
import { redoCommit } from '../commit/undo/redo.ts';
import { previewUndo, undoCommit } from '../commit/undo/undo.ts';
import { recordBases } from '../overlay/bases.ts';
import { endProcesses } from '../sandbox/live.ts';
import { asQuiet } from '../sandbox/lock.ts';
import { scan } from '../scan/scan.ts';
import type { SessionContext } from '../session/session-context.ts';
import { keepingTimes, returnWritten } from './door/kept-written.ts';
import { log, logCommit } from './door/outcome.ts';
import { withRequest } from './door/with-session.ts';

type Progress = (done: number, total: number, path: string) => void;

/** With what to do about running processes. */
export type UndoOrder = UndoRequest & { endProcesses: boolean };

/** Jobs about commits that are over: what each takes beside the session's context, and what it gives. */
export interface UndoJobs {
  history: { input: null; output: HistoryEntry[] };
  historyPaths: { input: { key: HistoryKey; after: number }; output: HistoryPaths };
  undoPreview: { input: { n: number }; output: UndoPreview };
  undoCommit: { input: UndoOrder; output: CommitReport };
  redo: { input: null; output: CommitReport };
}

type Run<K extends keyof UndoJobs> = (
  ctx: SessionContext,
  input: UndoJobs[K]['input'],
  progress: Progress,
) => Promise<UndoJobs[K]['output']>;

export const UNDO_JOBS: { readonly [K in keyof UndoJobs]: Run<K> } = {
  history: async (ctx) => readHistory(ctx),
  historyPaths: async (ctx, { key, after }) => historyPaths(ctx, key, after),
  undoPreview: (ctx, { n }) => previewUndo(ctx, n),
  undoCommit: undoCommitJob,
  redo: redoJob,
};

async function undoCommitJob(
  ctx: SessionContext,
  { endProcesses: end, ...request }: UndoOrder,
  progress: Progress,
): Promise<CommitReport> {
  return await withRequest(ctx, async (session) => {
    expectNewest(session, request.n);
    await recordBases(session);
    if (end) await endProcesses(session.source);
    const live = (await asQuiet(session)) === null;
    return await told(session, request.n, false, () =>
      undoCommit(session, request, live, ({ done, total, path }) => progress(done, total, toDisplay(path))),
    );
  });
}

async function redoJob(ctx: SessionContext, _: null, progress: Progress): Promise<CommitReport> {
  return await withRequest(ctx, async (session) => {
    await recordBases(session);
    const { found: list, live, settled } = await lookSettled(session, () => scan(session));
    const tell: OnProgress = ({ done, total, path }) => progress(done, total, toDisplay(path));
    return await told(session, 0, true, () =>
      keepingTimes(session, list, () => redoCommit(session, list, live, { settled, onProgress: tell })),
    );
  });
}

/** Like pages of a book: an older commit can only be taken back when the newer ones are. */
function expectNewest(ctx: SessionContext, n: number): void {
  const newest = readHistory(ctx).find(({ can }) => can === 'undo');
  if (newest?.n === n) return;
  const older = readHistory(ctx).find((entry) => entry.n === n);
  const why = older?.why || (older?.state === 'undone' ? 'it is taken back already' : 'it is not the newest');
  throw new TraiError('not-found', `commit ${n} can not be taken back: ${why}`, {
    hint: 'See: trai undo --list',
  });
}

async function told(
  ctx: SessionContext,
  of: number,
  redo: boolean,
  work: () => Promise<CommitReport>,
): Promise<CommitReport> {
  try {
    const report = await work();
    if (!redo) returnWritten(ctx, report);
    await logCommit(ctx, report, report.state);
    return report;
  } catch (error) {
    if (error instanceof TraiError) {
      const none = { n: 0, entries: 0, bytes: 0 };
      await log(ctx, { t: 'commit.undone', of, redo, state: 'refused', ...none, text: error.message });
    }
    throw error;
  }
}
