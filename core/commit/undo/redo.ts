/** Redo: commits again exactly what the newest undo made pending, if the session has not changed it since. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { CommitReport, CommitRequest } from '../../../shared/model/commit.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { isSame, typeOf } from '../../kernel/fs/fingerprint.ts';
import { type FsPort, nodePort, useAndClose } from '../../kernel/fs/port.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { type CommitTools, commitAll } from '../commit.ts';
import { type CommitRecord, readJournal, redoable } from '../journal/journal.ts';
import { changedSinceUndo, nothingToRedo } from '../messages/errors.ts';
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
  tools: CommitTools = {},
): Promise<CommitReport> {
  const port = tools.port ?? nodePort;
  const undo = redoable(port, ctx);
  if (undo === null) throw nothingToRedo();
  expectSame(port, ctx, undo);
  const commit = undo.begin.undoes === undefined ? null : readJournal(port, ctx, undo.begin.undoes);
  const exactly = new Set(undo.same.map(({ path }) => path));
  const again = mergesAgain(ctx, list.changes, commit?.units ?? [], exactly);
  // Only decisions of the undone commit; what the host has changed since the undo is a conflict.
  const choices = { ...choicesOfRedo(port, ctx, list.changes, undo, commit), ...again.choices };
  const request: CommitRequest = {
    revision: list.revision,
    includeIgnored: true,
    conflicts: 'refuse',
    merges: again.merges,
    choices,
    yes: true,
    typedCount: null,
    exactly,
  };
  // Host entries in a removed directory are conflicts; other dependencies appeared after the undo.
  const come = planCommit(list, request).along.find(
    ({ rule, change }) => rule !== 'below' || change.pending !== null,
  );
  if (come !== undefined) throw changedSinceUndo(come.change.path);
  return await commitAll(ctx, list, request, { ...tools, redoes: undo.n });
}

function expectSame(port: FsPort, ctx: SessionContext, record: CommitRecord): void {
  const latest = new Map(record.same.map(({ path, id }): [BytePath, string | null] => [path, id]));
  useAndClose(new Uppers(port, ctx, null), (uppers) => {
    for (const [path, id] of latest) {
      const now = uppers.lstat(path);
      // All whiteouts may be links of one inode, so their fingerprints mean nothing.
      const same = now !== null && isWhiteout(now) ? typeOf(id) === 'char' : isSame(id, now);
      if (same) continue;
      throw changedSinceUndo(path);
    }
    // A directory's fingerprint lacks its attributes; those that the undo found must be pending still.
    const dressed = record.units.filter(
      (unit) => unit.kind === 'meta' && unit.xattrs !== undefined && record.done.has(unit.i),
    );
    const texts = port.xattrsOf(dressed.map(({ path }) => uppers.pathOf(path)));
    const other = dressed.find((unit, i) => unit.kind === 'meta' && texts[i] !== unit.xattrs?.from);
    if (other !== undefined) throw changedSinceUndo(other.path);
  });
}
