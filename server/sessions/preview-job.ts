/** What a commit or discard would do, looked at before it is ordered. */
import type { CommitPreview, PreviewOrder } from '../../shared/api/types.ts';
import { type ChangeList, countChanges } from '../../shared/changes/model.ts';
import { massGuard } from '../../shared/commit/node/guard.ts';
import { undoBytes } from '../../shared/commit/plan.ts';
import { UNDO_LIMITS } from '../../shared/limits.ts';
import { liveProcesses } from '../../shared/sandbox/node/live.ts';
import type { SessionContext } from '../../shared/sandbox/types.ts';

export async function previewJob(
  ctx: SessionContext,
  list: ChangeList,
  { scope, action, includeIgnored }: PreviewOrder,
): Promise<CommitPreview> {
  const processes = await liveProcesses(ctx.source);
  const conflicts = list.changes.flatMap(({ id, path, conflict, ignored }) =>
    conflict !== null && (includeIgnored || ignored === null) ? [{ id, path, reason: conflict }] : [],
  );
  return {
    revision: list.revision,
    ...{ scope, action, along: [], cannot: [], writers: [], linked: [], space: [] },
    totals: { along: 0, cannot: 0, writers: 0, linked: 0 },
    counts: countChanges(list.changes),
    bytes: list.bytes + (includeIgnored ? list.ignored.bytes : 0),
    conflicts,
    ignored: list.ignored,
    guard: massGuard(ctx, list, includeIgnored),
    undo: { bytes: undoBytes(list, includeIgnored), maxBytes: (ctx.undo ?? UNDO_LIMITS).maxBytes },
    processes,
    live: processes.length > 0,
  };
}
