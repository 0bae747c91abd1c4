/**
 * The one door to a session's overlay: whatever changes it takes the lock here, and finds it recovered.
 *
 *     take the lock                                                       else `busy`, with the holder
 *     repairLink: close a discard of everything, or its undo; put a missing overlay in its place
 *     make the context, if only the session's name was given
 *     if quiet, repairOverlay: close an interrupted discard of a selection, or its undo
 *     logAdoption: log what an interrupted adoption has moved
 *     check that the context has the covered directories of this overlay  else `stale-revision`
 *     run the work; for `quiet`, when the session is                      else `live`
 *
 * Each step is idempotent and runs once while the lock is held; repairOverlay runs later if the session becomes
 * quiet by then (`expectQuiet`). An interrupted commit or undo is left to the work (recovery.ts): a commit rolls
 * it forward and reports that instead, a discard abandons what it had not begun.
 */
import { existsSync, readlinkSync } from 'node:fs';
import { joinPath, parentOf } from '../../../shared/bytes.ts';
import {
  needsRepair,
  openDiscard,
  type RepairedSession,
  repairLink,
  repairOverlay,
} from '../../commit/recover/repair.ts';
import { adoptionWaits, logAdoption } from '../../commit/retention/adopt.ts';
import { freeReserve, keepReserve } from '../../commit/retention/reserve.ts';
import { fsPath, orNull } from '../../kernel/fs/port.ts';
import { isClientRunning } from '../../sandbox/client-door.ts';
import { sessionContext } from '../../sandbox/context.ts';
import { liveProcesses } from '../../sandbox/live.ts';
import {
  asQuiet,
  type LiveSession,
  type Locked,
  lockedAs,
  type QuietSession,
  withLock,
} from '../../sandbox/lock.ts';
import { type Env, sessionDir } from '../../session/dirs.ts';
import { expectLog } from '../../session/log/append.ts';
import type { CoveredDir, SessionContext } from '../../session/session-context.ts';
import { isLive, MovedOn, UNTIL_CLIENT_ENDS, UNTIL_QUIET } from '../messages/errors.ts';
import { log } from './outcome.ts';
import { finishDiscardLive, recordAdoption, repairedEvent } from './recovery.ts';

export interface SessionName {
  stateDir: string;
  session: string;
  env: Env;
}

/**
 * - `read`: nothing is changed while the work runs, and nothing is recovered
 * - `live`: processes of the session may be running
 * - `quiet`: none is
 */
export type Mode = 'read' | 'live' | 'quiet';

/**
 * @throws TraiError `busy`, `live`, `stale-revision` (a context of an earlier overlay), and those of `work`
 */
export function withSession<T>(
  who: SessionContext | SessionName,
  mode: 'quiet',
  work: (session: QuietSession) => Promise<T>,
): Promise<T>;
export function withSession<T>(
  who: SessionContext | SessionName,
  mode: 'live' | 'quiet',
  work: (session: LiveSession) => Promise<T>,
): Promise<T>;
export function withSession<T>(
  who: SessionContext,
  mode: 'read',
  work: (session: LiveSession) => Promise<T>,
): Promise<T>;
export async function withSession<T>(
  who: SessionContext | SessionName,
  mode: Mode,
  work: (session: QuietSession) => Promise<T>,
): Promise<T> {
  return await withLock(directoryOf(who), async (locked) => {
    if (mode === 'read' && isContext(who)) return await work(lockedAs(locked, who) as QuietSession);
    const live = await recovered(locked, who);
    // The overloads pass only a LiveSession to a `live` work.
    return await work(mode === 'quiet' ? await expectQuiet(live) : (live as QuietSession));
  });
}

/** For the user's requests: frees the reserve for a full disk, and closes an open discard first. */
export async function withRequest<T>(
  ctx: SessionContext,
  work: (session: LiveSession) => Promise<T>,
): Promise<T> {
  expectLog(ctx.sessionDir);
  return await withSession(ctx, 'live', async (session) => {
    freeReserve(session.sessionDir);
    try {
      if (
        openDiscard(session) !== null &&
        ((await asQuiet(session)) !== null || !(await finishDiscardLive(session)))
      ) {
        await expectQuiet(
          session,
          'An interrupted discard has to be finished first, which takes a session where nothing runs.',
        );
      }
      return await work(session);
    } finally {
      keepReserve(session);
    }
  });
}

/** @throws TraiError `live`, with the processes, when one of the session is running */
export async function expectQuiet(
  session: LiveSession,
  hint = UNTIL_QUIET,
  whose?: string,
): Promise<QuietSession> {
  const quiet = await asQuiet(session);
  if (quiet !== null) {
    recoverQuiet(quiet);
    return quiet;
  }
  const way = isClientRunning(session.sessionDir) ? UNTIL_CLIENT_ENDS : hint;
  throw isLive(await liveProcesses(session.source), way, whose);
}

/** Recovers the overlay before a context is made. Takes the lock only if necessary. */
export async function recoverOverlay(who: SessionName): Promise<void> {
  const at = directoryOf(who);
  const isMissing = !existsSync(`${at.sessionDir}/overlay`) && needsRepair(at);
  if (isMissing || adoptionWaits(at.sessionDir)) await withSession(who, 'live', async () => {});
}

async function recovered(
  locked: Locked<RepairedSession>,
  who: SessionContext | SessionName,
): Promise<LiveSession> {
  const context = async () =>
    isContext(who) ? who : await sessionContext(who.stateDir, who.session, who.env);
  const waits = needsRepair(locked);
  if (waits) {
    // Recovery may be what frees space again.
    freeReserve(locked.sessionDir);
    const repaired = repairLink(locked);
    if (repaired !== null) log(await context(), repairedEvent(repaired));
  }
  const session = lockedAs(locked, await context());
  const quiet = waits ? await asQuiet(session) : null;
  if (quiet !== null) recoverQuiet(quiet);
  if (adoptionWaits(session.sessionDir)) await logAdoption(session, recordAdoption);
  if (!session.coveredDirs.every(isOfOverlay)) throw new MovedOn();
  return session;
}

function recoverQuiet(session: QuietSession): void {
  const repaired = repairOverlay(session);
  if (repaired !== null) log(session, repairedEvent(repaired));
}

function directoryOf(who: SessionContext | SessionName): RepairedSession {
  const { stateDir, session } = who;
  return { stateDir, session, sessionDir: isContext(who) ? who.sessionDir : sessionDir(stateDir, session) };
}

function isContext(who: SessionContext | SessionName): who is SessionContext {
  return 'coveredDirs' in who;
}

/** A damaged link is no proof of another overlay. */
function isOfOverlay({ path, upper }: CoveredDir): boolean {
  const dir = fsPath(parentOf(upper));
  const link = orNull(() => readlinkSync(fsPath(joinPath(parentOf(upper), 'l')), 'latin1'));
  return existsSync(dir) && (link ?? path) === path;
}
