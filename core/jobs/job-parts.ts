/** What the jobs that change a session have in common: the lock, what was reviewed, the log. */

import type { BytePath } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { LOCK_WAIT_S } from '../../shared/limits.ts';
import { type ChangeList, sameRevision } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { staleList } from '../commit/messages.ts';
import { finishPart, openPart, repairMissing } from '../commit/recover/repair.ts';
import { freeReserve, keepReserve } from '../commit/retention/reserve.ts';
import { isQuiet, liveProcesses } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { type Fingerprints, staleAmong } from '../scan/cache/fingerprints.ts';
import type { SessionContext } from '../session/session-context.ts';
import { finishInterrupted } from './adopt.ts';
import { log } from './log-commit.ts';
import { repairAndLog } from './repaired.ts';
import { scanFor } from './scope-list.ts';

/**
 * Under the session's lock, with the room that is kept for a full disk, and with the overlay in its place: all that
 * follows may make directories in there.
 */
export async function locked<T>(ctx: SessionContext, work: () => Promise<T>): Promise<T> {
  return await withLock(ctx.sessionDir, LOCK_WAIT_S, async () => {
    freeReserve(ctx);
    try {
      await repairAndLog(ctx, log, () => repairMissing(ctx));
      await finishOpenPart(ctx);
      if (!(await finishInterrupted(ctx))) throw movedOn();
      return await work();
    } finally {
      keepReserve(ctx);
    }
  });
}

/** Half of a selection is out of the overlay: nothing else may be done with it before the rest has followed. */
async function finishOpenPart(ctx: SessionContext): Promise<void> {
  if (openPart(ctx) === null) return;
  await refuseLive(
    ctx,
    'An interrupted discard has to be finished first, which takes a session where nothing runs.',
  );
  await repairAndLog(ctx, log, () => finishPart(ctx));
}

function movedOn(): TraiError {
  return new TraiError('stale-revision', 'the session has adopted the changes of another one since', {
    hint: 'Review them, then repeat.',
  });
}

export async function refuseLive(ctx: SessionContext, hint: string): Promise<void> {
  if (await isQuiet(ctx)) return;
  const processes = await liveProcesses(ctx.source);
  const running =
    processes.length === 1
      ? '1 process of this session is'
      : `${processes.length} processes of this session are`;
  throw new TraiError('live', `${running} running`, {
    hint,
    paths: processes.map(({ pid, command }) => `${pid} ${command}`),
    data: { processes: processes.length },
  });
}

/** What an order says of the list that it is about. */
interface Reviewed {
  scope: Scope;
  revision: string | null;
  includeIgnored: boolean;
  /** Of the list of that revision, where it is known. */
  fingerprints?: Fingerprints | undefined;
}

/**
 * Scans under the lock. What is applied or dropped is what the person saw: of a list that has moved on only the entries that
 * are not `stale`, or nothing where it is not known which these are. Who saw none means what is pending now.
 */
export async function reviewedList(
  ctx: SessionContext,
  { scope, revision, includeIgnored, fingerprints }: Reviewed,
): Promise<{ list: ChangeList; stale?: ReadonlySet<BytePath> }> {
  const list = await scanFor(ctx, scope);
  if (revision === null || sameRevision(list.revision, revision, includeIgnored)) return { list };
  const stale = fingerprints === undefined ? null : staleAmong(list.changes, fingerprints);
  // Where nothing that was reviewed is left, there is nothing to apply of it.
  if (stale !== null && stale.size < list.changes.length) return { list, stale };
  throw staleList({ revision: list.revision });
}

export async function logTakenBack(ctx: SessionContext, n: number): Promise<void> {
  const text = 'it was interrupted before it changed anything; everything is still pending';
  await log(ctx, { t: 'commit', n, state: 'refused', entries: 0, bytes: 0, conflicts: 0, text });
}
