/** The records of what a commit took to the host while the session goes on. */
import type { BytePath } from '../../shared/bytes.ts';
import type { BaseRecord } from '../../shared/model/base-record.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { coveringDir, upperPath } from '../sandbox/covered.ts';
import type { SessionContext } from '../session/session-context.ts';
import { appendBases, readBaseFile } from './base-file.ts';
import { noteXattrs } from './base-xattrs.ts';
import { knownBase } from './known-base.ts';

/**
 * Replaces the records of committed entries by what the host has now: it is what the sandbox has. For a commit in a
 * live session, whose entries stay in the upper. Below a directory every path is to be named; `listed` are directories
 * of the host that the sandbox has deleted or replaced.
 */
export async function rebase(
  ctx: SessionContext,
  paths: readonly BytePath[],
  listed: ReadonlySet<BytePath> = new Set(),
): Promise<void> {
  const file = readBaseFile(ctx);
  const entries = paths.map((path): [BytePath, BaseRecord] => {
    const host = lstatEntry(path);
    const base: BaseRecord['base'] = host === null ? { state: 'absent' } : knownBase(ctx, path, host, host);
    const covered = host?.type === 'dir' ? coveringDir(ctx.coveredDirs, path) : null;
    const upper = covered === null ? null : lstatEntry(upperPath(covered, path));
    const born = upper?.type === 'dir' ? { born: String(upper.birthNs) } : {};
    return [path, { path, base, listed: listed.has(path), ...born }];
  });
  noteXattrs(entries);
  appendBases(ctx, file, entries);
}
