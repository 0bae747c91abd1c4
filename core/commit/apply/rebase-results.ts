/** Base records of what a transaction has left on the host: never of what somebody else has made of it since. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { isAsLeft } from '../../kernel/fs/stat-identity.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import { rebase } from '../../overlay/base-of.ts';
import type { CommitRecord } from '../journal/journal.ts';
import { stampOf } from '../journal/stamps.ts';
import { entriesOf, type HostResult, type MetaUnit, resultOf } from '../journal/unit.ts';
import type { Earlier, Task } from './task.ts';

type Base = BaseRecord['base'];

/**
 * `rebase` for the paths of a transaction whose entries stay in the upper, or are pending again. Between its rename and this
 * moment, which a death can make days, the host may have changed an entry again: the sandbox never saw that.
 */
export async function rebaseResults(
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
  const dressed: MetaUnit[] = [];
  for (const unit of record.units) {
    if (!record.done.has(unit.i)) continue;
    const until = earlier?.done.has(unit.i) === true ? earlier.until : null;
    const nothing = entriesOf(unit).map(({ path }): HostResult => ({ path, id: null }));
    const left = new Map([...nothing, ...resultOf(unit)].map(({ path, id }) => [path, id]));
    for (const [path, id] of left) {
      if (!paths.has(path)) continue;
      if (isAsLeft(id, port.lstat(path), until, stampOf(record, unit.i, path, id))) unseen.delete(path);
      else unseen.set(path, { state: id === null ? 'absent' : 'unknown' });
    }
    if (unit.kind === 'meta' && unit.xattrs !== undefined && paths.has(unit.path)) dressed.push(unit);
  }
  const texts = port.xattrsOf(dressed.map(({ path }) => path));
  dressed.forEach(({ path, xattrs }, i) => {
    if (texts[i] !== xattrs?.to && !unseen.has(path)) unseen.set(path, { state: 'unknown' });
  });
  return unseen;
}
