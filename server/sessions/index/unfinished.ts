import { commitDir, commitNumbers, JOURNAL } from '../../../core/commit/journal/journal-file.ts';
import { unfinishedCommit } from '../../../core/commit/recover/recover.ts';
import { nodePort } from '../../../core/kernel/fs/port.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { joinPath } from '../../../shared/bytes.ts';

/** By session directory: what the last look said, and of which journal. */
const looked = new Map<string, { of: string; unfinished: boolean }>();

/** `unfinishedCommit` for a page that asks it of 200 sessions: a journal of 50,000 entries is read once. */
export async function isUnfinished(ctx: SessionContext): Promise<boolean> {
  const newest = commitNumbers(nodePort, ctx).at(-1);
  if (newest === undefined) return false;
  const stat = nodePort.lstat(joinPath(commitDir(ctx, newest), JOURNAL));
  const of = stat === null ? '' : `${newest} ${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  const before = looked.get(ctx.sessionDir);
  if (of !== '' && before?.of === of) return before.unfinished;
  const unfinished = (await unfinishedCommit(ctx)) !== null;
  looked.set(ctx.sessionDir, { of, unfinished });
  return unfinished;
}
