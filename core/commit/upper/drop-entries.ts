/**
 * The discard of a selection: each unit renames an entry of an upper to `overlay/<i>` in the transaction's
 * directory, or gives a directory the mode, owner and attributes of the host's. Both directions are
 * idempotent, and run in phase `staging`, so an interrupted one is rolled back.
 */
import { type BytePath, isBelowAny, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import {
  type BaseRecord,
  type Bases,
  formatBaseLine,
  makeBases,
  parseBaseLines,
} from '../../../shared/model/base-record.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { chmodEntry, removePath } from '../../kernel/fs/dir-handles.ts';
import { hostEntry } from '../../kernel/fs/entry.ts';
import { Cancelled } from '../../kernel/fs/entry-errors.ts';
import { birthOf } from '../../kernel/fs/fingerprint.ts';
import { orIfRefused, type Stat, syncDirs, useAndClose, withHandle } from '../../kernel/fs/port.ts';
import { isBetween, needsWriting, type XattrStep, xattrChanges } from '../../kernel/fs/xattr-text.ts';
import { appendBases, dropBases, readBaseFile } from '../../overlay/base-file.ts';
import { isEventMark } from '../../sandbox/replay-dirs.ts';
import { isUntouched } from '../../scan/judge.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import type { Transaction } from '../journal/journal.ts';
import type { DiscardUnit } from '../journal/unit.ts';
import { STOPPED } from '../messages/reasons.ts';
import { hostXattrs, openUppers, Uppers } from '../stage/uppers.ts';
import { isStoredWhole } from './compare-stored.ts';
import { type Making, makeParents } from './insert-pending.ts';

export const STORE = 'overlay' as BytePath;

/** Journals the units, then carries them out. @throws Cancelled between two units; the caller rolls back */
export function dropEntries(
  transaction: Transaction,
  units: readonly DiscardUnit[],
  cancelled: () => boolean,
): void {
  const { port, journal } = transaction;
  announceDrops(transaction, units);
  useAndClose(openUppers(transaction), (uppers) => {
    // Modes first: an entry below loosens the mode of its directory for a moment, and restores the final one.
    for (const unit of units) if (unit.kind === 'mode') resetDir(uppers, unit);
    for (const [i, unit] of units.entries()) {
      if (cancelled()) throw new Cancelled(STOPPED);
      if (unit.kind !== 'entry') continue;
      uppers.takeOut(unit.path, storedAt(journal.dir, i));
      if (unit.closed) chmodEntry(port, storedAt(journal.dir, i), unit.mode);
    }
  });
  forgetDropped(transaction);
  syncDirs(port, [joinPath(journal.dir, STORE), journal.dir]);
}

/** Journals the units, with the base records of what is below them. */
export function announceDrops({ port, ctx, journal }: Transaction, units: readonly DiscardUnit[]): void {
  port.mkdir(joinPath(journal.dir, STORE), 0o700);
  const tops = new Set(units.filter(({ kind }) => kind === 'entry').map(({ path }) => path));
  const bases = [...readBaseFile(ctx).records].filter(([path]) => tops.has(path) || isBelowAny(path, tops));
  for (const unit of units) journal.add(unit);
  journal.addSynced({
    t: 'bases',
    text: bases.map(([path, record]) => formatBaseLine(path, record)).join(''),
  });
  syncDirs(port, [journal.dir, parentOf(journal.dir)]);
}

/** A later copy-up of the same name has another base. What is, or may be, in an upper keeps its record. */
export function forgetDropped({ port, ctx, journal: { record } }: Transaction): void {
  const file = readBaseFile(ctx);
  const isLeft = (i: number) => record.failed.has(i) || record.whiteouts.has(i);
  const stay = new Set(record.drops.flatMap(({ path }, i) => (isLeft(i) ? [path] : [])));
  useAndClose(new Uppers(port, ctx, null), (uppers) => {
    // Below a deletion that stays, the upper has nothing either.
    const paths = [...parseBaseLines(record.bases).records.keys()].filter((path) => !isBelowAny(path, stay));
    dropBases(
      ctx,
      file,
      paths.filter((path) => file.records.has(path) && orIfRefused(() => uppers.lstat(path) === null, false)),
    );
  });
}

/** The reverse. Returns the number of entries that stay in the trash, as something else is in their place. */
export function restoreEntries(transaction: Transaction): number {
  const { port, ctx, journal } = transaction;
  const { drops, bases, failed } = journal.record;
  const store = joinPath(journal.dir, STORE);
  const paths = drops.map(({ path }) => path);
  const file = readBaseFile(ctx);
  const before = parseBaseLines(bases).records;
  useAndClose(openUppers(transaction), (uppers) => {
    const places = placesOf(transaction, uppers, makeBases(file.records));
    // First: the next run would not know any more what these have replaced, whose base must not become theirs.
    appendBases(ctx, file, basesBack(file.records, before, new Set(places.keys())));
    const dirs = drops.flatMap(({ kind, path }) => (kind === 'mode' ? [path] : []));
    const making = { port, uppers, dir: journal.dir, likeHost: hostXattrs(port, ctx, paths, dirs) };
    // Before entries, whose parents would be made with the host's mode.
    for (const [i, unit] of drops.entries())
      if (unit.kind === 'mode' && !failed.has(i)) restoreDir(ctx, making, unit);
    for (const [i, unit] of drops.entries())
      if (unit.kind === 'entry')
        restoreEntry(transaction, making, unit, {
          from: storedAt(journal.dir, i),
          place: places.get(unit.path),
        });
  });
  if (port.lstat(store) === null) return 0;
  syncDirs(port, [store, journal.dir]);
  return port.readdir(store).length;
}

export function storedAt(dir: BytePath, i: number): BytePath {
  return joinPath(dir, `${STORE}/${i}`);
}

export function resetDir(uppers: Uppers, { path, mode, host, born, xattrs }: DiscardUnit): void {
  const now = uppers.lstat(path);
  if (host === undefined || now?.type !== 'dir') return;
  if (xattrs !== undefined && birthOf(now) === born) dressWhole(uppers, path, now, xattrs, host);
  else if (now.mode === mode) uppers.dress(path, host);
}

/** With extended attributes. An ACL changes some bits of the mode, so the mode alone proves nothing. */
function dressWhole(
  uppers: Uppers,
  path: BytePath,
  now: Stat,
  xattrs: XattrStep,
  like: { mode: number; uid: number; gid: number },
): void {
  const has = uppers.xattrs(path);
  // A call has changed it since the crash.
  if (has === null || !isBetween(has, xattrs)) return;
  const changes = xattrChanges(has, xattrs.to);
  if (needsWriting(changes) && (now.mode & 0o200) === 0) uppers.chmod(path, now.mode | 0o700);
  uppers.setXattrs(path, changes);
  uppers.dress(path, like);
}

function restoreDir(ctx: SessionContext, making: Making, unit: DiscardUnit): void {
  const { uppers } = making;
  const { path, host, xattrs } = unit;
  const covered = coveringDir(ctx.coveredDirs, path);
  if (covered === null || host === undefined) return;
  const before = uppers.lstat(path);
  if (before === null && !makeParents(making, path, covered)) return;
  const now = uppers.lstat(path);
  if (now?.type !== 'dir') return;
  if (xattrs !== undefined) dressWhole(uppers, path, now, { from: xattrs.to, to: xattrs.from }, unit);
  else if (before === null || now.mode === host.mode) uppers.dress(path, unit);
}

/** `back`: an undo in a live session has put it there already. */
type Place = 'free' | 'back';

/** Of each entry that can come back. */
function placesOf(
  { port, journal: { dir, record } }: Transaction,
  uppers: Uppers,
  bases: Bases,
): Map<BytePath, Place> {
  const places = new Map<BytePath, Place>();
  for (const [i, { kind, path }] of record.drops.entries()) {
    const from = storedAt(dir, i);
    if (kind !== 'entry' || port.lstat(from) === null) continue;
    const there = uppers.lstat(path);
    const at = there === null ? null : uppers.placed(path);
    if (there === null || at === null) places.set(path, 'free');
    else if (isStoredWhole(port, at, from)) places.set(path, 'back');
    // An undo in a live session begins with a whiteout where the host has another type, and ends with an event.
    else if (record.reopened !== null && (isWhiteout(there) || isEventMark(at))) places.set(path, 'free');
    else if (isReplaceable(bases, uppers, path)) places.set(path, 'free');
  }
  return places;
}

/** The base records of what comes back, as they were before: `now` has those of what it replaces. */
export function* basesBack(
  now: ReadonlyMap<BytePath, BaseRecord>,
  before: ReadonlyMap<BytePath, BaseRecord>,
  entries: ReadonlySet<BytePath>,
): Generator<[BytePath, BaseRecord | null]> {
  const isBack = (path: BytePath) => entries.has(path) || isBelowAny(path, entries);
  for (const path of now.keys()) if (isBack(path) && !before.has(path)) yield [path, null];
  for (const [path, record] of before) if (isBack(path)) yield [path, record];
}

/** Whether the upper has an untouched copy of the host's, as a discard in a live session leaves it. */
export function isReplaceable(bases: Bases, uppers: Uppers, path: BytePath): boolean {
  const upper = uppers.lstat(path);
  if (upper?.type !== 'file' && upper?.type !== 'symlink') return false;
  const [upperPath, host] = [uppers.placed(path), hostEntry(path)];
  if (upperPath === null || host === 'closed') return false;
  return isUntouched({ path, upperPath, upper, host, base: bases.lookup(path) });
}

function restoreEntry(
  { ctx }: Transaction,
  making: Making,
  unit: DiscardUnit,
  { from, place }: { from: BytePath; place: Place | undefined },
): void {
  const { path, mode, closed, born } = unit;
  const { port, uppers } = making;
  const covered = coveringDir(ctx.coveredDirs, path);
  if (covered === null) return;
  if (port.lstat(from) === null) {
    const now = closed ? uppers.lstat(path) : null;
    if (now?.mode === (mode | 0o700) && birthOf(now) === born) uppers.chmod(path, mode);
    return;
  }
  if (place === undefined) return;
  const there = uppers.lstat(path);
  const at = there === null ? null : uppers.placed(path);
  if (there !== null && at !== null) {
    if (place === 'back') {
      // It need not be on disk yet, as the trash's is.
      const sync = () => withHandle(port, port.openRead(at), (fd) => port.fsync(fd));
      if (there.type === 'file') orIfRefused(sync, undefined);
      removePath(port, parentOf(from), nameOf(from));
      return;
    }
    uppers.remove(path, 'file');
  }
  if (makeParents(making, parentOf(path), covered)) uppers.insert(path, from, closed ? mode : null);
}
