/**
 * Merges of a commit: the staged copy gets the merged content, and the sandbox's version is kept in the
 * commit's directory with its base. An undo makes that version pending again, and a conflict again.
 */
import { createHash } from 'node:crypto';
import { type BytePath, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { CommitRequest } from '../../../shared/model/commit.ts';
import { type MergeResult, mergeChange } from '../../content/merge-entry.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { birthOf, identityOf } from '../../kernel/fs/fingerprint.ts';
import { at, type FsPort, withHandleAsync } from '../../kernel/fs/port.ts';
import { type BaseFile, readBaseFile } from '../../overlay/base-file.ts';
import type { Viewer } from '../../overlay/viewer.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { commitDir, type Transaction } from '../journal/journal.ts';
import type { MergedEntry, Unit } from '../journal/unit.ts';
import {
  copyIsOther,
  mergeNotWritten,
  mergeOverlaps,
  mergeWhileLive,
  notMergeable,
  staleMerge,
  versionNotKept,
} from '../messages/errors.ts';
import type { CommitPlan } from '../plan/plan.ts';
import { copyOut } from './copy.ts';
import { MERGED, mergedUnits } from './merged-before.ts';
import type { Copy } from './stage.ts';

export type Merges = ReadonlyMap<BytePath, MergeResult & { id: string }>;

/**
 * Merges what the request asks for, before anything is touched.
 * @throws TraiError `conflicts` (undecided hunks), `stale-revision` (not as shown), `unsupported`, `live`
 */
export function mergesOf(ctx: LiveSession, plan: CommitPlan, request: CommitRequest): Merges {
  const merges = new Map<BytePath, MergeResult & { id: string }>();
  let records: BaseFile['records'] | null = null;
  const inConflict = plan.steps.flatMap(({ members }) => members.filter(({ conflict }) => conflict !== null));
  for (const change of inConflict) {
    const choice = request.choices[change.id] ?? request.conflicts;
    if (choice !== 'merge' && choice !== 'merge-markers') continue;
    records ??= readBaseFile(ctx).records;
    const merged = mergeChange(ctx, change, records);
    if (typeof merged === 'string') throw notMergeable(change.path, merged);
    const shown = request.merges?.[change.id];
    if (shown !== undefined && shown !== merged.etag) throw staleMerge(change.path);
    if (merged.conflicts > 0 && choice === 'merge') throw mergeOverlaps(change.path, merged.conflicts);
    merges.set(change.path, { ...merged, id: change.id });
  }
  if (!ctx.quiet && merges.size > 0) throw mergeWhileLive();
  return merges;
}

export function mergedEntry(merge: MergeResult & { id: string }): MergedEntry {
  const { id, base, conflicts } = merge;
  return { id, base, print: printOfMerge(merge), ...(conflicts > 0 ? { marks: conflicts } : {}) };
}

function printOfMerge({ content, mode }: MergeResult): string {
  return `${createHash('sha256').update(content).digest('hex')}.${mode.toString(8)}`;
}

/** The choices of a redo. @throws TraiError `stale-revision` when a merge would differ, or can't be made */
export function mergesAgain(
  ctx: SessionContext,
  changes: readonly Change[],
  units: readonly Unit[],
  wanted: ReadonlySet<BytePath>,
): Required<Pick<CommitRequest, 'choices' | 'merges'>> {
  const again = { choices: {} as CommitRequest['choices'], merges: {} as Record<string, string> };
  const merged = mergedUnits(units).filter(({ path }) => wanted.has(path));
  if (merged.length === 0) return again;
  const { records } = readBaseFile(ctx);
  for (const { path, merged: was } of merged) {
    const change = changes.find((one) => one.path === path);
    const now = change === undefined ? null : mergeChange(ctx, change, records);
    if (change === undefined || now === null || typeof now === 'string' || printOfMerge(now) !== was.print)
      throw staleMerge(path);
    // Same content, so the same markers, if any.
    again.choices[change.id] = 'merge-markers';
    again.merges[change.id] = now.etag;
  }
  return again;
}

export async function stageMerges(
  { port, ctx, journal }: Transaction,
  merges: Merges,
  copies: Iterable<Copy>,
  viewer: Viewer,
): Promise<void> {
  for (const copy of copies) {
    const { path } = copy.prepared.step.change;
    const merge = merges.get(path);
    if (merge === undefined) continue;
    const all = joinPath(commitDir(ctx, journal.record.n), MERGED);
    if (port.lstat(all) === null) port.mkdir(all, 0o700);
    const dir = joinPath(all, merge.id as BytePath);
    port.mkdir(dir, 0o700);
    await withHandleAsync(port, port.openDir(dir), async (fd) => {
      const complaint = await copyOut(port, viewer.pathOf(parentOf(path)), [nameOf(path)], fd);
      if (port.lstat(at(fd, nameOf(path)))?.type !== 'file') throw versionNotKept(path, complaint);
    });
    const staged = at(copy.prepared.area.fd, relativeTo(copy.prepared.area.base, path));
    const before = port.lstat(staged);
    if (before?.type !== 'file' || before.nlink !== 1) throw copyIsOther(path);
    // The copy may have a mode that denies its owner to write.
    await writeThrough(port, staged, merge, before.mode);
    const now = port.lstat(staged);
    if (now === null) throw copyIsOther(path);
    copy.born = birthOf(now);
    copy.result = copy.result.map((one) => (one.path === path ? { path, id: identityOf(now) } : one));
  }
}

/** Writes into the same inode: it has the owner, ACLs and attributes of the sandbox's version. */
async function writeThrough(
  port: FsPort,
  staged: BytePath,
  { content, mode }: MergeResult,
  had: number,
): Promise<void> {
  await withHandleAsync(port, port.openEntry(staged), async (entry) => {
    if ((had & 0o200) === 0) port.chmod(at(entry), had | 0o200);
    const { status, stderr } = await port.run(
      'bash',
      ['--norc', '-c', 'exec cat > /proc/self/fd/3'],
      content,
      [entry],
    );
    if (status !== 0) throw mergeNotWritten(stderr.trim());
    port.chmod(at(entry), mode);
  });
}
