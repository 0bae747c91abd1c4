/**
 * The session's lock, sessions/<id>/lock, and what holding it proves: held while entering, committing, discarding and
 * reaping. Only the functions here make values of these types, so that a parameter says what its function needs.
 */
import { LOCK_WAIT_S } from '../../shared/limits.ts';
import { withFileLock } from '../kernel/proc/file-lock.ts';
import type { SessionContext } from '../session/session-context.ts';
import { isQuiet } from './live.ts';

declare const HELD: unique symbol;
declare const QUIET: unique symbol;

/** This process holds the lock of the session. */
export type Locked<S> = S & { readonly [HELD]: true };

/** The lock is held; processes of the session may be running, and write into its uppers. */
export type LiveSession = Locked<SessionContext>;

/** The lock is held and nobody has an upper mounted: nobody can, as long as the lock is held. */
export type QuietSession = LiveSession & { readonly [QUIET]: true };

type Lockable = { sessionDir: string };

/** What is known of the session while its lock is held; gone when it is released. */
const holds = new WeakMap<object, { held: boolean; quiet: boolean }>();

/**
 * Runs `work` under the lock, without recovery: what changes the overlay enters by core/jobs/door/with-session.ts.
 *
 * @throws TraiError `busy`, with the holder, when the lock can't be had in time
 */
export async function withLock<S extends Lockable, T>(
  session: S,
  work: (session: Locked<S>) => Promise<T>,
  waitSeconds: number = LOCK_WAIT_S,
): Promise<T> {
  const run = async () => {
    const hold = { held: true, quiet: false };
    const locked = { ...session } as Locked<S>;
    holds.set(locked, hold);
    try {
      return await work(locked);
    } finally {
      hold.held = false;
    }
  };
  return await withFileLock(`${session.sessionDir}/lock`, run, waitSeconds);
}

/** More about a session whose lock is held: a context that was made under it. */
export function lockedAs<S extends Lockable>(locked: Locked<Lockable>, session: S): Locked<S> {
  if (session.sessionDir !== locked.sessionDir) throw new Error('expected the session whose lock is held');
  const same = { ...session } as Locked<S>;
  holds.set(same, holdOf(locked));
  return same;
}

/**
 * The same session when it is quiet, else null. Under the lock a quiet session stays quiet, while a live one may become it.
 * Errors: those of isQuiet.
 */
export async function asQuiet(session: LiveSession): Promise<QuietSession | null> {
  const hold = holdOf(session);
  hold.quiet ||= await isQuiet(session);
  return hold.quiet ? (session as QuietSession) : null;
}

function holdOf(locked: object): { held: boolean; quiet: boolean } {
  const hold = holds.get(locked);
  if (hold?.held === true) return hold;
  throw new Error('the lock of this session is not held (any more)');
}
