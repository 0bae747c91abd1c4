import type { ChangeList } from '../../../shared/model/change.ts';

/** The list of a session before its first call. */
export function emptyList(session: string): ChangeList {
  return {
    session,
    revision: 'empty',
    at: new Date().toISOString(),
    changes: [],
    counts: { added: 0, modified: 0, deleted: 0, replaced: 0, meta: 0 },
    bytes: 0,
    ignored: { count: 0, bytes: 0 },
    conflicts: 0,
    problems: [],
  };
}
