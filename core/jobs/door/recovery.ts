/**
 * Recovers an interrupted transaction or adoption and logs the outcome. with-session.ts decides when; the
 * functions about commits are called by the jobs, which differ in what they do with an open one.
 */
import type { NewEvent } from '../../../shared/log/events.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import type { OnProgress } from '../../commit/apply/task.ts';
import { readJournal, unfinishedCommit } from '../../commit/journal/journal.ts';
import { closeUnfinished, finishCommit } from '../../commit/recover/recover.ts';
import type { Repaired } from '../../commit/recover/repair.ts';
import type { AdoptNote } from '../../commit/retention/adopt.ts';
import { errorCode, nodePort } from '../../kernel/fs/port.ts';
import { asQuiet, type LiveSession, type QuietSession } from '../../sandbox/lock.ts';
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
    const none = { entries: 0, bytes: 0, conflicts: 0 };
    log(session, { t: 'commit', n, state: 'refused', ...none, text: COMMIT_NOT_BEGUN });
    return null;
  }
  returnWritten(session, report);
  logCommit(session, report, 'finished-later');
  return report;
}

/** An undo interrupted in a live session waits for quiet to make its changes pending. */
export async function finishInterruptedUndo(session: QuietSession): Promise<void> {
  const n = unfinishedCommit(session);
  const record = n === null ? undefined : readJournal(nodePort, session, n);
  if (record?.begin.undoes !== undefined) await finishInterrupted(session);
}

/**
 * Before pending changes are dropped or moved: completes begun units of an open commit, abandons the rest.
 * @throws TraiError as closeUnfinished
 */
export async function giveUpInterrupted(session: QuietSession): Promise<CommitReport | null> {
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
