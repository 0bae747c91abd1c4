/**
 * The discard of pending changes while processes of the session run. Each entry goes to the trash and leaves the merged
 * view by calls inside it, so that what the kernel has cached, and what watchers are told, stays right:
 *
 *     copy all of it from the uppers to the trash, sync; `ready`
 *     a directory that nobody uses        take it out by one rename (taken-trees.ts)
 *     a file that the host has as well    put a copy of the host's over it by one rename
 *     anything else                       remove it, the entries of a directory first (swap.ts)
 *     what of it is not as in the trash, or open for writing, gets its name back with all of its unit: it stays pending
 *     where a whiteout is left            link a copy of the host's file over it, or take it out of the upper, which
 *                                         holds nothing of a name that shows nothing; refresh the mounts
 *     `done` or `fail` for each unit, `discarded`
 *
 * From `ready` on the next run completes it, here or in a quiet session (commit/upper/stored.ts).
 */
import { type BytePath, isBelowAny, isWithin, joinPath, nameOf, parentOf } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import type { DiscardReport, Told } from '../../shared/model/commit.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { staleTops, unitsOf } from '../commit/discard/discard-part.ts';
import type { Transaction } from '../commit/journal/journal.ts';
import { beginDiscard } from '../commit/journal/trash.ts';
import type { DiscardUnit } from '../commit/journal/unit.ts';
import { asTraiError, discardStopped, nothingDiscardedLive } from '../commit/messages/errors.ts';
import {
  CHANGED_MEANWHILE,
  LIVE_ENDED,
  NOT_ALL_READ,
  NOT_DISCARDED_LIVE,
  STOPPED,
} from '../commit/messages/reasons.ts';
import type { DiscardPlan } from '../commit/plan/discard-plan.ts';
import { groupsOf, linkedOf } from '../commit/plan/selection-closure.ts';
import { abortQuietly } from '../commit/recover/advance.ts';
import { copyOut } from '../commit/stage/copy.ts';
import { Uppers } from '../commit/stage/uppers.ts';
import { isLikeStored } from '../commit/upper/compare-stored.ts';
import { announceDrops, storedAt } from '../commit/upper/drop-entries.ts';
import { closeStored, finishStored } from '../commit/upper/stored.ts';
import { chmodEntry, relativeTo, removePath } from '../kernel/fs/dir-handles.ts';
import { Cancelled } from '../kernel/fs/entry-errors.ts';
import {
  errorCode,
  type FsPort,
  orIfRefused,
  orNull,
  syncFileSystems,
  useAndCloseAsync,
  withHandleAsync,
} from '../kernel/fs/port.ts';
import { asQuiet, type LiveSession } from '../sandbox/lock.ts';
import { presentReplayDirs } from '../sandbox/replay-dirs.ts';
import { coveringDir } from '../session/session-context.ts';
import { type Drop, Dropping } from './dropping.ts';
import { inView } from './view.ts';

export interface LiveTools {
  port: Transaction['port'];
  cancelled: () => boolean;
}

/**
 * Discards the entries of `plan`, of a fresh scan. No transaction is open.
 * @throws TraiError `io`, `no-space`, `cancelled`, `stale-revision`, `live` (none of it could go): nothing dropped
 */
export async function discardLive(
  ctx: LiveSession,
  { going, tops }: DiscardPlan,
  { port, cancelled }: LiveTools,
): Promise<DiscardReport> {
  try {
    const { units, left, entries } = unitsThatGo(port, ctx, { going, tops });
    if (units.length === 0) throw nothingDiscardedLive(left);
    await moveKept(ctx, units);
    const journal = beginDiscard(port, ctx, { kind: 'selection', entries, live: true });
    const transaction: Transaction = { port, ctx, journal };
    return await useAndCloseAsync(journal, async () => {
      try {
        announceDrops(transaction, units);
        await store(transaction);
        if (cancelled()) throw new Cancelled(STOPPED);
        journal.addSynced({ t: 'ready', units: 0 });
      } catch (error) {
        if (error instanceof Cancelled) {
          abortQuietly(transaction, false);
          throw discardStopped(0);
        }
        if (errorCode(error) !== '') abortQuietly(transaction, false);
        throw error;
      }
      const report = await finishDiscard(transaction, false);
      const all = [...left, ...(report.left ?? [])];
      if (report.entries === 0) throw nothingDiscardedLive(all);
      return all.length === 0 ? report : { ...report, left: all };
    });
  } catch (error) {
    throw asTraiError(error, 'discard');
  }
}

/** What trai keeps below a unit is no part of it: an undo would show it as pending. It keeps its name, which seals it. */
async function moveKept(ctx: LiveSession, units: readonly DiscardUnit[]): Promise<void> {
  const going = new Set(units.map(({ path }) => path));
  const dirs = presentReplayDirs(ctx).filter((dir) => isBelowAny(dir, going));
  await inView(
    ctx,
    dirs,
    (dir) => units.find(({ path }) => isWithin(dir, path))?.path ?? dir,
    async ({ room }, mine) => {
      // What is refused stays, and goes with the unit.
      for (const dir of mine) orIfRefused(() => room.takeKept(dir), undefined);
    },
  );
}

/** What a process has changed since the list stays pending, with what goes with it. */
function unitsThatGo(
  port: FsPort,
  ctx: LiveSession,
  { going, tops }: Pick<DiscardPlan, 'going' | 'tops'>,
): { units: DiscardUnit[]; left: Told[]; entries: number } {
  const first = firstOfSets(going, tops);
  const stale = new Set(staleTops(port, ctx, tops).map((change) => first(change)));
  const isStale = (change: Change) => stale.has(first(change));
  const rest = tops.filter((change) => !isStale(change));
  const units = unitsOf(port, ctx, rest);
  const firsts = new Map<Change | undefined, number>();
  units.forEach((unit, i) => {
    const known = firsts.get(first(rest[i]));
    if (known === undefined) firsts.set(first(rest[i]), i);
    else unit.with = known;
  });
  const left = tops.filter(isStale).map(({ path }) => ({ path, why: NOT_DISCARDED_LIVE }));
  const out = new Set(left.map(({ path }) => path));
  return {
    units,
    left,
    entries: going.filter(({ path }) => !out.has(path) && !isBelowAny(path, out)).length,
  };
}

/** For each of `tops` the first one that it goes with: of a repository's data, the names of one file, a rename. */
function firstOfSets(
  going: readonly Change[],
  tops: readonly Change[],
): (top: Change | undefined) => Change | undefined {
  const byPath = new Map(tops.map((top) => [top.path, top]));
  const topOf = ({ path }: Change): Change | undefined => {
    for (let at = path; at !== '/'; at = parentOf(at)) if (byPath.has(at)) return byPath.get(at);
    return undefined;
  };
  const joined = new Map<Change, Change>();
  const first = (top: Change | undefined): Change | undefined => {
    let at = top;
    for (let next = at; next !== undefined; next = at === undefined ? undefined : joined.get(at)) at = next;
    return at;
  };
  for (const { members } of [...groupsOf(going), ...linkedOf(going)]) {
    const heads = members.flatMap((i) => {
      const member = going[i];
      return member === undefined ? [] : (first(topOf(member)) ?? []);
    });
    const [head, ...others] = heads;
    for (const other of others)
      if (head !== undefined && first(other) !== first(head)) joined.set(other, head);
  }
  return first;
}

/**
 * From `ready` to `closed`. Idempotent. Without entries all of it stays pending.
 * @param resumed an earlier run began it: the trash may have the only copy of what that one took
 */
export async function finishDiscard(transaction: Transaction, resumed: boolean): Promise<DiscardReport> {
  const { ctx, journal } = transaction;
  const { record } = journal;
  const left: Told[] = [];
  const open = openDrops(transaction);
  const quiet = await asQuiet(ctx);
  const rest =
    quiet !== null
      ? open
      : await inView(
          ctx,
          open,
          ({ unit }) => unit.path,
          async (view, mine) => {
            const dropping = new Dropping(transaction, view, resumed);
            left.push(...(await dropping.run(mine)));
          },
        );
  const ended = rest.length === 0 ? null : (quiet ?? (await asQuiet(ctx)));
  if (ended !== null) finishStored({ ...transaction, ctx: ended }, resumed);
  else
    for (const { i } of rest) journal.add(resumed ? { t: 'done', i } : { t: 'fail', i, message: LIVE_ENDED });
  left.push(
    ...[...record.failed].map(([i, why]) => ({ path: record.drops[i]?.path ?? ctx.projectRoot, why })),
  );
  const entries = closeStored(transaction);
  return { trash: nameOf(journal.dir), entries, ...(left.length > 0 ? { left } : {}) };
}

function openDrops({ journal: { record } }: Transaction): Drop[] {
  return [...record.drops.entries()].flatMap(([i, unit]) =>
    record.done.has(i) || record.failed.has(i) ? [] : [{ i, unit }],
  );
}

/** Copies the entries from the uppers to the trash, and syncs them. */
async function store(transaction: Transaction): Promise<void> {
  const { port, ctx, journal } = transaction;
  const entries = openDrops(transaction).filter(({ unit }) => unit.kind === 'entry');
  await useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
    const isGone = ({ unit }: Drop) => {
      const now = uppers.lstat(unit.path);
      return now !== null && isWhiteout(now);
    };
    for (const { i, unit } of entries.filter(isGone)) {
      const from = uppers.placed(unit.path);
      if (from !== null) port.link(from, storedAt(journal.dir, i));
    }
    for (const covered of ctx.coveredDirs) {
      const mine = entries.filter(
        (drop) => coveringDir(ctx.coveredDirs, drop.unit.path) === covered && !isGone(drop),
      );
      if (mine.length === 0) continue;
      const name = `copies-${covered.n}` as BytePath;
      const dir = joinPath(journal.dir, name);
      port.mkdir(dir, 0o700);
      const nameIn = ({ unit }: Drop) => relativeTo(covered.path, unit.path);
      await withHandleAsync(port, port.openDir(dir), async (fd) => {
        await copyOut(port, covered.upper, mine.map(nameIn), fd);
      });
      for (const drop of mine) arrange(transaction, uppers, drop, joinPath(dir, nameIn(drop)));
      removePath(port, journal.dir, name);
    }
  });
  const dir = port.openDir(journal.dir);
  await withHandleAsync(port, dir, async () => await syncFileSystems(port, [dir]));
}

function arrange({ port, journal }: Transaction, uppers: Uppers, { i, unit }: Drop, copy: BytePath): void {
  const from = uppers.placed(unit.path);
  const isLike = from !== null && orNull(() => isLikeStored(port, from, copy));
  if (isLike !== true) {
    journal.add({ t: 'fail', i, message: isLike === null ? NOT_ALL_READ : CHANGED_MEANWHILE });
    return;
  }
  const now = port.lstat(copy);
  const stored = storedAt(journal.dir, i);
  const isClosed = now?.type === 'dir' && (now.mode & 0o200) === 0;
  if (isClosed) chmodEntry(port, copy, now.mode | 0o700);
  port.rename(copy, stored);
  if (isClosed) chmodEntry(port, stored, now.mode);
}
