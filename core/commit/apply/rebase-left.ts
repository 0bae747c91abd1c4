/** Base records of what a transaction has left on the host: never of what somebody else has made of it since. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { FsPort, Stat } from '../../kernel/fs/port.ts';
import { isAsLeft } from '../../kernel/fs/stat-identity.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import { rebase } from '../../overlay/rebase.ts';
import type { CommitRecord } from '../journal/journal-file.ts';
import { leftAs } from '../journal/left-entry.ts';
import type { LeftEntry, UnitLine } from '../journal/lines.ts';
import { stampOf } from '../journal/stamps.ts';
import type { Earlier, Task } from './task.ts';

type Base = BaseRecord['base'];

/**
 * `rebase` for the paths of a transaction whose entries stay in the upper, or are pending again. Between its rename and this
 * moment, which a death can make days, the host may have changed an entry again: the sandbox never saw that.
 */
export async function rebaseLeft(
  { port, ctx, journal: { record }, earlier }: Task,
  paths: readonly BytePath[],
  listed?: ReadonlySet<BytePath>,
): Promise<void> {
  await rebase(ctx, paths, listed);
  // Only now: what came before the records were taken is found here, and what comes later differs from them.
  const unseen = findUnseen(port, record, new Set(paths), earlier);
  if (unseen.size === 0) return;
  const file = readBaseFile(ctx);
  const entries = [...unseen].map(([path, base]): [BytePath, BaseRecord] => [
    path,
    { listed: false, ...file.records.get(path), path, base },
  ]);
  appendBases(ctx, file, entries);
}

/** What is not as it was left, and what the sandbox knows of it instead. */
function findUnseen(
  port: FsPort,
  record: CommitRecord,
  paths: ReadonlySet<BytePath>,
  earlier: Earlier | undefined,
): Map<BytePath, Base> {
  const unseen = new Map<BytePath, Base>();
  const dressed: UnitLine[] = [];
  for (const unit of record.units) {
    if (!record.done.has(unit.i)) continue;
    const until = earlier?.done.has(unit.i) === true ? earlier.until : null;
    const noted = record.left.get(unit.i);
    for (const [path, id] of new Map(leftBy(unit, noted))) {
      if (!paths.has(path)) continue;
      const now = port.lstat(path);
      if (isUntouched(record, unit, { path, id }, now, noted !== undefined, until)) unseen.delete(path);
      else unseen.set(path, { state: id === null ? 'absent' : 'unknown' });
    }
    if (unit.xattrs !== undefined && paths.has(unit.path)) dressed.push(unit);
  }
  const texts = port.xattrsOf(dressed.map(({ path }) => path));
  dressed.forEach(({ path, xattrs }, i) => {
    if (texts[i] !== xattrs?.to && !unseen.has(path)) unseen.set(path, { state: 'unknown' });
  });
  return unseen;
}

/** @param until ms: what an earlier run has left it had left by then */
function isUntouched(
  record: CommitRecord,
  { i, path: top }: UnitLine,
  { path, id }: LeftEntry,
  now: Stat | null,
  noted: boolean,
  until: number | null,
): boolean {
  if (noted || path === top) {
    const left = noted ? id : asCopied(id, now);
    return isAsLeft(left, now, until, stampOf(record, i, path, id));
  }
  // Of what an undo is not to need the copies' times are not written down; they were made before anything was renamed.
  return isAsLeft(asCopied(id, now), now, record.stamps.has(i) ? record.readyAt : until);
}

/**
 * How a unit has left its entries. A commit that keeps nothing for an undo writes no `left` lines: its copies have all but
 * the inodes of the upper's entries.
 */
function leftBy(unit: UnitLine, noted: readonly LeftEntry[] | undefined): [BytePath, string | null][] {
  const known = noted ?? (unit.op === 'meta' ? [leftAs(unit)] : []);
  const copied = (id: string | null) => (unit.op === 'delete' || noted !== undefined ? null : id);
  return [
    ...unit.entries.map(({ path, id }): [BytePath, string | null] => [path, copied(id)]),
    ...known.map(({ path, id }): [BytePath, string | null] => [path, id]),
  ];
}

/** An upper's identity with the inode of the host's entry. */
function asCopied(id: string | null, now: Stat | null): string | null {
  if (id === null || now === null) return id;
  const fields = id.split(':');
  return [...fields.slice(0, 6), now.ino, now.birthNs, ...fields.slice(8)].join(':');
}
