/**
 * Undo of a commit: the same transaction with the units reversed, and the same journal and recovery.
 *
 *     reversal.ts     compare the host with how the commit left it; what differs is a conflict, to be decided
 *     stage-undo.ts   put before-images together, copy what the host has now to `back/` unless
 *                     it can be moved there, journal units
 *     advance         as a commit; then rename `back/` into the uppers, and make deletions whiteouts (upper/)
 *
 * The session's merged view stays the same throughout. redo.ts commits again what an undo made pending.
 */
import { type BytePath, isBelowAny, parentOf } from '../../../shared/bytes.ts';
import { MASS_GUARD_ENTRIES } from '../../../shared/limits.ts';
import type {
  Beside,
  CommitReport,
  MassGuard,
  UndoConflict,
  UndoPreview,
  UndoRequest,
} from '../../../shared/model/commit.ts';
import { errorCode, type FsPort, nodePort, useAndCloseAsync } from '../../kernel/fs/port.ts';
import { keepPerl } from '../../kernel/perl.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { OnProgress } from '../apply/task.ts';
import {
  beginTransaction,
  type CommitRecord,
  commitDir,
  type ReadJournal,
  readJournalIn,
  type Transaction,
} from '../journal/journal.ts';
import { entryCount } from '../journal/unit.ts';
import { asTraiError, massUndo, notUndoable, openUndoConflicts, staleUndo } from '../messages/errors.ts';
import { NEVER_KEPT, NOT_COMPLETE, UNDONE_ALREADY } from '../messages/reasons.ts';
import { abortQuietly, advance } from '../recover/advance.ts';
import { withStaging } from '../stage/stage.ts';
import { compareHost, type Reversal } from './reversal.ts';
import { keptBack, type PendLive, stageUndo } from './stage-undo.ts';

function readUndoable(port: FsPort, ctx: SessionContext, n: number): ReadJournal {
  const found = readJournalIn(port, commitDir(ctx, n));
  if (found === null) throw notUndoable(n, NOT_COMPLETE);
  const { record } = found;
  if (record.phase !== 'closed' || record.begin.undoes !== undefined || record.done.size === 0)
    throw notUndoable(n, NOT_COMPLETE);
  if (record.standing().length === 0) throw notUndoable(n, UNDONE_ALREADY);
  if (!record.begin.reversible) throw notUndoable(n, NEVER_KEPT);
  return found;
}

export async function previewUndo(ctx: SessionContext, n: number): Promise<Omit<UndoPreview, 'processes'>> {
  const { record } = readUndoable(nodePort, ctx, n);
  const reversal = await compareHost(nodePort, ctx, record);
  const { revision, restores, removes, metas, conflicts, unable } = reversal;
  const kept = await keptBack(nodePort, ctx, record, leaveOut(reversal, conflicts.filter(isForeign)));
  const held = withParents(conflicts);
  const heldRestores = new Set(restores.flatMap(({ path }) => (held.has(path) ? [path] : [])));
  const restored = restores.flatMap(({ units }) => units).reduce((sum, unit) => sum + entryCount(unit), 0);
  return {
    n,
    at: record.begin.at,
    revision,
    restored,
    removed: removes.length,
    meta: metas.length,
    conflicts,
    unable,
    kept: kept.map((one) => {
      return { ...one, conflict: held.has(one.path) || isBelowAny(one.path, heldRestores) };
    }),
    guard: guardOf(reversal),
  };
}

function guardOf({ removes, restores }: Reversal): MassGuard | null {
  const count = removes.length + restores.filter(({ now }) => now !== null).length;
  if (count <= MASS_GUARD_ENTRIES) return null;
  return {
    reasons: [`removes or replaces ${count} entries of the host (more than ${MASS_GUARD_ENTRIES})`],
    count,
  };
}

export interface UndoTools {
  port?: FsPort;
  onProgress?: OnProgress;
  /** Without it, what would have to become pending in a live session is refused. */
  pendLive?: PendLive;
}

/**
 * Undoes exactly the entries of commit `n`, without those that the host changed since, unless the user
 * decides so. No transaction is open. Host untouched on an error:
 * @throws TraiError `not-found`, `stale-revision`, `conflicts`, `mass-guard`, `live`, `no-space`, `io`
 */
export async function undoCommit(
  ctx: LiveSession,
  request: UndoRequest,
  tools: UndoTools = {},
): Promise<CommitReport> {
  return await keepPerl(async () => await undoRecord(ctx, request, tools));
}

async function undoRecord(
  ctx: LiveSession,
  request: UndoRequest,
  { port = nodePort, onProgress, pendLive }: UndoTools,
): Promise<CommitReport> {
  const startedAt = performance.now();
  let commit: ReadJournal;
  let transaction: Transaction;
  try {
    commit = readUndoable(port, ctx, request.n);
    transaction = await prepare(ctx, request, commit.record, { port, pendLive });
  } catch (error) {
    throw asTraiError(error);
  }
  return await useAndCloseAsync(
    transaction.journal,
    async () => await advance({ ...transaction, onProgress, startedAt, commit, unfinished: new Map() }),
  );
}

async function prepare(
  ctx: LiveSession,
  request: UndoRequest,
  record: CommitRecord,
  { port, pendLive }: { port: FsPort; pendLive: PendLive | undefined },
): Promise<Transaction> {
  const reversal = await compareHost(port, ctx, record);
  const { going, kept } = await decide(
    reversal,
    request,
    async (left) => await keptBack(port, ctx, record, left),
  );
  const journal = beginTransaction(port, ctx, {
    revision: reversal.revision,
    leftOut: [],
    kept,
    ignored: 0,
    reversible: true,
    undoes: request.n,
  });
  const transaction = { port, ctx, journal };
  try {
    await withStaging(transaction, async (work) => await stageUndo(work, record, going, pendLive));
  } catch (error) {
    if (errorCode(error) !== '') abortQuietly(transaction, true);
    journal.close();
    throw error;
  }
  return transaction;
}

/** What the request leaves of the reversal. @throws TraiError `stale-revision`, `mass-guard`, `conflicts` */
async function decide(
  reversal: Reversal,
  { revision, yes, typedCount, choices, conflicts }: UndoRequest,
  keptOf: (going: Reversal) => Promise<readonly Beside[]>,
): Promise<{ going: Reversal; kept: number }> {
  if (revision !== null && revision !== reversal.revision) {
    throw staleUndo();
  }
  const choiceOf = ({ path }: UndoConflict) => choices[path] ?? conflicts;
  const kept = reversal.conflicts.filter((one) => choiceOf(one) === 'keep-host');
  const going = leaveOut(reversal, [...kept, ...reversal.conflicts.filter(isForeign)]);
  const guard = guardOf(reversal);
  if (guard !== null && !yes && typedCount !== guard.count) {
    throw massUndo(guard, await keptOf(going));
  }
  const open = reversal.conflicts.filter((one) => choiceOf(one) === 'refuse');
  if (open.length > 0) throw openUndoConflicts(open, await keptOf(going));
  return { going, kept: kept.length };
}

/** Entries that the commit did not put there are never touched. */
const isForeign = ({ reason }: UndoConflict): boolean => reason === 'host-new-below';

function withParents(conflicts: readonly UndoConflict[]): Set<BytePath> {
  const found = new Set<BytePath>();
  for (const { path } of conflicts)
    for (let at = path; at !== '/' && !found.has(at); at = parentOf(at)) found.add(at);
  return found;
}

/** Without the conflicts, and what is above them. */
function leaveOut(reversal: Reversal, conflicts: readonly UndoConflict[]): Reversal {
  const kept = withParents(conflicts);
  if (kept.size === 0) return reversal;
  const changed = new Set(reversal.conflicts.map(({ path }) => path));
  return {
    ...reversal,
    removes: reversal.removes.filter(({ path }) => !kept.has(path)),
    trees: reversal.trees.filter(({ entries }) => !entries.some(({ path }) => kept.has(path))),
    restores: reversal.restores.filter(({ path }) => !kept.has(path)),
    metas: reversal.metas.filter(({ path }) => !kept.has(path) || !changed.has(path)),
  };
}
