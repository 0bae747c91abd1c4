/** Base records of what a transaction has left on the host: never of what somebody else has made of it since. */
import type { BytePath } from '../../bytes.ts';
import type { BaseRecord } from '../../changes/base-record.ts';
import { appendBases, readBaseFile } from '../../changes/node/base-file.ts';
import { rebase } from '../../changes/node/rebase.ts';
import type { LeftEntry, UnitLine } from '../journal.ts';
import type { Task } from './apply.ts';
import { isAsLeft, leftAs } from './identity.ts';
import type { CommitRecord } from './journal-file.ts';
import { errorCode, type FsPort, type Stat } from './port.ts';

/** What an earlier run had done when it died. */
export interface Earlier {
  done: ReadonlySet<number>;
  /** ms since the epoch: all of it was done by then. */
  until: number;
  /** Of its new names, those whose file was written to, or got another attribute, after that. */
  edited: ReadonlySet<BytePath>;
}

/**
 * What an earlier run had done, before anything goes on: a new name is the second link of what was staged, and the change time
 * that tells an edit is moved once the first is taken away.
 *
 * @param written when the journal was last written to (ns): each unit is followed at once by a line that says it is done
 */
export function doneEarlier(port: FsPort, { units, done }: CommitRecord, written: bigint): Earlier {
  const until = Number(written / 1_000_000n) + 1;
  const edited = new Set<BytePath>();
  for (const { i, op, host, moved, path } of units) {
    if (!done.has(i) || op !== 'put' || host !== null || moved === true) continue;
    const now = lookOrNone(port, path);
    // With one name the link has gone, and its time says nothing.
    if (now === null || now.type === 'dir' || now.nlink < 2) continue;
    if (now.ctimeNs > BigInt(until) * 1_000_000n) edited.add(path);
  }
  return { done: new Set(done.keys()), until, edited };
}

/** What can't be looked at now is compared later by what else is known of it. */
function lookOrNone(port: FsPort, path: BytePath): Stat | null {
  try {
    return port.lstat(path);
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}

export interface Finishing extends Task {
  earlier?: Earlier;
}

type Base = BaseRecord['base'];

/**
 * `rebase` for the paths of a transaction whose entries stay in the upper, or are pending again. Between its rename and this
 * moment, which a death can make days, the host may have changed an entry again: the sandbox never saw that.
 */
export async function rebaseLeft(
  { port, ctx, journal: { record }, earlier }: Finishing,
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
  appendBases(ctx, file, entries, Number(file.lastPassNs / 1_000_000n));
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
    // A new name is a second link, and this run has moved its change time by taking the first one away; not that of what is
    // in a new directory.
    const isLinked = unit.op === 'put' && unit.host === null;
    const until = earlier?.done.has(unit.i) === true ? earlier.until : null;
    const noted = record.left.get(unit.i);
    for (const [path, id] of new Map(leftBy(unit, noted))) {
      if (!paths.has(path)) continue;
      const now = port.lstat(path);
      const left = noted === undefined ? asCopied(id, now) : id;
      const endedAt = isLinked && path === unit.path ? null : until;
      if (isAsLeft(left, now, endedAt) && earlier?.edited.has(path) !== true) unseen.delete(path);
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
