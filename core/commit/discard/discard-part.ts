/** Discard of a selection and its undo: dependencies, units, and obstacles of the undo. */
import { type BytePath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { makeBases } from '../../../shared/model/base-record.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import type { DiscardReport, Told } from '../../../shared/model/commit.ts';
import { closedIdentity, isWhiteout, lookIdentity } from '../../../shared/model/identity.ts';
import { Cancelled } from '../../kernel/fs/entry-errors.ts';
import { birthOf } from '../../kernel/fs/fingerprint.ts';
import { errorCode, type FsPort, nodePort, type Stat, useAndClose } from '../../kernel/fs/port.ts';
import { isBetween } from '../../kernel/fs/xattr-text.ts';
import { xattrIdentity } from '../../kernel/fs/xattrs.ts';
import { readBaseFile } from '../../overlay/base-file.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import { MadeDirs } from '../apply/cleanup.ts';
import type { CommitRecord, Transaction } from '../journal/journal.ts';
import { beginDiscard, type Discard } from '../journal/trash.ts';
import type { DiscardUnit } from '../journal/unit.ts';
import { asTraiError, discardInTheWay, discardStopped, staleList } from '../messages/errors.ts';
import {
  dirGone,
  NOT_COVERED,
  ONLY_WHOLE,
  SESSION_CHANGED,
  SESSION_CHANGED_XATTRS,
  sessionChanged,
} from '../messages/reasons.ts';
import { type DiscardPlan, droppedAlongText, isDirMeta, planDiscard } from '../plan/discard-plan.ts';
import { abort, abortQuietly } from '../recover/advance.ts';
import { inJournal } from '../recover/repair.ts';
import { Uppers } from '../stage/uppers.ts';
import { dropEntries, isReplaceable, storedAt } from '../upper/drop-entries.ts';

export interface DiscardLook {
  plan: DiscardPlan;
  along: Told[];
  cannot: Told[];
}

/** @param live then a copy of the host's can take the place of a file */
export async function lookAtDiscard(
  ctx: SessionContext,
  list: ChangeList,
  chosen: ReadonlySet<BytePath>,
  live = false,
): Promise<DiscardLook> {
  const first = planDiscard(list, chosen);
  const fixed = await fixedEntries(
    ctx,
    first.tops.filter((change) => !live || !isPut(change)),
  );
  const plan = fixed.size === 0 ? first : planDiscard(list, chosen, fixed);
  return {
    plan,
    along: plan.along.map((one) => ({ path: one.change.path, why: droppedAlongText(one) })),
    cannot: plan.stays.map(({ path }) => ({ path, why: ONLY_WHOLE })),
  };
}

function isPut({ host, pending }: Change): boolean {
  return [host, pending].every((side) => side?.type === 'file' || side?.type === 'symlink');
}

/** Entries that would appear deleted if taken out: an opaque directory above them hides the host's. */
async function fixedEntries(ctx: SessionContext, tops: readonly Change[]): Promise<Set<BytePath>> {
  const asked = tops.filter((change) => change.host !== null && !isDirMeta(change)).map(({ path }) => path);
  const made = new MadeDirs(ctx);
  await made.look(asked, () => false);
  return new Set(asked.filter((path) => made.topOf(path) !== null));
}

export interface PartTools {
  port: FsPort;
  cancelled: () => boolean;
}

/**
 * Moves the entries of `plan`, of a fresh scan, into the trash. No transaction is open.
 * @throws TraiError `io`, `no-space`, `cancelled`: nothing dropped; `not-empty`: rolled back in part
 */
export function discardPart(
  ctx: QuietSession,
  { going, tops }: DiscardPlan,
  { port, cancelled }: PartTools = { port: nodePort, cancelled: () => false },
): DiscardReport {
  try {
    const units = unitsOf(port, ctx, tops);
    const journal = beginDiscard(port, ctx, { kind: 'selection', entries: going.length });
    const transaction: Transaction = { port, ctx, journal };
    try {
      dropEntries(transaction, units, cancelled);
      journal.addSynced({ t: 'discarded' });
      return { trash: nameOf(journal.dir), entries: going.length };
    } catch (error) {
      if (error instanceof Cancelled) throw discardStopped(abort(transaction));
      if (errorCode(error) !== '') abortQuietly(transaction, false);
      throw error;
    } finally {
      journal.close();
    }
  } catch (error) {
    throw asTraiError(error, 'discard');
  }
}

/** Those that an upper does not have as listed any more. */
export function staleTops(port: FsPort, ctx: SessionContext, tops: readonly Change[]): Change[] {
  return useAndClose(new Uppers(port, ctx, null), (uppers) =>
    tops.filter((change) => {
      const now = uppers.lstat(change.path);
      return now === null || !isAsListed(change, now);
    }),
  );
}

/** @throws TraiError `stale-revision` when an upper is not as listed any more */
export function unitsOf(port: FsPort, ctx: SessionContext, tops: readonly Change[]): DiscardUnit[] {
  return useAndClose(new Uppers(port, ctx, null), (uppers) => {
    const units = tops.map((change) => {
      const now = uppers.lstat(change.path);
      if (now === null || !isAsListed(change, now)) throw staleList();
      return unitOf(change, now);
    });
    addXattrs(port, uppers, tops, units);
    return units;
  });
}

/** A directory that stays gets the host's attributes with its mode. */
function addXattrs(
  port: FsPort,
  uppers: Uppers,
  tops: readonly Change[],
  units: readonly DiscardUnit[],
): void {
  const asked = tops.flatMap((change, i) => {
    const unit = units[i];
    return change.xattrs === true && unit?.kind === 'mode' ? [{ change, unit }] : [];
  });
  const texts = port.xattrsOf(asked.flatMap(({ unit: { path } }) => [path, uppers.pathOf(path)]));
  asked.forEach(({ change, unit }, i) => {
    const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
    if (host === null || upper === null) throw staleList();
    if (change.xattrIdentity !== xattrIdentity({ host, upper })) throw staleList();
    unit.xattrs = { from: upper, to: host };
  });
}

function isAsListed({ pending, upperIdentity }: Change, now: Stat): boolean {
  if (pending === null) return isWhiteout(now);
  // The closed identity suffices: the entries of an unreadable directory move or stay with it.
  const known = [undefined, lookIdentity(now), closedIdentity(now)];
  return known.includes(upperIdentity);
}

function unitOf(change: Change, now: Stat): DiscardUnit {
  const { mode, uid, gid } = now;
  const about = { t: 'drop', path: change.path, born: birthOf(now), mode, uid, gid } as const;
  if (isDirMeta(change) && change.host !== null) {
    const { host } = change;
    return { ...about, kind: 'mode', closed: false, host: { mode: host.mode, uid: host.uid, gid: host.gid } };
  }
  return { ...about, kind: 'entry', closed: now.type === 'dir' && (mode & 0o200) === 0 };
}

/** Whether the upper still has the whiteout that the discard left in the place of unit `i`. */
export function hasLeftWhiteout({ whiteouts }: CommitRecord, i: number, now: Stat | null): boolean {
  return now !== null && isWhiteout(now) && whiteouts.has(i);
}

/**
 * Reopens the transaction and rolls it back, into an overlay that may have other pending changes.
 * @throws TraiError `not-empty`: something is in the way, and nothing was changed
 */
export function undoPart(port: FsPort, ctx: QuietSession, discard: Discard): void {
  const inTheWay: Told[] = [];
  const bases = makeBases(readBaseFile(ctx).records);
  useAndClose(new Uppers(port, ctx, null), (uppers) => {
    for (const [i, unit] of discard.record.drops.entries()) {
      // An earlier rollback has put it back already.
      if (unit.kind === 'entry' && port.lstat(storedAt(discard.dir, i)) === null) continue;
      if (discard.record.failed.has(i)) continue;
      const free =
        hasLeftWhiteout(discard.record, i, uppers.lstat(unit.path)) ||
        (unit.kind === 'entry' && isReplaceable(bases, uppers, unit.path));
      const why = obstacle(port, ctx, uppers, unit, free);
      if (why !== null) inTheWay.push({ path: unit.path, why });
    }
  });
  if (inTheWay.length > 0) throw discardInTheWay(inTheWay);
  inJournal(port, discard, (journal) => {
    journal.addSynced({ t: 'reopen' });
    abort({ port, ctx, journal });
  });
}

/** Why a unit can't come back, or null. @param free what the upper has there may be replaced */
export function obstacle(
  port: FsPort,
  ctx: SessionContext,
  uppers: Uppers,
  unit: DiscardUnit,
  free: boolean,
): string | null {
  const { path, kind, host, xattrs } = unit;
  const covered = coveringDir(ctx.coveredDirs, path);
  if (covered === null || (kind === 'entry' && covered.path === path)) return NOT_COVERED;
  const now = uppers.lstat(path);
  if (kind === 'entry' && now !== null) return free ? null : SESSION_CHANGED;
  if (kind === 'mode' && now !== null && (now.type !== 'dir' || ![host?.mode, unit.mode].includes(now.mode)))
    return SESSION_CHANGED;
  const has = kind === 'mode' && now !== null && xattrs !== undefined ? uppers.xattrs(path) : null;
  if (has !== null && xattrs !== undefined && !isBetween(has, xattrs)) return SESSION_CHANGED_XATTRS;
  for (let dir = kind === 'mode' ? path : parentOf(path); dir !== covered.path; dir = parentOf(dir)) {
    const there = uppers.lstat(dir);
    if (there === null) {
      if (port.lstat(dir)?.type === 'dir') continue;
      return dirGone(dir);
    }
    return there.type === 'dir' ? null : sessionChanged(dir);
  }
  return null;
}
