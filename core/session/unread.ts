/** Lists of all sessions name one that cannot be read, and go on with the others. */
import type { UnreadSession } from '../../shared/api/types.ts';
import { toErrorBody } from '../../shared/errors.ts';
import { REPAIR_SESSION } from './messages/errors.ts';

/** Of any thrown value: a damaged session must not hide the others. */
export function unreadSession(session: string, thrown: unknown): UnreadSession {
  const { message, path, hint = REPAIR_SESSION } = toErrorBody(thrown).error;
  return { session, message, ...(path === undefined ? {} : { path }), hint };
}
