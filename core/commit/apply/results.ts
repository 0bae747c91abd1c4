/**
 * What a transaction leaves on the host, to detect later changes: digests of git indexes, and new base
 * records for entries that stay in the upper or are pending again.
 */
import { type BytePath, nameOf } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import { identityOf, lstatEntry } from '../../kernel/fs/entry.ts';
import { fingerprint, isAsLeft, sameFields } from '../../kernel/fs/fingerprint.ts';
import { type FsPort, orNull, type Stat } from '../../kernel/fs/port.ts';
import { appendBases, readBaseFile } from '../../overlay/base-file.ts';
import { rebase } from '../../overlay/base-of.ts';
import { indexDigest } from '../../overlay/git-index.ts';
import type { CommitRecord } from '../journal/journal.ts';
import { stampOf } from '../journal/stamps.ts';
import { entriesOf, type HostResult, type MetaUnit, resultOf } from '../journal/unit.ts';
import type { Expected } from '../plan/last-results.ts';
import { restoredBases } from './image-hashes.ts';
import type { Earlier, Task } from './task.ts';

/** Digests for the line `end`; an index that was changed since is left out. */
export function indexesIn(port: FsPort, record: CommitRecord): Pick<CommitRecord, 'indexes'> | object {
  const indexes: CommitRecord['indexes'] = {};
  if (!record.begin.reversible) return {};
  for (const unit of record.units) {
    const { i } = unit;
    if (!record.done.has(i)) continue;
    // Avoids unpacking trees that hold no index.
    if (unit.kind === 'move-to-host' && !unit.tree.text.includes('/index//')) continue;
    for (const { path, id } of resultOf(unit)) {
      if (id === null || nameOf(path) !== 'index') continue;
      const now = orNull(() => port.lstat(path));
      if (now === null || !isAsLeft(id, now, null, stampOf(record, i, path, id))) continue;
      const digest = digestNow(path, now);
      if (digest !== null) indexes[path] = digest;
    }
  }
  return Object.keys(indexes).length === 0 ? {} : { indexes };
}

export function saysAsLeft(path: BytePath, { id, index }: Expected, now: Stat | null): boolean {
  if (index === undefined || id === null || now?.type !== 'file' || now.nlink !== 1) return false;
  const isSame = sameFields(fingerprint(id), now, ['type', 'mode', 'uid', 'gid']);
  return isSame && digestNow(path, now) === index;
}

function digestNow(path: BytePath, now: Stat): string | null {
  const entry = orNull(() => lstatEntry(path));
  if (entry === null || entry.ino !== now.ino || entry.ctimeNs !== now.ctimeNs) return null;
  return orNull(() => indexDigest(path, identityOf(entry)));
}

type Base = BaseRecord['base'];

/**
 * `rebase` for the paths of a transaction whose entries stay in the upper or are pending again. Entries that
 * the host has changed since their unit (days, after a crash) get a base that the sandbox never saw.
 * @param undone of an undo: the commit
 */
export async function rebaseResults(
  task: Task,
  paths: readonly BytePath[],
  hiding?: ReadonlySet<BytePath>,
  undone: CommitRecord | null = null,
): Promise<void> {
  const { port, ctx, earlier } = task;
  const { record } = task.journal;
  const file = readBaseFile(ctx);
  const restored = restoredBases(task, undone);
  const others = restored.size === 0 ? paths : paths.filter((path) => !restored.has(path));
  // Later changes differ from the new records.
  const unseen = findUnseen(port, record, await rebase(ctx, others, hiding, file), earlier);
  const entries = [...unseen].map(([path, base]): [BytePath, BaseRecord] => [
    path,
    { listed: false, ...file.records.get(path), path, base },
  ]);
  appendBases(ctx, file, [...restored, ...entries]);
}

function findUnseen(
  port: FsPort,
  record: CommitRecord,
  based: ReadonlyMap<BytePath, Stat | null>,
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
      const now = based.get(path);
      if (now === undefined) continue;
      if (isAsLeft(id, now, until, stampOf(record, unit.i, path, id))) unseen.delete(path);
      else unseen.set(path, { state: id === null ? 'absent' : 'unknown' });
    }
    if (unit.kind === 'meta' && unit.xattrs !== undefined && based.has(unit.path)) dressed.push(unit);
  }
  const texts = port.xattrsOf(dressed.map(({ path }) => path));
  dressed.forEach(({ path, xattrs }, i) => {
    if (texts[i] !== xattrs?.to && !unseen.has(path)) unseen.set(path, { state: 'unknown' });
  });
  return unseen;
}
