/**
 * What the sandbox had before a merge, for an undo. Apart from the merging itself: a launcher without a server loads what
 * recovery needs, and comparing texts is not part of it.
 */
import { type BytePath, joinPath, nameOf } from '../../bytes.ts';
import type { BaseRecord } from '../../changes/base-record.ts';
import { appendBases, readBaseFile } from '../../changes/node/base-file.ts';
import type { SessionContext } from '../../sandbox/types.ts';
import { type CommitRecord, commitDir } from './journal-file.ts';
import type { FsPort } from './port.ts';

/** In a commit's directory: what the sandbox had of each merged entry, in a directory named by its id. */
export const MERGED = 'merged' as BytePath;

/** Of a commit: by path, the directory with what the sandbox had before the merge. */
export function beforeMerge(
  port: FsPort,
  ctx: SessionContext,
  record: CommitRecord,
): Map<BytePath, BytePath> {
  const found = new Map<BytePath, BytePath>();
  for (const { path, merged } of record.units) {
    if (merged === undefined) continue;
    const dir = joinPath(joinPath(commitDir(ctx, record.n), MERGED), merged.id as BytePath);
    if (port.lstat(joinPath(dir, nameOf(path)))?.type === 'file') found.set(path, dir);
  }
  return found;
}

/** After an undo: the sandbox’s version is pending again, and has still not seen what the host changed. */
export function restoreBases(ctx: SessionContext, commit: CommitRecord, paths: ReadonlySet<BytePath>): void {
  const entries = commit.units.flatMap(({ path, merged }): [BytePath, BaseRecord][] =>
    merged === undefined || !paths.has(path) ? [] : [[path, { path, base: merged.base, listed: false }]],
  );
  if (entries.length === 0) return;
  const file = readBaseFile(ctx);
  appendBases(ctx, file, entries, Number(file.lastPassNs / 1_000_000n));
}
