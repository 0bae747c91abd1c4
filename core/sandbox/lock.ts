/**
 * The session's lock (sessions/<id>/lock), held while entering, committing, discarding and reaping. Only this
 * file makes values of the types below: a parameter's type proves that the lock is held, or that the session
 * is quiet.
 */
import { LOCK_WAIT_S } from '../../shared/limits.ts';
import { withFileLock } from '../kernel/proc/file-lock.ts';
import type { SessionContext } from '../session/session-context.ts';
import { isQuiet } from './live.ts';

declare const HELD: unique symbol;

type Held<S, Quiet extends boolean> = S & { readonly [HELD]: true; readonly quiet: Quiet };

export type Locked<S> = Held<S, true> | Held<S, false>;

/** The lock is held; unless it is `quiet`, processes of the session may write into its uppers. */
export type LiveSession = Locked<SessionContext>;

/** The lock is held and no upper is mounted: mounting needs the lock. */
export type QuietSession = Held<SessionContext, true>;

type Lockable = { sessionDir: string };

interface Hold {
  held: boolean;
  quiet: boolean;
}

const holds = new WeakMap<object, Hold>();

/** Without recovery: what changes the overlay uses core/jobs/door/with-session.ts. Errors: `busy`. */
export async function withLock<S extends Lockable, T>(
  session: S,
  work: (session: Locked<S>) => Promise<T>,
  waitSeconds: number = LOCK_WAIT_S,
): Promise<T> {
  const run = async () => {
    const hold = { held: true, quiet: false };
    try {
      return await work(register(hold, { ...session, quiet: false } as Locked<S>));
    } finally {
      hold.held = false;
    }
  };
  return await withFileLock(`${session.sessionDir}/lock`, run, waitSeconds);
}

/** Marks a context that was built under the lock as locked. */
export function lockedAs<S extends Lockable>(locked: Locked<Lockable>, session: S): Locked<S> {
  if (session.sessionDir !== locked.sessionDir) throw new Error('expected the session whose lock is held');
  return register(holdOf(locked), { ...session, quiet: false } as Locked<S>);
}

/** Null while the session is live. Errors: those of isQuiet. */
export async function asQuiet(session: LiveSession): Promise<QuietSession | null> {
  const hold = holdOf(session);
  hold.quiet ||= await isQuiet(session);
  if (!hold.quiet) return null;
  return session.quiet ? session : register<QuietSession>(hold, { ...session, quiet: true });
}

function register<S extends object>(hold: Hold, locked: S): S {
  holds.set(locked, hold);
  return locked;
}

function holdOf(locked: object): Hold {
  const hold = holds.get(locked);
  if (hold?.held === true) return hold;
  throw new Error('the lock of this session is not held (any more)');
}
