/**
 * The state in which trai last left each path of a commit. Later commits that were undone count: they have
 * put entries there again. One that found something else there does not: what it replaced, and what its undo
 * has put back, is the host's.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import { fingerprint, isAsLeft, typeOf } from '../../kernel/fs/fingerprint.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { type CommitRecord, commitNumbers, readJournal } from '../journal/journal.ts';
import { stampOf } from '../journal/stamps.ts';
import { type HostResult, hostOf, replacedBelow, resultOf, type Unit } from '../journal/unit.ts';

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
  const found = new Map<BytePath, Expected & { n: number }>();
  for (const n of commitNumbers(port, ctx)) {
    if (n < record.n) continue;
    const one = n === record.n ? record : readJournal(port, ctx, n);
    if (one?.begin.reversible !== true) continue;
    for (const unit of one.units) {
      const { i } = unit;
      const before = foundBelow(unit);
      const isOurs = (path: BytePath): boolean => {
        const known = found.get(path);
        return known === undefined || known.n === n || hasFound(unit, path, before, known);
      };
      if (!isOurs(unit.path)) continue;
      const known = found.get(unit.path);
      if (!one.done.has(i)) {
        if (known !== undefined && one.stamps.has(i))
          found.set(unit.path, { ...known, stamp: one.stamps.get(i) });
        continue;
      }
      const to = unit.kind === 'meta' ? unit.xattrs?.to : undefined;
      const gone = [...before.keys()].map((path): HostResult => ({ path, id: null }));
      const left = new Map([...gone, ...resultOf(unit)].map(({ path, id }) => [path, id]));
      for (const [path, id] of left) {
        if (!isOurs(path)) continue;
        const xattrs = to ?? (typeOf(id) === 'dir' ? found.get(path)?.xattrs : undefined);
        const stamp = stampOf(one, i, path, id);
        const index = one.indexes[path];
        found.set(path, {
          n,
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

/** What a unit found below its path. */
function foundBelow(unit: Unit): ReadonlyMap<BytePath, string | null> {
  if (unit.kind === 'move-to-store') return new Map(unit.entries.map(({ path, id }) => [path, id]));
  return new Map(replacedBelow(unit).map(({ path, host }) => [path, host]));
}

/** Without the change time, which trai itself has changed since when it dropped a before-image. */
function hasFound(
  unit: Unit,
  path: BytePath,
  before: ReadonlyMap<BytePath, string | null>,
  known: Expected,
): boolean {
  const from = unit.kind === 'meta' ? unit.xattrs?.from : undefined;
  if (from !== undefined && known.xattrs !== undefined && from !== known.xattrs) return false;
  const host = path === unit.path ? hostOf(unit) : (before.get(path) ?? null);
  return isAsLeft(known.id, host === null ? null : fingerprint(host), null);
}
