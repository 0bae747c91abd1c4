/**
 * Jobs: the actions on one session. A worker thread of the server runs them, so that a commit of 50,000 files never delays the
 * answer to a hook; the command line and tests call them directly.
 *
 *     reading:   scan, preview, history ...                          no lock; beside live sessions
 *     changing:  commit, discard, undo, redo, adopt, recover         with-session.ts: take the lock, recover;
 *                                                                    reviewed-list.ts: scan, compare with the review;
 *                                                                    then core/commit/; then the log
 *     after a call: tidy.ts (base records, cleaning, reaping)
 *     all sessions: gc.ts, disk.ts, overlaps.ts
 */
import type { CommitPreview, GcOrder, GcPreview, GcReport } from '../../shared/api/types.ts';
import { toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import type {
  CommitOrder,
  CommitReport,
  CommitRequest,
  DiscardOrder,
  DiscardReport,
  Scope,
  Unseen,
} from '../../shared/model/commit.ts';
import type { OnProgress } from '../commit/apply/task.ts';
import { commitAll } from '../commit/commit.ts';
import { discardAll, undoDiscard } from '../commit/discard/discard.ts';
import { discardPart, lookAtDiscard } from '../commit/discard/discard-part.ts';
import { unfinishedCommit } from '../commit/recover/recover.ts';
import { needsRepair } from '../commit/recover/repair.ts';
import { adoptionWaits } from '../commit/retention/adopt.ts';
import { collectOwn } from '../commit/retention/collect.ts';
import { type DiskSizes, diskSizes } from '../commit/retention/disk-use.ts';
import { lookSettled } from '../commit/stage/settled.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { type ReplayReport, type ReplayRequest, replay } from '../live-sync/replay.ts';
import { recordBases } from '../overlay/bases.ts';
import { endProcesses } from '../sandbox/live.ts';
import { asQuiet, type QuietSession } from '../sandbox/lock.ts';
import type { Fingerprints } from '../scan/cache/fingerprints.ts';
import type { SessionContext } from '../session/session-context.ts';
import { keepingTimes } from './door/kept-written.ts';
import { log, logCommit } from './door/outcome.ts';
import { finishInterrupted, giveUpInterrupted } from './door/recovery.ts';
import { expectQuiet, MovedOn, withRequest } from './door/with-session.ts';
import { collect, previewGc } from './gc.ts';
import { overlapsOf, tellCommitted } from './overlaps.ts';
import { type PackedScan, packScan } from './packed-scan.ts';
import { type PreviewInput, previewJob } from './preview-job.ts';
import { chosenOf, reviewedList, withTimes } from './reviewed-list.ts';
import { type ScanOrder, scanJob } from './scan-job.ts';
import { type TidyReport, tidy } from './tidy.ts';
import { UNDO_JOBS, type UndoJobs } from './undo-jobs.ts';

export type Progress = (done: number, total: number, path: string) => void;

/** Every job: what it takes beside the session's context, and what it gives. */
export interface Jobs extends UndoJobs {
  scan: { input: ScanOrder; output: PackedScan };
  preview: { input: PreviewInput; output: CommitPreview };
  /** With the fingerprints of the list that was reviewed, where the server has them. */
  commit: { input: Unseen<CommitOrder> & { fingerprints?: Fingerprints | undefined }; output: CommitReport };
  discard: { input: Unseen<DiscardOrder>; output: DiscardReport };
  undo: { input: { trash: string }; output: DiscardReport };
  /** The start of the first call since a round that found the session quiet, see tidy(). */
  tidy: { input: { earliestCall: number | null }; output: TidyReport };
  recover: { input: null; output: CommitReport | null };
  replay: { input: ReplayRequest; output: ReplayReport };
  disk: { input: { live: boolean }; output: DiskSizes };
  /** About all sessions: the context is any of them. */
  garbage: { input: readonly SessionContext[]; output: GcPreview };
  collect: { input: { contexts: readonly SessionContext[]; order: GcOrder }; output: GcReport };
}
export type JobName = keyof Jobs;

type Run<K extends JobName> = (
  ctx: SessionContext,
  input: Jobs[K]['input'],
  progress: Progress,
  signal?: AbortSignal,
) => Promise<Jobs[K]['output']>;

export const JOBS: { readonly [K in JobName]: Run<K> } = {
  ...UNDO_JOBS,
  scan: async (ctx, mark) => await packScan(await scanJob(ctx, mark)),
  preview: previewJob,
  commit: commitJob,
  discard: discardJob,
  undo: undoJob,
  tidy: (ctx, { earliestCall }) => tidy(ctx, earliestCall),
  recover: recoverJob,
  replay: (ctx, request) => replay(ctx, request),
  disk: (ctx, { live }) => diskSizes(ctx, live),
  garbage: (_, contexts) => previewGc(contexts),
  collect: (_, { contexts, order }) => collect(contexts, order),
};

async function commitJob(
  ctx: SessionContext,
  { scope, fingerprints, ...order }: Jobs['commit']['input'],
  progress: Progress,
  signal?: AbortSignal,
): Promise<CommitReport> {
  return await withRequest(ctx, async (session) => {
    // A running call may have changed something since the last pass: what the host had then must be known.
    await recordBases(session);
    const { found, live, settled } = await lookSettled(session, () =>
      reviewedList(session, { ...order, scope, fingerprints }),
    );
    const { list, stale } = found;
    const { paths } = await chosenOf(session, withTimes(list, scope), scope);
    const request: CommitRequest = {
      ...order,
      ...{ revision: list.revision, exactly: paths ?? undefined, stale },
    };
    try {
      const tell: OnProgress = ({ done, total, path }) => progress(done, total, toDisplay(path));
      const tools = { settled, onProgress: tell, cancelled: () => signal?.aborted === true };
      // Another session's list is not worth a commit that fails.
      const shared = await overlapsOf(ctx.stateDir, process.env, ctx.session).catch(() => []);
      const report = await keepingTimes(session, list, () => commitAll(session, list, request, live, tools));
      await logCommit(session, report, report.state);
      await tellCommitted(ctx.stateDir, process.env, ctx.session, shared).catch(() => undefined);
      // The commit is done, whatever becomes of old before-images: the next commit, or `trai gc`, tries again.
      await collectOwn(session).catch(() => undefined);
      return report;
    } catch (error) {
      if (error instanceof TraiError) {
        await log(session, {
          t: 'commit',
          n: 0,
          state: 'refused',
          entries: list.changes.length,
          bytes: list.bytes,
          conflicts: list.conflicts,
          text: error.message,
        });
      }
      throw error;
    }
  });
}

/** Discard renames the uppers away, which a running process would follow to the host: quiet only. */
async function discardJob(
  ctx: SessionContext,
  input: Unseen<DiscardOrder>,
  _: Progress,
  signal?: AbortSignal,
): Promise<DiscardReport> {
  return await withRequest(ctx, async (session) => {
    // Discard drops the ignored entries too. Before any process is ended: a list that moved on ends none.
    const asked = { scope: input.scope, revision: input.revision, includeIgnored: true };
    let { list } = await reviewedList(session, asked);
    const ended = input.endProcesses ? await endProcesses(session.source) : [];
    const quiet = await expectQuiet(
      session,
      'Discard and end what runs (trai discard --yes --end-processes), or wait until it is done. See also: trai ps',
    );
    const closed = await giveUpInterrupted(quiet);
    // What a process wrote while it ended, and what closing a commit has finished, must have been seen too.
    if (ended.length > 0 || closed !== null) ({ list } = await reviewedList(quiet, asked));
    const report = await discardScope(quiet, list, input.scope, () => signal?.aborted === true);
    await log(quiet, { t: 'discard', trash: report.trash, entries: report.entries, ended });
    return report;
  });
}

async function discardScope(
  session: QuietSession,
  list: ChangeList,
  scope: Scope,
  cancelled: () => boolean,
): Promise<DiscardReport> {
  const { paths } = await chosenOf(session, list, scope);
  if (cancelled()) throw new TraiError('cancelled', 'The discard was stopped; everything is still pending.');
  if (paths === null) return await discardAll(session, list.changes.length);
  const { plan, cannot } = await lookAtDiscard(session, list, paths);
  if (plan.going.length === 0) {
    throw new TraiError('not-found', `nothing of it can be dropped alone: ${cannot[0]?.why ?? ''}`, {
      paths: cannot.map(({ path, why }) => `${toDisplay(path)}: ${why}`),
    });
  }
  return discardPart(session, plan, { port: nodePort, cancelled });
}

/** Undo renames the overlay of the session away as discard does. */
async function undoJob(ctx: SessionContext, { trash }: { trash: string }): Promise<DiscardReport> {
  return await withRequest(ctx, async (session) => {
    const quiet = await expectQuiet(session);
    const report = await undoDiscard(quiet, trash);
    await log(quiet, { t: 'undo', what: 'discard', trash: report.trash, entries: report.entries });
    return report;
  });
}

/** Null when nothing was interrupted, or the session goes on with an adopted overlay: there is no commit in that. */
async function recoverJob(ctx: SessionContext): Promise<CommitReport | null> {
  const waits = needsRepair(ctx) || adoptionWaits(ctx.sessionDir) || (await unfinishedCommit(ctx)) !== null;
  if (!waits) return null;
  try {
    return await withRequest(
      ctx,
      async (session) => await finishInterrupted(session, (await asQuiet(session)) === null),
    );
  } catch (error) {
    if (error instanceof MovedOn) return null;
    throw error;
  }
}
