/**
 * Commit: applies reviewed changes to the host as one transaction. The caller (core/jobs/jobs.ts) holds the
 * session's lock, has closed an open transaction (recover/) and has just scanned the list.
 *
 *     plan     the reviewed list and the user's choices -> ordered steps         plan/
 *     stage    compare host and upper again, copy new content beside its target,
 *              sync it, journal every unit, then the line `ready`                stage/, journal/
 *     apply    each unit leaves its entry old or new, keeps its before-image,
 *              and gets a `done` line                                            apply/
 *     clean    quiet: committed entries leave the upper; live: later             apply/cleanup.ts
 *     end      the line `end` closes the journal
 *
 * Until `ready` the host is untouched and a failure rolls back. After it, this run or the next one rolls
 * forward. undo/ is the same transaction with the units reversed, discard/ one that moves entries to the
 * trash, retention/ removes old before-images.
 */
import type { BytePath } from '../../shared/bytes.ts';
import { UNDO_LIMITS } from '../../shared/limits.ts';
import { type ChangeList, sameRevision } from '../../shared/model/change.ts';
import type { CommitReport, CommitRequest } from '../../shared/model/commit.ts';
import { TIMES_RULE } from '../../shared/model/ignore.ts';
import { askMassGuard } from '../../shared/model/mass-guard.ts';
import { Cancelled } from '../kernel/fs/entry-errors.ts';
import { errorCode, type FsPort, isNoSpace, nodePort, useAndCloseAsync } from '../kernel/fs/port.ts';
import type { XattrNames } from '../kernel/fs/xattrs.ts';
import { keepPerl } from '../kernel/perl.ts';
import { openViewer } from '../overlay/viewer.ts';
import { asQuiet, type LiveSession } from '../sandbox/lock.ts';
import { keepImages } from './apply/images.ts';
import type { OnProgress } from './apply/task.ts';
import { beginTransaction, type Journal, type Transaction } from './journal/journal.ts';
import { entriesOf } from './journal/unit.ts';
import { asTraiError, staleList, undoTooLarge } from './messages/errors.ts';
import { STOPPED } from './messages/reasons.ts';
import { type CommitPlan, changesOf, isSelection, planCommit, replacedBytes } from './plan/plan.ts';
import { abortQuietly, advance } from './recover/advance.ts';
import {
  type CheckedStep,
  checkBelieved,
  checkSteps,
  type Findings,
  failGroups,
  failUnread,
} from './stage/check-steps.ts';
import { type Merges, mergesOf, stageMerges } from './stage/merges.ts';
import { askMarks, findMoves, takeMarksOff, uppersOf } from './stage/moves.ts';
import { collectOverrides } from './stage/overrides.ts';
import { type Copy, checkSpace, chooseBases, copyAll, type Staging, withStaging } from './stage/stage.ts';
import { writeUnits } from './stage/unit-of-step.ts';
import { dirsAbove, unlisted } from './stage/uppers.ts';

export interface CommitTools {
  port?: FsPort;
  onProgress?: OnProgress | undefined;
  redoes?: number;
  /** The effect rules by which it is committed without a request. */
  auto?: string;
  cancelled?: (() => boolean) | undefined;
  /** The session was quiet before the scan, and is locked since: the list of new directories is trusted. */
  settled?: boolean | undefined;
}

interface Order {
  list: ChangeList;
  plan: CommitPlan;
  merges: Merges;
  reversible: boolean;
  marks: Promise<XattrNames> | null;
  tools: CommitTools;
}

/**
 * Applies `list`, which the caller has just scanned, to the host. Unless the session is quiet, nothing leaves
 * an upper. No transaction is open.
 * @throws TraiError `stale-revision`, `conflicts`, `mass-guard`, `undo-size`, `no-space`, `io`,
 * `unsupported`: host untouched
 * @returns `partial` when an entry failed, or the commit stopped in the middle or was cancelled
 */
export async function commitAll(
  ctx: LiveSession,
  list: ChangeList,
  request: CommitRequest,
  tools: CommitTools = {},
): Promise<CommitReport> {
  return await keepPerl(async () => await commitList(ctx, list, request, tools));
}

async function commitList(
  ctx: LiveSession,
  list: ChangeList,
  request: CommitRequest,
  tools: CommitTools,
): Promise<CommitReport> {
  if (!sameRevision(list.revision, request.revision, request.includeIgnored)) throw staleList();
  const startedAt = performance.now();
  const { port = nodePort, onProgress, cancelled } = tools;
  const plan = planCommit(list, request);
  if (plan.steps.length === 0 && plan.stale.length > 0) throw staleList();
  askMassGuard(
    ctx,
    isSelection(request) ? { ...list, changes: plan.steps.flatMap(changesOf) } : list,
    request,
  );
  const merges = mergesOf(ctx, plan, request);
  const marks = ctx.quiet ? askMarks(ctx, plan.steps, merges) : null;
  const reversible = request.noUndo !== true;
  const { maxBytes } = ctx.undo ?? UNDO_LIMITS;
  const bytes = replacedBytes(plan);
  if (reversible && bytes > maxBytes) throw undoTooLarge(bytes, maxBytes);
  const order: Order = { list, plan, merges, reversible, marks, tools };
  const transaction: Transaction = { port, ctx, journal: begin(port, ctx, order) };
  const { journal } = transaction;
  return await useAndCloseAsync(journal, async () => {
    try {
      await withStaging(transaction, async (work) => await stageAll(work, order));
    } catch (error) {
      if (error instanceof Cancelled) {
        abortQuietly(transaction, false);
        return cancelledReport(journal, plan, startedAt);
      }
      if (errorCode(error) !== '') abortQuietly(transaction, isNoSpace(error));
      throw asTraiError(error);
    }
    const settled = isSettled(ctx, tools);
    return await advance({
      ...transaction,
      onProgress,
      startedAt,
      cancelled,
      settled,
      unfinished: new Map(),
    });
  });
}

function isSettled({ quiet }: LiveSession, { settled }: CommitTools): boolean {
  return settled === true && quiet;
}

function begin(port: FsPort, ctx: LiveSession, { list, plan, reversible, tools }: Order): Journal {
  try {
    // Changes that are merely not selected do not count as ignored.
    const ignored = plan.ignored.filter(
      (c) => (c.ignored !== null && c.ignored !== TIMES_RULE) || c.pending?.type === 'socket',
    );
    return beginTransaction(port, ctx, {
      revision: list.revision,
      reversible,
      leftOut: [...plan.kept, ...plan.closed, ...plan.ignored, ...plan.stale].map(({ path }) => path),
      kept: plan.kept.length,
      ignored: ignored.length,
      ...(tools.redoes === undefined ? {} : { redoes: tools.redoes }),
      ...(tools.auto === undefined ? {} : { auto: tools.auto }),
    });
  } catch (error) {
    throw asTraiError(error);
  }
}

/** Brings the transaction from `staging` to `ready`. */
async function stageAll(work: Staging, order: Order): Promise<void> {
  const { port, ctx, journal, dirs, uppers, areas } = work;
  const { list, plan, merges, reversible, marks, tools } = order;
  const mayGoOn = () => {
    if (tools.cancelled?.() === true) throw new Cancelled(STOPPED);
  };
  const findings = await checkSteps(work, plan.steps, isSettled(ctx, tools));
  const settle = () => {
    mayGoOn();
    failGroups(plan, findings);
  };
  failUnread(list, plan, findings);
  const bases = chooseBases(areas, findings);
  settle();
  const moves = marks
    ? findMoves(port, ctx, uppers, findings, { marks: await marks, merges })
    : new Set<CheckedStep>();
  await takeMarksOff(uppers, moves, work.pace);
  await checkBelieved(work, findings, moves);
  settle();
  const copied = new Set(findings.checked.filter((one) => !moves.has(one)));
  for (const one of bases.keys()) if (!copied.has(one)) bases.delete(one);
  checkSpace(port, dirs, bases);
  const copies = await copyWithViewer(work, order, findings, bases);
  settle();
  const images = reversible ? await keepImages(work, findings) : null;
  settle();
  const overrides = await collectOverrides(ctx, plan, merges);
  writeUnits(ctx, journal, findings, { copies, moves, images, overrides, merges });
  // A moved directory leaves the upper with its entries; only the directories above remain.
  const paths = journal.record.units.flatMap((unit) =>
    unit.kind === 'move-to-host' ? [unit.path] : entriesOf(unit).map(({ path }) => path),
  );
  journal.add({ t: 'above', entries: dirsAbove(ctx, uppers, paths) });
  journal.add({ t: 'same', entries: await unlisted(ctx, uppers, list.changes, work.pace) });
  journal.add({
    t: 'refused',
    entries: [...findings.failed].map(([path, message]) => ({ path, message })),
  });
  const areCopied = images !== null && [...images.values()].includes('copy');
  await areas.sync([...uppersOf(ctx, moves), ...(areCopied ? [journal.dir] : [])]);
  mayGoOn();
  journal.addSynced({ t: 'ready', units: journal.record.units.length });
}

async function copyWithViewer(
  work: Staging,
  { list, merges }: Order,
  findings: Findings,
  bases: ReadonlyMap<CheckedStep, BytePath>,
): Promise<Map<CheckedStep, Copy>> {
  if (bases.size === 0) return new Map();
  return await useAndCloseAsync(await openViewer(work.ctx), async (viewer) => {
    const copies = await copyAll(work, list, findings, bases, viewer);
    await stageMerges(work, merges, copies.values(), viewer);
    return copies;
  });
}

function cancelledReport({ record }: Journal, plan: CommitPlan, startedAt: number): CommitReport {
  return {
    n: record.n,
    state: 'partial',
    cancelled: true,
    applied: 0,
    bytes: 0,
    failed: [],
    copies: false,
    kept: record.begin.kept,
    ignored: record.begin.ignored,
    notApplied: plan.steps.flatMap(changesOf).map(({ path }) => path),
    ms: Math.round(performance.now() - startedAt),
  };
}

export interface Settled<T> {
  found: T;
  session: LiveSession;
  /** No process can have written to an upper since before `look`, nor can one while the lock is held. */
  settled: boolean;
}

/**
 * Runs `look` and says whether the session was quiet before it: a process that had an upper mounted during
 * `look` may have written and ended before a later check. The lock is held until the result has been used.
 */
export async function lookSettled<T>(session: LiveSession, look: () => Promise<T>): Promise<Settled<T>> {
  const before = await asQuiet(session);
  const found = await look();
  return { found, session: before ?? (await asQuiet(session)) ?? session, settled: before !== null };
}
