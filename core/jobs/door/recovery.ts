/**
 * Recovers an interrupted transaction or adoption and logs the outcome. with-session.ts decides when; the
 * functions about commits are called by the jobs, which differ in what they do with an open one.
 */
import type { NewEvent } from '../../../shared/log/events.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import type { OnProgress } from '../../commit/apply/task.ts';
import { openJournal, readJournal, unfinishedCommit } from '../../commit/journal/journal.ts';
import { abort } from '../../commit/recover/advance.ts';
import { closeUnfinished, finishCommit } from '../../commit/recover/recover.ts';
import { isForward, openDiscard, type Repaired } from '../../commit/recover/repair.ts';
import type { AdoptNote } from '../../commit/retention/adopt.ts';
import { errorCode, nodePort, useAndCloseAsync } from '../../kernel/fs/port.ts';
import { finishDiscard } from '../../live-sync/discard.ts';
import { refreshView } from '../../live-sync/pend.ts';
import { restoreLive } from '../../live-sync/undo-discard.ts';
import { asQuiet, type LiveSession } from '../../sandbox/lock.ts';
import { sessionDir } from '../../session/dirs.ts';
import { logTo } from '../../session/log/append.ts';
import { readMeta, type SessionMeta, updateMeta } from '../../session/meta-file.ts';
import { COMMIT_NOT_BEGUN, INTERRUPTED, NEWS } from '../messages/texts.ts';
import { log, logCommit, returnWritten, tellAgent } from './outcome.ts';

/** Rolls the open commit or undo forward or back. Null when there is none, or it was rolled back. */
export async function finishInterrupted(
  session: LiveSession,
  onProgress?: OnProgress,
): Promise<CommitReport | null> {
  const n = unfinishedCommit(session);
  if (n === null) return null;
  const report = await finishCommit((await asQuiet(session)) ?? session, { onProgress });
  if (report === null) {
    const none = { entries: 0, bytes: 0, conflicts: 0, auto: '' };
    log(session, { t: 'commit', n, state: 'refused', ...none, text: COMMIT_NOT_BEGUN });
    return null;
  }
  await showUndone(session, report);
  returnWritten(session, report);
  logCommit(session, report, 'finished-later');
  return report;
}

/** After an undo, which has changed the host below what a live session shows. */
export async function showUndone(session: LiveSession, { n }: Pick<CommitReport, 'n'>): Promise<void> {
  const record = readJournal(nodePort, session, n);
  if (record?.begin.undoes === undefined || (await asQuiet(session)) !== null) return;
  await refreshView(
    session,
    record.units.map(({ path }) => path),
  );
}

/** Before anything compares uppers with the host: an interrupted undo has changed one of them only. */
export async function finishInterruptedUndo(session: LiveSession): Promise<void> {
  const n = unfinishedCommit(session);
  const record = n === null ? undefined : readJournal(nodePort, session, n);
  if (record?.begin.undoes !== undefined) await finishInterrupted(session);
}

/**
 * Before pending changes are dropped or moved: completes begun units of an open commit, abandons the rest.
 * @throws TraiError as closeUnfinished
 */
export async function giveUpInterrupted(session: LiveSession): Promise<CommitReport | null> {
  const closed = await closeUnfinished(session);
  if (closed !== null) logCommit(session, closed, 'finished-later');
  return closed;
}

export function repairedEvent({ discard: { name: trash, entries, record }, outcome }: Repaired): NewEvent {
  if (outcome === 'discarded') return { t: 'discard', trash, entries, ended: [] };
  if (outcome === 'undone') return { t: 'undo', what: 'discard', trash, entries };
  const what = record.reopened === null ? 'discard' : 'undo';
  const text = outcome === 'left' ? INTERRUPTED.left[what] : INTERRUPTED.closed[what];
  return { t: 'notice', code: 'unfinished', text };
}

/**
 * Completes an open discard of a live session, or its undo, while processes still run. False when it needs a quiet
 * session. @throws TraiError `io`, `no-space`: it stays open
 */
export async function finishDiscardLive(session: LiveSession): Promise<boolean> {
  const discard = openDiscard(session);
  if (discard?.kind !== 'selection') return discard === null;
  const { record } = discard;
  if (record.begin.discards?.live !== true && record.reopened === null) return false;
  const journal = openJournal(nodePort, discard.dir);
  if (journal === null) return false;
  const outcome = await useAndCloseAsync(journal, async (): Promise<Repaired['outcome']> => {
    const transaction = { port: nodePort, ctx: session, journal };
    if (record.reopened !== null) return (await restoreLive(transaction)).length > 0 ? 'left' : 'undone';
    if (!isForward(discard)) {
      abort(transaction);
      return 'rolled-back';
    }
    return (await finishDiscard(transaction, true)).entries > 0 ? 'discarded' : 'rolled-back';
  });
  log(session, repairedEvent({ discard, outcome }));
  return true;
}

/** Logs an adoption in both sessions, and links both meta.json. */
export async function recordAdoption(stateDir: string, { from, to, entries }: AdoptNote): Promise<void> {
  const known = await readMeta(sessionDir(stateDir, from)).catch((error: unknown) => {
    if (errorCode(error) === 'no-session') return null;
    throw error;
  });
  for (const id of known === null ? [to] : [from, to]) {
    logTo(sessionDir(stateDir, id), { t: 'adopt', from, to, entries });
  }
  if (known !== null) await updateMeta(sessionDir(stateDir, from), (meta) => ({ ...meta, wentOnIn: to }));
  tellAgent(sessionDir(stateDir, to), NEWS.adopted(from));
  await updateMeta(sessionDir(stateDir, to), (meta) => adopter(meta, from, known));
}

function adopter(meta: SessionMeta, from: string, known: SessionMeta | null): SessionMeta {
  const adopted = [...new Set([...(meta.adopted ?? []), from])];
  // What the earlier session's client rewrites by itself is no change in this session either.
  const claudeDirs = [...new Set([...(meta.claudeDirs ?? []), ...(known?.claudeDirs ?? [])])];
  const { wentOnIn: _, ...rest } = meta;
  return { ...rest, adopted, claudeDirs };
}
