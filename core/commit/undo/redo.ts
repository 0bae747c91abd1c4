/** Redo: commits again exactly what the newest undo made pending, if the session has not changed it since. */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { CommitReport, CommitRequest } from '../../../shared/model/commit.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { isSame } from '../../kernel/fs/fingerprint.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { type CommitTools, commitAll } from '../commit.ts';
import { type CommitRecord, readJournal, redoable } from '../journal/journal.ts';
import { planCommit } from '../plan/plan.ts';
import { mergesAgain } from '../stage/merges.ts';
import { choicesOfRedo } from '../stage/overrides.ts';
import { Uppers } from '../stage/uppers.ts';

/**
 * The caller holds the lock and has just scanned `list`. The mass guard does not ask a second time.
 * @throws TraiError `not-found`, `stale-revision` (changed by the session since), and those of `commitAll`
 */
export async function redoCommit(
  ctx: LiveSession,
  list: ChangeList,
  tools: Partial<CommitTools> = {},
): Promise<CommitReport> {
  const port = tools.port ?? nodePort;
  const undo = redoable(port, ctx);
  if (undo === null) {
    throw new TraiError('not-found', 'nothing was undone that could be committed again', {
      hint: 'A redo commits what the newest undo reverted, and only until the next commit. What is pending is committed with: trai commit. See: trai undo --list',
    });
  }
  expectSame(port, ctx, undo);
  const commit = undo.begin.undoes === undefined ? null : readJournal(port, ctx, undo.begin.undoes);
  const exactly = new Set(undo.same.map(({ path }) => path));
  const again = mergesAgain(ctx, list.changes, commit?.units ?? [], exactly);
  // Only decisions of the undone commit; what the host has changed since the undo is a conflict.
  const choices = { ...choicesOfRedo(port, ctx, list.changes, undo, commit), ...again.choices };
  const request: CommitRequest = {
    ...{ revision: list.revision, includeIgnored: true, conflicts: 'refuse', merges: again.merges, choices },
    ...{ yes: true, typedCount: null, exactly },
  };
  // Host entries in a removed directory are conflicts; other dependencies appeared after the undo.
  const come = planCommit(list, request).along.find(
    ({ rule, change }) => rule !== 'below' || change.pending !== null,
  );
  if (come !== undefined) throw changedSince(come.change.path);
  return await commitAll(ctx, list, request, { ...tools, redoes: undo.n });
}

function expectSame(port: FsPort, ctx: SessionContext, record: CommitRecord): void {
  const latest = new Map(record.same.map(({ path, id }): [BytePath, string | null] => [path, id]));
  const uppers = new Uppers(port, ctx, null);
  try {
    for (const [path, id] of latest) {
      const now = uppers.lstat(path);
      // All whiteouts may be links of one inode, so their fingerprints mean nothing.
      const same = now !== null && isWhiteout(now) ? id?.startsWith('char:') === true : isSame(id, now);
      if (same) continue;
      throw changedSince(path);
    }
    // A directory's fingerprint lacks its attributes; those that the undo found must be pending still.
    const dressed = record.units.filter(
      (unit) => unit.kind === 'meta' && unit.xattrs !== undefined && record.done.has(unit.i),
    );
    const texts = port.xattrsOf(dressed.map(({ path }) => uppers.pathOf(path)));
    const other = dressed.find((unit, i) => unit.kind === 'meta' && texts[i] !== unit.xattrs?.from);
    if (other !== undefined) throw changedSince(other.path);
  } finally {
    uppers.close();
  }
}

function changedSince(path: BytePath): TraiError {
  return new TraiError('stale-revision', `The session has changed ${toDisplay(path)} since it was undone.`, {
    hint: 'Look at the pending changes, then commit them.',
    paths: [toDisplay(path)],
  });
}
