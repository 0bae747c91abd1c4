import { readFileSync } from 'node:fs';
import { dropCommitted } from '../commit/apply/cleanup.ts';
import { mayHavePending } from '../commit/discard/discard.ts';
import { type AdoptNote, logAdoption, takeOverlay } from '../commit/retention/adopt.ts';
import { orNull } from '../kernel/fs/port.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { recordBases } from '../overlay/bases.ts';
import type { LiveSession, QuietSession } from '../sandbox/lock.ts';
import { scan } from '../scan/scan.ts';
import { type Env, sessionDir } from '../session/dirs.ts';
import { readMeta } from '../session/meta-file.ts';
import type { SessionContext } from '../session/session-context.ts';
import { finishInterruptedUndo, giveUpInterrupted, recordAdoption } from './door/recovery.ts';
import { expectQuiet, withSession } from './door/with-session.ts';
import {
  adopterHasChanges,
  adoptsItself,
  clientIsOpen,
  nothingPending,
  otherProject,
  UNTIL_QUIET_TO_ADOPT,
} from './messages/errors.ts';

export interface AdoptRequest {
  stateDir: string;
  from: string;
  to: string;
  env: Env;
}

export type AdoptReport = Pick<AdoptNote, 'from' | 'to' | 'entries'>;

/**
 * Adoption: session `to` goes on with the pending changes of `from`, whose overlay becomes its own. `from`
 * keeps its log and gets an empty overlay. Both locks are held. Nothing is moved on an error, or as its hint
 * says:
 * @throws TraiError `no-session`, `bad-input` (same session, other project), `live`, `not-empty`,
 * `not-found`, `unfinished`, `unsupported`, `busy`, `io`, `no-space`
 */
export async function adoptOverlay({ stateDir, from, to, env }: AdoptRequest): Promise<AdoptReport> {
  if (from === to) throw adoptsItself(to);
  await expectSameProject(sessionDir(stateDir, from), sessionDir(stateDir, to));
  // Locks are taken in one order, against a deadlock of two adoptions.
  const [first = '', second = ''] = [from, to].sort();
  const named = (session: string) => ({ stateDir, session, env });
  return await withSession(named(first), 'live', (one) =>
    withSession(named(second), 'live', async (other) => {
      const ready = [await makeReady(one), await makeReady(other)] as const;
      const [theirs, ours] = first === from ? ready : [ready[1], ready[0]];
      return await adoptBehindDoors(theirs, ours);
    }),
  );
}

async function adoptBehindDoors(from: QuietSession, to: QuietSession): Promise<AdoptReport> {
  await expectNoClient(from);
  if (await mayHavePending(to)) throw adopterHasChanges(to.session);
  await recordBases(from);
  const { changes } = await scan(from);
  if (changes.length === 0) throw nothingPending(from.session);
  takeOverlay(from, to, changes.length);
  await logAdoption(to, recordAdoption);
  return { from: from.session, to: to.session, entries: changes.length };
}

async function expectSameProject(from: string, to: string): Promise<void> {
  const [theirs, ours] = await Promise.all([readMeta(from), readMeta(to)]);
  if (theirs.projectId !== ours.projectId) throw otherProject(theirs, ours);
}

/** Closes earlier transactions: no journal may refer to an overlay that moves. */
async function makeReady(session: LiveSession): Promise<QuietSession> {
  const whose = `session ${session.session}`;
  const quiet = await expectQuiet(session, UNTIL_QUIET_TO_ADOPT, whose);
  await finishInterruptedUndo(quiet);
  await giveUpInterrupted(quiet);
  await dropCommitted(quiet);
  return quiet;
}

/** A client that is still open in `from` would silently go on with an empty overlay. */
async function expectNoClient(from: SessionContext): Promise<void> {
  const { claude } = await readMeta(from.sessionDir);
  for (const { pid, pidStart } of claude) {
    if (pid === null || pidStart === null || processStat(pid)?.start !== pidStart) continue;
    // The same client may be in another session since (`/resume`).
    if (currentSession(from.stateDir, `${pid}.${pidStart}`) !== from.session) continue;
    throw clientIsOpen(from.session, pid);
  }
}

function currentSession(stateDir: string, client: string): string {
  return orNull(() => readFileSync(`${stateDir}/claude-pid/${client}`, 'utf8').trim()) ?? '';
}
