/**
 * Undo of a commit: the commit with its units reversed, as a transaction of its own with the same journal and recovery.
 *
 *     undo-look.ts    compare the host with how the commit left it: what differs is a conflict, to be decided
 *     undo-trees.ts   directories that nobody touched since go back by one rename
 *     undo-stage.ts   assemble before-images beside their targets
 *     ../upper/       copy what the host has now to `back/`, durable before `ready`
 *     apply           as a commit; then `back/` is renamed into the uppers, deletions become whiteouts
 *
 * The session's view stays the same all the time. redo.ts commits again what an undo made pending.
 */
import { type BytePath, isWithin, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { MASS_GUARD_ENTRIES } from '../../../shared/limits.ts';
import type {
  CommitReport,
  EntryFailure,
  MassGuard,
  UndoPreview,
  UndoRequest,
} from '../../../shared/model/commit.ts';
import { Dirs } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { errorCode, type FsPort, nodePort, Pace } from '../../kernel/fs/port.ts';
import { syncFileSystems } from '../../kernel/fs/sync-dirs.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { hostDirs } from '../apply/apply.ts';
import type { OnProgress } from '../apply/task.ts';
import {
  beginTransaction,
  type CommitRecord,
  commitDir,
  type Journal,
  readJournal,
  type Transaction,
} from '../journal/journal.ts';
import { abortQuietly, advance, asTraiError } from '../recover/advance.ts';
import { finishCommit } from '../recover/recover.ts';
import { type Area, Areas } from '../stage/areas.ts';
import { beforeMerge } from '../stage/merged-before.ts';
import { Uppers } from '../stage/uppers.ts';
import { BackPlan, stageBack } from '../upper/back.ts';
import { lookForUndo, type Restore, type UndoLook } from './undo-look.ts';
import { assemble, checkAssembled } from './undo-stage.ts';
import { findTrees } from './undo-trees.ts';
import { entriesIn, type Planned, type Put, unitsOf } from './undo-units.ts';

/** Most conflicts that a message names. */
const NAMED = 5;

export const REASONS = {
  'host-changed': 'changed on the host since',
  'host-removed': 'removed on the host since',
  'host-created': 'made on the host since',
  'host-new-below': 'came into it on the host since; it stays, with its directory',
} as const;

/** @throws TraiError `not-found`: there is no such commit, or nothing of it to take back */
export function undoableRecord(port: FsPort, ctx: SessionContext, n: number): CommitRecord {
  const record = readJournal(port, ctx, n) ?? null;
  const done = record?.units.filter(({ i }) => record.done.has(i)) ?? [];
  if (record === null || record.phase !== 'closed' || record.begin.undoes !== undefined || done.length === 0)
    throw new TraiError('not-found', `there is no commit ${n} of this session that could be taken back`);
  if (done.every(({ i }) => record.undone.has(i)))
    throw new TraiError('not-found', `commit ${n} is taken back already`);
  if (!record.begin.reversible)
    throw new TraiError('not-found', `commit ${n} was made without keeping what an undo needs`);
  return record;
}

/** What `undoCommit` would do, and what stands in its way. Changes nothing. */
export async function previewUndo(
  ctx: SessionContext,
  n: number,
  port: FsPort = nodePort,
): Promise<UndoPreview> {
  const record = undoableRecord(port, ctx, n);
  const look = await lookNow(port, ctx, record);
  return {
    ...{ n, at: record.begin.at, revision: look.revision },
    restored: look.restores.reduce((sum, { units }) => sum + entriesIn(units), 0),
    removed: look.removes.length,
    meta: look.metas.length,
    conflicts: look.conflicts,
    unable: look.unable,
    guard: guardOf(look),
  };
}

async function lookNow(port: FsPort, ctx: SessionContext, record: CommitRecord): Promise<UndoLook> {
  const dirs = walkHost(port);
  try {
    return await lookForUndo(port, ctx, dirs, record, new Pace());
  } finally {
    dirs.close();
  }
}

/** A walk that opens up nothing. */
function walkHost(port: FsPort): Dirs {
  return new Dirs(port, '/' as BytePath, 0, null);
}

function guardOf({ removes, restores }: UndoLook): MassGuard | null {
  const count = removes.length + restores.filter(({ now }) => now !== null).length;
  if (count <= MASS_GUARD_ENTRIES) return null;
  return {
    reasons: [`removes or replaces ${count} entries of the host (more than ${MASS_GUARD_ENTRIES})`],
    count,
  };
}

/**
 * Takes commit `n` back: exactly its entries, and none that the host changed since, unless the person decided so. An
 * unfinished transaction is finished instead, and its report returned.
 *
 * @throws TraiError `not-found`, `stale-revision`, `conflicts`, `mass-guard`, `live`, `no-space`, `io`: nothing was touched
 */
export async function undoCommit(
  ctx: LiveSession,
  request: UndoRequest,
  live: boolean,
  onProgress?: OnProgress,
  port: FsPort = nodePort,
): Promise<CommitReport> {
  const startedAt = performance.now();
  const earlier = await finishCommit(ctx, live, onProgress, port);
  if (earlier !== null) return earlier;
  let journal: Journal | null = null;
  try {
    const record = undoableRecord(port, ctx, request.n);
    const look = await lookNow(port, ctx, record);
    const kept = decide(look, request);
    journal = beginTransaction(port, ctx, {
      ...{ revision: look.revision, live, leftOut: [], kept, ignored: 0 },
      ...{ reversible: true, undoes: request.n },
    });
    await stage({ port, ctx, journal }, record, look, live);
  } catch (error) {
    if (journal !== null && (errorCode(error) !== null || error instanceof TraiError))
      abortQuietly({ port, ctx, journal }, true);
    journal?.close();
    throw asTraiError(error);
  }
  try {
    return await advance({ port, ctx, journal, live, onProgress, startedAt, unfinished: new Map() });
  } finally {
    journal.close();
  }
}

/** Errors: `stale-revision`, `mass-guard`, `conflicts`. Returns how many conflicts stay as on the host. */
function decide(look: UndoLook, request: UndoRequest): number {
  if (request.revision !== null && request.revision !== look.revision) {
    throw new TraiError('stale-revision', 'The host is not as it was when the undo was looked at.', {
      hint: 'Look at it again, then repeat.',
    });
  }
  const guard = guardOf(look);
  if (guard !== null && !request.yes && request.typedCount !== guard.count) {
    throw new TraiError('mass-guard', `This undo ${guard.reasons.join('; ')}.`, {
      hint: `Confirm with --yes, or with the number (${guard.count}).`,
      data: { count: guard.count },
    });
  }
  return leaveConflicts(
    look,
    (path) => request.choices[path] ?? request.conflicts,
    () => {
      const open = look.conflicts.filter(
        ({ path }) => (request.choices[path] ?? request.conflicts) === 'refuse',
      );
      const named = open.slice(0, NAMED).map(({ path, reason }) => `${toDisplay(path)}: ${REASONS[reason]}`);
      const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
      return new TraiError('conflicts', `The host is not as the commit left it: ${named.join('; ')}${more}`, {
        hint: 'Decide: --conflicts keep-host leaves them as they are, --conflicts take-back undoes them too (what the host has now is pending then).',
        paths: open.map(({ path }) => toDisplay(path)),
        data: { count: open.length },
      });
    },
  );
}

type UndoChoice = (path: BytePath) => 'refuse' | 'keep-host' | 'take-back';

/**
 * Leaves out what stays as it is on the host by choice, with the directories above it.
 *
 * @returns how many conflicts were left
 * @throws TraiError `conflicts` when one is not decided
 */
function leaveConflicts(look: UndoLook, choiceOf: UndoChoice, refusal: () => TraiError): number {
  const kept = new Set<BytePath>();
  let count = 0;
  for (const { path, reason } of look.conflicts) {
    const choice = choiceOf(path);
    if (choice === 'refuse') throw refusal();
    // What the commit did not put there is never touched: the directories above it stay in either case.
    if (choice === 'take-back' && reason !== 'host-new-below') continue;
    if (choice === 'keep-host') count++;
    for (let at = path; at !== '/' && !kept.has(at); at = parentOf(at)) kept.add(at);
  }
  if (kept.size === 0) return count;
  look.removes = look.removes.filter(({ path }) => !kept.has(path));
  look.trees = look.trees.filter(({ entries }) => !entries.some(({ path }) => kept.has(path)));
  const inside = look.conflicts.filter(({ path }) => kept.has(path));
  look.restores = look.restores.filter(({ path }) => !inside.some((one) => isWithin(one.path, path)));
  look.metas = look.metas.filter(({ path }) => !inside.some((one) => one.path === path));
  return count;
}

/** `staging` to `ready`. */
async function stage(
  transaction: Transaction,
  record: CommitRecord,
  look: UndoLook,
  live: boolean,
): Promise<void> {
  const { port, ctx, journal } = transaction;
  const dirs = hostDirs(transaction);
  const uppers = new Uppers(port, ctx, null);
  const areas = new Areas(port, ctx, dirs, journal.record.n);
  const pace = new Pace();
  const refused: EntryFailure[] = [...look.unable];
  try {
    const assembled = await assembleAll({ ...transaction, areas, pace }, record, look, refused);
    const changed = new Set(look.conflicts.map(({ path }) => path));
    const back = new BackPlan(port, ctx, dirs, uppers, changed);
    let units: Planned[];
    try {
      const trees = live ? [] : await findTrees(port, ctx, back, look);
      units = unitsOf(ctx, journal.record.n, look, assembled, trees);
      for (const { shown } of units) {
        await pace.breathe();
        if (shown !== null) await back.addAlone(shown);
      }
    } finally {
      await back.close();
    }
    if (live && back.items.length > 0) throw isLive();
    const instead = beforeMerge(port, ctx, record);
    // What the host has made of a merge since is pending then; the sandbox's own version stays with the commit.
    for (const path of changed) instead.delete(path);
    const failed = await stageBack(port, ctx, journal, back.items, instead);
    for (const [i, message] of back.failed) failed.set(i, message);
    const going = units.filter(({ unit, top }) => !failed.has(unit.i) && !failed.has(top));
    for (const { unit, top } of units) {
      const message = failed.get(unit.i) ?? failed.get(top);
      if (message !== undefined) refused.push({ path: unit.path, message });
    }
    for (const { unit } of going) journal.add(unit);
    for (const { now: _now, moves: _moves, ...line } of back.items) journal.add(line);
    journal.add({ t: 'refused', entries: refused });
    await syncStaged(port, areas, ctx, journal.record.n);
    journal.add({ t: 'ready', units: going.length });
    journal.sync();
  } finally {
    areas.close();
    uppers.close();
    dirs.close();
  }
}

async function syncStaged(port: FsPort, areas: Areas, ctx: SessionContext, n: number): Promise<void> {
  const fd = port.openDir(commitDir(ctx, n));
  try {
    await syncFileSystems(port, [...areas.all.map((area) => area.fd), fd]);
  } finally {
    port.close(fd);
  }
}

function isLive(): TraiError {
  return new TraiError(
    'live',
    'processes of this session are running: what is undone could not be pending again',
    {
      hint: 'Wait until they are done, or end them (--end-processes).',
    },
  );
}

async function assembleAll(
  { port, ctx, journal, areas, pace }: Transaction & { areas: Areas; pace: Pace },
  record: CommitRecord,
  look: UndoLook,
  refused: EntryFailure[],
): Promise<Put[]> {
  const byArea = new Map<Area, Restore[]>();
  for (const restore of look.restores) {
    const base = baseFor(areas, restore.path);
    if (base === null) {
      refused.push({
        path: restore.path,
        message: 'its directory on the host is missing or can not be written',
      });
      continue;
    }
    const area = areas.areaAt(base, (dir, name) => {
      journal.add({ t: 'stage', base: dir, name });
      journal.sync();
    });
    byArea.set(area, [...(byArea.get(area) ?? []), restore]);
  }
  const puts: Put[] = [];
  for (const [area, restores] of byArea) {
    const complaint = await assemble(port, commitDir(ctx, record.n), area, restores);
    for (const restore of restores) {
      const found = await checkAssembled(port, area, restore, pace);
      if (typeof found === 'string')
        refused.push({ path: restore.path, message: complaint === '' ? found : `${found} (${complaint})` });
      else puts.push({ ...found, restore, area });
    }
  }
  return puts;
}

function baseFor(areas: Areas, path: BytePath): BytePath | null {
  try {
    return areas.baseFor(parentOf(path));
  } catch (error) {
    if (entryMessage(error) === null) throw error;
    return null;
  }
}
