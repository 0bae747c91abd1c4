/** What a tab asks about may be gone: that is an answer, not an error of ours. */

import type { SessionContext } from '../../../core/session/session-context.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { HeldList } from './held-list.ts';
import type { WatchedSession } from './watched-session.ts';

const NOTHING_RUN = 'this session has not run anything yet';

interface Parts {
  context: (session: string) => Promise<SessionContext | null>;
}

/** Errors: `not-found` for a session that has not run anything yet. */
export async function contextOrThrow({ context }: Parts, id: string): Promise<SessionContext> {
  const ctx = await context(id);
  if (ctx === null) throw new TraiError('not-found', NOTHING_RUN);
  return ctx;
}

/** The list that is at hand, for the worker. Errors: `not-found` for a session that has not run anything yet. */
export async function heldOrThrow(session: WatchedSession): Promise<HeldList> {
  const held = await session.columns();
  if (held === null) throw new TraiError('not-found', NOTHING_RUN);
  return held;
}

/** Errors: `not-found`, when the entry is not in the list any more. */
export async function changeOrThrow(session: WatchedSession, entry: string): Promise<Change> {
  const change = await session.change(entry);
  if (change === null) throw new TraiError('not-found', 'there is no such entry in the list any more');
  return change;
}
