/** What a tab asks about may be gone: that is an answer, not an error of ours. */

import type { SessionContext } from '../../../core/session/session-context.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { WatchedSession } from './watched-session.ts';

interface Parts {
  context: (session: string) => Promise<SessionContext | null>;
}

/** Errors: `not-found` for a session that has not run anything yet. */
export async function contextOrThrow({ context }: Parts, id: string): Promise<SessionContext> {
  const ctx = await context(id);
  if (ctx === null) throw new TraiError('not-found', 'this session has not run anything yet');
  return ctx;
}

/** Errors: `not-found`, when the entry is not in the list any more. */
export async function changeOrThrow(session: WatchedSession, entry: string): Promise<Change> {
  const change = await session.change(entry);
  if (change === null) throw new TraiError('not-found', 'there is no such entry in the list any more');
  return change;
}
