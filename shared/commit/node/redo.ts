/** Redo: commits again exactly what the newest undo made pending again, if the session has not changed it since. */
import type { BytePath } from '../../bytes.ts';
import { isWhiteout } from '../../changes/identity.ts';
import type { ChangeList } from '../../changes/model.ts';
import { openViewer } from '../../changes/node/viewer.ts';
import { TraiError } from '../../errors.ts';
import type { SessionContext } from '../../sandbox/types.ts';
import type { CommitReport } from '../types.ts';
import type { OnProgress } from './apply.ts';
import { commitAll } from './commit.ts';
import { isSame } from './identity.ts';
import { type CommitRecord, commitNumbers, readJournal } from './journal-file.ts';
import { type FsPort, nodePort } from './port.ts';
import { Uppers } from './uppers.ts';

/** The undo that a redo would take back: the newest transaction, when it is one. */
export function redoable(port: FsPort, ctx: Pick<SessionContext, 'sessionDir'>): CommitRecord | null {
  for (const n of commitNumbers(port, ctx).reverse()) {
    const record = readJournal(port, ctx, n)?.record;
    if (record === undefined || (record.ended && record.report === null)) continue;
    return record.ended && record.begin.undoes !== undefined && record.done.size > 0 ? record : null;
  }
  return null;
}

/**
 * The caller holds the session's lock and has just scanned `list`. The mass guard is answered: the person has confirmed
 * the commit once.
 *
 * @throws TraiError `not-found` (nothing to redo), `stale-revision` (the session has changed it since), and what
 *   `commitAll` throws
 */
export async function redoCommit(
  ctx: SessionContext,
  list: ChangeList,
  live: boolean,
  onProgress?: OnProgress,
  port: FsPort = nodePort,
): Promise<CommitReport> {
  const record = redoable(port, ctx);
  if (record === null) throw new TraiError('not-found', 'nothing was taken back that could be done again');
  expectSame(port, ctx, record);
  const only = new Set(record.same.map(({ path }) => path));
  const request = {
    ...{ revision: list.revision, includeIgnored: true, conflicts: 'refuse' as const, choices: {} },
    ...{ yes: true, typedCount: null, only },
  };
  return await commitAll(ctx, list, request, live, onProgress, { port, openViewer, redoes: record.n });
}

function expectSame(port: FsPort, ctx: SessionContext, record: CommitRecord): void {
  const latest = new Map(record.same.map(({ path, id }): [BytePath, string | null] => [path, id]));
  const uppers = new Uppers(port, ctx, null);
  try {
    for (const [path, id] of latest) {
      const now = uppers.lstat(path);
      // All whiteouts may be one inode: none of their numbers means anything.
      const same = now !== null && isWhiteout(now) ? id?.startsWith('char:') === true : isSame(id, now);
      if (same) continue;
      throw new TraiError('stale-revision', 'The session has changed it since it was taken back.', {
        hint: 'Look at the pending changes, then commit them.',
      });
    }
  } finally {
    uppers.close();
  }
}
