/**
 * For an undo: the sandbox's versions from before a merge, and base records of overrides. Not in merges.ts,
 * so that a launcher without a server recovers without loading the text merge.
 */
import { type BytePath, joinPath, nameOf } from '../../../shared/bytes.ts';
import type { BaseRecord, BaseState } from '../../../shared/model/base-record.ts';
import { lstatEntry } from '../../kernel/fs/entry.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import { equalsBase, onlyTouched } from '../../scan/judge.ts';
import { type SessionContext, upperPathIn } from '../../session/session-context.ts';
import { type CommitRecord, commitDir } from '../journal/journal.ts';
import type { MergedEntry, Override, PutUnit, Unit } from '../journal/unit.ts';

/** In a commit's directory: the sandbox's version of each merged entry, in a directory named by its id. */
export const MERGED = 'merged' as BytePath;

export function mergedUnits(units: readonly Unit[]): (PutUnit & { merged: MergedEntry })[] {
  return units.flatMap((unit) =>
    unit.kind === 'put' && unit.merged !== undefined ? [{ ...unit, merged: unit.merged }] : [],
  );
}

export function beforeMerge(
  port: FsPort,
  ctx: SessionContext,
  record: CommitRecord,
): Map<BytePath, BytePath> {
  const found = new Map<BytePath, BytePath>();
  for (const { path, merged } of mergedUnits(record.units)) {
    const dir = joinPath(joinPath(commitDir(ctx, record.n), MERGED), merged.id as BytePath);
    if (port.lstat(joinPath(dir, nameOf(path)))?.type === 'file') found.set(path, dir);
  }
  return found;
}

/** After an undo: restores the base records by which the sandbox's version is in conflict with the host. */
export function restoreBases(ctx: SessionContext, commit: CommitRecord, paths: ReadonlySet<BytePath>): void {
  const unseen: Override[] = [
    ...commit.units.flatMap(({ overrides }) => overrides ?? []),
    ...mergedUnits(commit.units).map(({ path, merged }) => ({ path, base: merged.base })),
  ];
  if (unseen.length === 0) return;
  const file = readBaseFile(ctx);
  const entries = unseen.flatMap(({ path, base }): [BytePath, BaseRecord][] => {
    if (base === undefined || !paths.has(path)) return [];
    const known = { listed: false, ...file.records.get(path), path };
    return [[path, { ...known, base: looksUntouched(ctx, path, base) ? { state: 'unknown' } : base }]];
  });
  appendBases(ctx, file, entries);
}

/** What the undo took off the host may happen to equal the base: reaping would remove it as untouched. */
function looksUntouched(ctx: SessionContext, path: BytePath, base: BaseState): boolean {
  const at = upperPathIn(ctx.coveredDirs, path);
  const upper = at === null ? null : lstatEntry(at);
  if (at === null || upper === null) return false;
  return upper.type === 'dir' ? onlyTouched(upper, base) : equalsBase(at, upper, base);
}
