/**
 * Jobs: the actions on one session. A worker thread of the server runs them, so that a commit of 50,000 files
 * never delays the answer to a hook; the command line and tests call them directly.
 *
 *     reading:       scan, preview, history, disk ...; no lock, beside live sessions
 *     changing:      commit, discard, undo, redo, recover, replay: door/with-session.ts locks and recovers,
 *                    lists.ts scans and compares with the review, then core/commit/; door/outcome.ts logs
 *     after a call:  tidy.ts (base records, cleaning, reaping), auto/ (what effect rules commit)
 *     all sessions:  disk.ts (sizes, what can be removed), overlaps.ts, adopt.ts; boxes.ts (what boxes keep)
 */
import type { Input } from '../../shared/api/contract.ts';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type { NewEvent } from '../../shared/log/events.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import type {
  CommitReport,
  CommitRequest,
  DiscardReport,
  HistoryKey,
  Scope,
  ScopedCommitRequest,
  UndoPreview,
  UndoRequest,
  Unseen,
} from '../../shared/model/commit.ts';
import type { OnProgress } from '../commit/apply/task.ts';
import { type CommitTools, commitAll, lookSettled } from '../commit/commit.ts';
import { discardAll, undoDiscard } from '../commit/discard/discard.ts';
import { discardPart, lookAtDiscard } from '../commit/discard/discard-part.ts';
import { historyPaths, readHistory } from '../commit/history/history.ts';
import { unfinishedCommit } from '../commit/journal/journal.ts';
import { discardStopped, notUndoable } from '../commit/messages/errors.ts';
import { NOT_NEWEST, UNDONE_ALREADY } from '../commit/messages/reasons.ts';
import { needsRepair } from '../commit/recover/repair.ts';
import { adoptionWaits } from '../commit/retention/adopt.ts';
import { collectOwn } from '../commit/retention/collect.ts';
import { diskSizes } from '../commit/retention/disk-use.ts';
import { redoCommit } from '../commit/undo/redo.ts';
import { previewUndo, undoCommit } from '../commit/undo/undo.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { discardLive } from '../live-sync/discard.ts';
import { pendLive } from '../live-sync/pend.ts';
import type { ReplayRequest } from '../live-sync/replay.ts';
import { returnableLive, undoDiscardLive } from '../live-sync/undo-discard.ts';
import { recordBases } from '../overlay/bases.ts';
import { withEffects } from '../rules/effects/effects.ts';
import { isClientRunning } from '../sandbox/client-door.ts';
import { asQuiet, type LiveSession } from '../sandbox/lock.ts';
import type { Fingerprints } from '../scan/cache/fingerprints.ts';
import { scan } from '../scan/scan.ts';
import type { SessionContext } from '../session/session-context.ts';
import { autoCommit } from './auto/auto-commit.ts';
import { type BoxPlace, collectInstances, sessionBox, sizedInstances } from './boxes.ts';
import { collect, previewGc } from './disk.ts';
import { keepingDiscarded, keepingTimes, log, logCommit, returnWritten } from './door/outcome.ts';
import { finishInterrupted, giveUpInterrupted, showUndone } from './door/recovery.ts';
import { expectQuiet, withRequest } from './door/with-session.ts';
import { byClient, endOthers } from './end-processes.ts';
import { fatesJob } from './fates.ts';
import { chosenOf, packScan, reviewedList, type ScanRequest, scanJob, withTimes } from './lists.ts';
import { look } from './look.ts';
import {
  MovedOn,
  nothingPending,
  nothingToDiscard,
  UNTIL_QUIET_TO_DISCARD,
  UNTIL_QUIET_TO_UNDO,
} from './messages/errors.ts';
import { overlapsOf, tellCommitted } from './overlaps.ts';
import { previewJob } from './preview-job.ts';
import { replay } from './replay.ts';
import { tidy } from './tidy.ts';

export type Progress = (done: number, total: number, path: string) => void;

type Job = (ctx: SessionContext, input: never, progress?: Progress, signal?: AbortSignal) => Promise<unknown>;

const TABLE = {
  scan: async (ctx, mark: ScanRequest) => await packScan(await scanJob(ctx, mark)),
  preview: previewJob,
  history: async (ctx, _: null) => readHistory(ctx),
  historyPaths: async (ctx, { key, after }: { key: HistoryKey; after: number }) =>
    historyPaths(ctx, key, after),
  undoPreview: async (ctx, { n }: { n: number }): Promise<UndoPreview> => {
    return { ...(await previewUndo(ctx, n)), processes: [...(await byClient(ctx)).others] };
  },
  fates: async (ctx, _: null) => await fatesJob(ctx),
  disk: (ctx, { live }: { live: boolean }) => diskSizes(ctx, live),

  commit: commitJob,
  discard: discardJob,
  undo: undoDiscardJob,
  undoCommit: undoCommitJob,
  redo: redoJob,
  recover: recoverJob,
  replay: (ctx, request: ReplayRequest) => replay(ctx, request),
  look: (ctx, _: null) => look(ctx),
  tidy: (ctx, { earliestCall }: { earliestCall: number | null }) => tidy(ctx, earliestCall),
  autoCommit: (ctx, _: null, __, signal) => autoCommit(ctx, commitListed, signal),
} satisfies Record<string, Job>;

export type JobName = keyof typeof TABLE;

export type Jobs = {
  [K in JobName]: {
    input: Parameters<(typeof TABLE)[K]>[1];
    output: Awaited<ReturnType<(typeof TABLE)[K]>>;
  };
};

export const JOBS: {
  readonly [K in JobName]: (
    ctx: SessionContext,
    input: Jobs[K]['input'],
    progress?: Progress,
    signal?: AbortSignal,
  ) => Promise<Jobs[K]['output']>;
} = TABLE;

interface CollectRequest {
  stateDir: string;
  contexts: readonly SessionContext[];
  order: Input<'gc'>;
}

/** About the state directory: all sessions, of which there need not be any, or one that may have had no call yet. */
const STATE_TABLE = {
  garbage: previewGc,
  collect: ({ stateDir, contexts, order }: CollectRequest) => collect(stateDir, contexts, order),
  box: sessionBox,
  boxes: sizedInstances,
  collectBoxes: ({ ids, ...at }: BoxPlace & Input<'collectBoxes'>) =>
    collectInstances(at, { ids, dry: false }),
};

export type StateJobName = keyof typeof STATE_TABLE;

export type StateJobs = {
  [K in StateJobName]: {
    input: Parameters<(typeof STATE_TABLE)[K]>[0];
    output: Awaited<ReturnType<(typeof STATE_TABLE)[K]>>;
  };
};

export const STATE_JOBS: {
  readonly [K in StateJobName]: (input: StateJobs[K]['input']) => Promise<StateJobs[K]['output']>;
} = STATE_TABLE;

type CommitInput = Unseen<ScopedCommitRequest> & { fingerprints?: Fingerprints | undefined };

async function commitJob(
  ctx: SessionContext,
  { scope, fingerprints, ...order }: CommitInput,
  progress?: Progress,
  signal?: AbortSignal,
): Promise<CommitReport> {
  return await withRequest(ctx, async (locked) => {
    // A running call may have copied entries up since the last pass: records what the host has.
    await recordBases(locked);
    const { found, session, settled } = await lookSettled(locked, () =>
      reviewedList(locked, { ...order, scope, fingerprints }),
    );
    const { stale } = found;
    const list = withEffects(session, found.list);
    const { paths } = await chosenOf(session, withTimes(list, scope), scope);
    const request: CommitRequest = {
      ...order,
      revision: list.revision,
      exactly: paths ?? undefined,
      stale,
    };
    const tools = { settled, onProgress: shown(progress), cancelled: () => signal?.aborted === true };
    const { bytes, conflicts } = list;
    const refused = {
      n: 0,
      state: 'refused',
      entries: list.changes.length,
      bytes,
      conflicts,
      auto: '',
    } as const;
    return await logged(
      session,
      (text) => ({ t: 'commit', ...refused, text }),
      async () => await commitListed(session, list, request, tools),
    );
  });
}

/**
 * Commits a list that was just scanned with the lock held, for the user's request or an effect rule: logs it, and tells
 * the other sessions of the project. Reports an interrupted commit instead if there was one.
 * @throws as `commitAll`
 */
async function commitListed(
  session: LiveSession,
  list: ChangeList,
  request: CommitRequest,
  tools: CommitTools,
): Promise<CommitReport> {
  const { stateDir, session: id } = session;
  // The overlap is a notice only: an error about another session must not fail the commit.
  const shared = await overlapsOf(stateDir, process.env, id).catch(() => []);
  const report = await keepingTimes(session, list, async () => {
    // What it leaves pending has to be reviewed again.
    const earlier = await finishInterrupted(session, tools.onProgress);
    if (earlier !== null) return earlier;
    const done = await commitAll(session, list, request, tools);
    logCommit(session, done, done.state);
    return done;
  });
  await tellCommitted(stateDir, process.env, id, shared).catch(() => undefined);
  // The commit is done; the next one, or `trai gc`, collects again.
  await collectOwn(session).catch(() => undefined);
  return report;
}

/** Newest first: an older commit can be undone only after the newer ones. */
async function undoCommitJob(
  ctx: SessionContext,
  { endProcesses: end, ...request }: UndoRequest & { endProcesses: boolean },
  progress?: Progress,
): Promise<CommitReport> {
  return await withRequest(ctx, async (session) => {
    expectNewest(session, request.n);
    await recordBases(session);
    if (end) await endOthers(session);
    return await logged(session, refusedUndo(request.n, false), async () => {
      const onProgress = shown(progress);
      const earlier = await finishInterrupted(session, onProgress);
      if (earlier !== null) return earlier;
      const tools = { onProgress, pendLive };
      const report = await undoCommit((await asQuiet(session)) ?? session, request, tools);
      await showUndone(session, report);
      returnWritten(session, report);
      logCommit(session, report, report.state);
      return report;
    });
  });
}

function expectNewest(ctx: SessionContext, n: number): void {
  const history = readHistory(ctx);
  if (history.find(({ can }) => can === 'undo')?.n === n) return;
  const older = history.find((entry) => entry.n === n);
  const why = older?.why || (older?.state === 'undone' ? UNDONE_ALREADY : NOT_NEWEST);
  throw notUndoable(n, why);
}

async function redoJob(ctx: SessionContext, _: null, progress?: Progress): Promise<CommitReport> {
  return await withRequest(ctx, async (locked) => {
    const onProgress = shown(progress);
    const earlier = await finishInterrupted(locked, onProgress);
    if (earlier !== null) return earlier;
    await recordBases(locked);
    const { found: list, session, settled } = await lookSettled(locked, () => scan(locked));
    const tools = { settled, onProgress };
    return await logged(session, refusedUndo(0, true), async () => {
      const report = await keepingTimes(session, list, () => redoCommit(session, list, tools));
      logCommit(session, report, report.state);
      return report;
    });
  });
}

function refusedUndo(of: number, redo: boolean): (text: string) => NewEvent {
  return (text) => ({ t: 'commit.undone', of, redo, state: 'refused', n: 0, entries: 0, bytes: 0, text });
}

async function logged<T>(
  session: LiveSession,
  refused: (text: string) => NewEvent,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TraiError) log(session, refused(error.message));
    throw error;
  }
}

function shown(progress: Progress | undefined): OnProgress {
  return ({ done, total, path }) => progress?.(done, total, toDisplay(path));
}

/** Of a live session through its merged view (core/live-sync/discard.ts): what is being written stays pending. */
async function discardJob(
  ctx: SessionContext,
  { scope, revision, endProcesses: end }: Unseen<Input<'discard'>>,
  _?: Progress,
  signal?: AbortSignal,
): Promise<DiscardReport> {
  return await withRequest(ctx, async (session) => {
    // A discard includes ignored entries. Compared before processes are ended: a stale list must end none.
    const asked = { scope, revision, includeIgnored: true };
    let { list } = await reviewedList(session, asked);
    const ended = end ? await endOthers(session) : [];
    const now =
      end && !isClientRunning(session.sessionDir)
        ? await expectQuiet(session, UNTIL_QUIET_TO_DISCARD)
        : ((await asQuiet(session)) ?? session);
    const closed = await giveUpInterrupted(now);
    // Compared again after what ending processes, or a commit that was closed, may have changed.
    if (ended.length > 0 || closed !== null) ({ list } = await reviewedList(now, asked));
    const report = await keepingDiscarded(now, list, () =>
      discardScope(now, list, scope, () => signal?.aborted === true),
    );
    log(now, { t: 'discard', trash: report.trash, entries: report.entries, ended });
    return report;
  });
}

async function discardScope(
  session: LiveSession,
  list: ChangeList,
  scope: Scope,
  cancelled: () => boolean,
): Promise<DiscardReport & { paths: ReadonlySet<BytePath> | null }> {
  const { paths } = await chosenOf(session, list, scope);
  if (cancelled()) throw discardStopped(0);
  const quiet = await asQuiet(session);
  if (quiet !== null && paths === null) return { ...(await discardAll(quiet, list.changes.length)), paths };
  const all = paths ?? new Set(list.changes.map(({ path }) => path));
  const { plan, cannot } = await lookAtDiscard(session, list, all, quiet === null);
  if (all.size === 0) throw nothingPending(session.session);
  if (plan.going.length === 0) throw nothingToDiscard(cannot);
  const tools = { port: nodePort, cancelled };
  const report = quiet === null ? await discardLive(session, plan, tools) : discardPart(quiet, plan, tools);
  return { ...report, paths: new Set(plan.going.map(({ path }) => path)) };
}

/** Of a discard of everything, which moves the overlay itself, in a quiet session only. */
async function undoDiscardJob(
  ctx: SessionContext,
  { trash, endProcesses: end = false }: { trash: string; endProcesses?: boolean },
): Promise<DiscardReport> {
  return await withRequest(ctx, async (session) => {
    if (end) {
      // The client stays, so nothing would be ended to any purpose.
      if (isClientRunning(session.sessionDir) && returnableLive(session, trash) === null)
        await expectQuiet(session);
      await endOthers(session);
    }
    const quiet = await asQuiet(session);
    const live = quiet === null ? returnableLive(session, trash) : null;
    const report =
      live === null
        ? await undoDiscard(quiet ?? (await expectQuiet(session, UNTIL_QUIET_TO_UNDO)), trash)
        : await undoDiscardLive(session, live);
    log(session, { t: 'undo', what: 'discard', trash: report.trash, entries: report.entries });
    return report;
  });
}

/** Null when nothing was interrupted, or the session has adopted an overlay, which has no open commit. */
async function recoverJob(ctx: SessionContext, _: null): Promise<CommitReport | null> {
  const waits = needsRepair(ctx) || adoptionWaits(ctx.sessionDir) || unfinishedCommit(ctx) !== null;
  if (!waits) return null;
  try {
    return await withRequest(ctx, finishInterrupted);
  } catch (error) {
    if (error instanceof MovedOn) return null;
    throw error;
  }
}
