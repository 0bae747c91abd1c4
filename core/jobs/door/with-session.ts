/**
 * The one door to a session's overlay: whatever changes it takes the lock here, and finds the overlay recovered.
 *
 *     take the lock                                                           else `busy`, with the holder
 *     put an overlay in place that a discard, or its undo, left between two renames
 *     make the context, where only the session's name was given
 *     if quiet:
 *       finish the undo of a discard, and the discard of a selection (or its undo), that were begun
 *       put an overlay in place that was adopted and waits                    then a context of before is stale
 *     check that the context names the covered directories of this overlay    else `stale-revision`
 *     run the work; for `quiet`, when the session is                          else `live`
 *
 * Each step is idempotent, and runs once while the lock is held: those that need a quiet session run later when it has become
 * quiet by then (`expectQuiet`). An interrupted commit or undo is left to the work, see recovery.ts: a commit rolls
 * it forward and reports that instead, a discard gives up what it had not begun.
 */
import { existsSync, readlinkSync } from 'node:fs';
import type { BytePath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import {
  needsRepair,
  openDiscard,
  type RepairedSession,
  repairMissing,
  repairOverlay,
} from '../../commit/recover/repair.ts';
import { adoptionWaits, finishAdoption } from '../../commit/retention/adopt.ts';
import { freeReserve, keepReserve } from '../../commit/retention/reserve.ts';
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
import type { SessionContext } from '../../session/session-context.ts';
import { log } from './outcome.ts';
import { adoptionTools, logRepaired } from './recovery.ts';

/** A session by name: its context is made under the lock. */
export interface SessionName {
  stateDir: string;
  session: string;
  env: Env;
}

/**
 * - `read`: nothing is changed while the work runs, and nothing is recovered.
 * - `live`: processes of the session may be running.
 * - `quiet`: none is.
 */
export type Mode = 'read' | 'live' | 'quiet';

/**
 * Runs `work` behind the door.
 *
 * @throws TraiError `busy`, `live` (mode `quiet`), `stale-revision` (the overlay is not the one that the context is of; by
 *   name never), and what recovery and `work` throw
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
    // The overloads give a `live` work a LiveSession only.
    return await work(mode === 'quiet' ? await expectQuiet(live) : (live as QuietSession));
  });
}

/**
 * The door for what the user asks for: with the room that is kept for a full disk, and never while half of a selection is out
 * of the overlay.
 */
export async function withRequest<T>(
  ctx: SessionContext,
  work: (session: LiveSession) => Promise<T>,
): Promise<T> {
  expectLog(ctx.sessionDir);
  return await withSession(ctx, 'live', async (session) => {
    freeReserve(session);
    try {
      if (openDiscard(session) !== null) {
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

/** Errors: `live`, with the processes, when one of the session is running. */
export async function expectQuiet(
  session: LiveSession,
  hint = 'Wait until they are done, or end them.',
  whose = 'this session',
): Promise<QuietSession> {
  const quiet = await asQuiet(session);
  if (quiet !== null) {
    if (await recoverQuiet(quiet)) throw new MovedOn();
    return quiet;
  }
  const processes = await liveProcesses(session.source);
  const [first] = processes;
  const count = processes.length === 1 ? '1 process' : `${processes.length} processes`;
  const what = first === undefined ? 'is busy' : `is live, with ${count} running: ${first.command}`;
  throw new TraiError('live', `${whose} ${what}`, {
    hint,
    paths: processes.map(({ pid, command }) => `${pid} ${command}`),
    data: { processes: processes.length },
  });
}

/** The overlay is another one than that for which the context was made: its places may have other numbers. */
export class MovedOn extends TraiError {
  constructor() {
    super('stale-revision', 'the session has adopted the changes of another one since', {
      hint: 'Review them, then repeat.',
    });
  }
}

/**
 * Where the overlay of a session is missing or another one waits to take its place, puts it there: before a context is made,
 * which reads its covered directories. Otherwise a look and no lock.
 */
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
  if (needsRepair(locked)) {
    // What is to be finished may be what makes room again.
    freeReserve({ ...locked, coveredDirs: [] });
    await logRepaired(locked.sessionDir, repairMissing(locked), async (event) => log(await context(), event));
  }
  const session = lockedAs(locked, await context());
  const waits = needsRepair(session) || adoptionWaits(session.sessionDir);
  const quiet = waits ? await asQuiet(session) : null;
  const adopted = quiet !== null && (await recoverQuiet(quiet));
  if (!isContext(who)) return adopted ? lockedAs(locked, await context()) : session;
  if (adopted || !session.coveredDirs.every(({ path, upper }) => (linkOf(upper) ?? path) === path))
    throw new MovedOn();
  return session;
}

/** What recovery needs a quiet session for; nothing where nothing was begun. True = the overlay is another one by now. */
async function recoverQuiet(session: QuietSession): Promise<boolean> {
  if (needsRepair(session)) {
    const repaired = repairOverlay(session);
    await logRepaired(session.sessionDir, repaired, async (event) => log(session, event));
  }
  if (!adoptionWaits(session.sessionDir)) return false;
  await finishAdoption(session, adoptionTools(session));
  return true;
}

function directoryOf(who: SessionContext | SessionName): RepairedSession {
  const { stateDir, session } = who;
  return { stateDir, session, sessionDir: isContext(who) ? who.sessionDir : sessionDir(stateDir, session) };
}

function isContext(who: SessionContext | SessionName): who is SessionContext {
  return 'coveredDirs' in who;
}

/** The covered directory that the overlay itself names for an upper. Null when there is none to read. */
function linkOf(upper: BytePath): string | null {
  try {
    return readlinkSync(Buffer.from(`${upper.slice(0, -2)}/l`, 'latin1'), 'latin1');
  } catch {
    return null;
  }
}
