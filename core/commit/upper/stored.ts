/**
 * Discards of a live session (core/live-sync/discard.ts): what goes is copied to `overlay/<i>` before `ready`, and only
 * what is in the trash byte for byte leaves the upper afterwards. So whoever rolls it forward needs the copies alone,
 * wherever the run before it has died; in a quiet session it removes from the uppers here.
 */
import { type BytePath, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import { type FsPort, orIfRefused, syncDirs, useAndClose } from '../../kernel/fs/port.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { isEventMark, SEEN_NAME } from '../../sandbox/replay-dirs.ts';
import type { Transaction } from '../journal/journal.ts';
import type { DiscardUnit } from '../journal/unit.ts';
import { NOT_DISCARDED_LIVE } from '../messages/reasons.ts';
import { openUppers, type Uppers } from '../stage/uppers.ts';
import { isStored, isStoredWhole } from './compare-stored.ts';
import { forgetDropped, resetDir, STORE, storedAt } from './drop-entries.ts';

/**
 * Completes, in a quiet session, the units of a discard that a run in a live one has not. Idempotent. Units that go together
 * stay with one of them that does.
 * @param resumed an earlier run may have taken some of it: what differs from the trash stays, and is in the trash too
 */
export function finishStored(transaction: Transaction & { ctx: QuietSession }, resumed: boolean): void {
  const { port, journal } = transaction;
  const { record, dir } = journal;
  const open = [...record.drops.keys()].filter((i) => !record.done.has(i) && !record.failed.has(i));
  const first = (i: number) => record.drops[i]?.with ?? i;
  const staying = new Set([...record.failed.keys()].map(first));
  useAndClose(openUppers(transaction), (uppers) => {
    for (const parent of new Set(record.drops.map(({ path }) => parentOf(path)))) {
      const mark = joinPath(parent, SEEN_NAME);
      const place = uppers.lstat(mark) === null ? null : uppers.placed(mark);
      if (place !== null && isEventMark(place)) uppers.remove(mark, 'symlink');
    }
    const isOther = (i: number, path: BytePath): boolean => {
      if (uppers.lstat(path) === null) return false;
      const place = uppers.placed(path);
      return place === null || !isStoredWhole(port, place, storedAt(dir, i));
    };
    for (const i of open) {
      const unit = record.drops[i];
      // A process has changed it since it was stored, and has ended.
      if (!resumed && unit?.kind === 'entry' && isOther(i, unit.path)) staying.add(first(i));
    }
    for (const i of open) {
      const unit = record.drops[i];
      const stays = staying.has(first(i));
      if (unit === undefined) continue;
      if (!stays && unit.kind === 'mode') resetDir(uppers, unit);
      else if (!stays) removeStored(port, uppers, unit.path, storedAt(dir, i));
      // After an earlier run the trash may have the only copy of what that one took.
      journal.add(stays && !resumed ? { t: 'fail', i, message: NOT_DISCARDED_LIVE } : { t: 'done', i });
    }
  });
}

/** Closes a discard of a live session. Returns the number of entries that it has taken; with none it is removed. */
export function closeStored(transaction: Transaction): number {
  dropFailed(transaction);
  forgetDropped(transaction);
  const { port, journal } = transaction;
  const { record, dir } = journal;
  const taken = record.drops.flatMap((unit, i) =>
    record.failed.has(i) ? [] : [entriesAt(port, dir, unit, i)],
  );
  const entries = taken.reduce((sum, count) => sum + count, 0);
  if (entries > 0) {
    syncDirs(port, [joinPath(dir, STORE), dir]);
    const all = record.failed.size === 0;
    journal.addSynced({ t: 'discarded', ...(all ? {} : { entries }) });
  } else removePath(port, parentOf(dir), nameOf(dir));
  return entries;
}

function entriesAt(port: FsPort, dir: BytePath, { kind }: DiscardUnit, i: number): number {
  return kind === 'mode' ? 1 : countBelow(port, storedAt(dir, i));
}

function countBelow(port: FsPort, path: BytePath): number {
  const now = port.lstat(path);
  if (now?.type !== 'dir') return now === null ? 0 : 1;
  const names = orIfRefused(() => port.readdir(path), []);
  return names.reduce((sum, name) => sum + countBelow(port, joinPath(path, name)), 1);
}

/** What stays pending is no part of the discard, which an undo would bring back. */
function dropFailed({ port, journal: { record, dir } }: Transaction): void {
  for (const i of record.failed.keys())
    if (port.lstat(storedAt(dir, i)) !== null) removePath(port, joinPath(dir, STORE), String(i) as BytePath);
}

/** Removes what is as in the trash. False when something else remains. */
function removeStored(port: FsPort, uppers: Uppers, path: BytePath, stored: BytePath): boolean {
  const now = uppers.lstat(path);
  if (now === null) return true;
  if (isWhiteout(now)) {
    uppers.remove(path, now.type);
    return true;
  }
  if (now.type !== 'dir') {
    const place = uppers.placed(path);
    if (place === null || !isStored(port, place, stored)) return false;
    uppers.remove(path, now.type);
    return true;
  }
  if (port.lstat(stored)?.type !== 'dir') return false;
  const names = uppers.readdir(path);
  // All of them, though one may remain.
  const gone = names.map((name) => removeStored(port, uppers, joinPath(path, name), joinPath(stored, name)));
  if (gone.includes(false)) return false;
  uppers.remove(path, now.type);
  return true;
}
