/**
 * The state in which trai last left each path of a commit. Later commits that were undone count: they have
 * put entries there again.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import { typeOf } from '../../kernel/fs/fingerprint.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { type CommitRecord, commitNumbers, readJournal } from '../journal/journal.ts';
import { stampOf } from '../journal/stamps.ts';
import { resultOf } from '../journal/unit.ts';

export interface Expected {
  id: string | null;
  endedAt: number | null;
  stamp?: string | undefined;
  xattrs?: string;
  /** Digest of a git index; see git-index.ts. */
  index?: string | undefined;
}

export function lastResults(
  port: FsPort,
  ctx: SessionContext,
  record: CommitRecord,
): Map<BytePath, Expected> {
  const found = new Map<BytePath, Expected>();
  for (const n of commitNumbers(port, ctx)) {
    if (n < record.n) continue;
    const one = n === record.n ? record : readJournal(port, ctx, n);
    if (one?.begin.reversible !== true) continue;
    for (const unit of one.units) {
      const { i } = unit;
      const known = found.get(unit.path);
      if (!one.done.has(i)) {
        if (known !== undefined && one.stamps.has(i))
          found.set(unit.path, { ...known, stamp: one.stamps.get(i) });
        continue;
      }
      const to = unit.kind === 'meta' ? unit.xattrs?.to : undefined;
      for (const { path, id } of resultOf(unit)) {
        const xattrs = to ?? (typeOf(id) === 'dir' ? found.get(path)?.xattrs : undefined);
        const stamp = stampOf(one, i, path, id);
        const index = one.indexes[path];
        found.set(path, {
          id,
          endedAt: one.endedAt,
          stamp,
          index,
          ...(xattrs === undefined ? {} : { xattrs }),
        });
      }
    }
  }
  return found;
}
