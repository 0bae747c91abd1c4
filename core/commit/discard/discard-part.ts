/** Discard of a selection: what has to go, and taking it out of the overlay. */

import type { BytePath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import type { DiscardReport, Told } from '../../../shared/model/commit.ts';
import { closedIdentity, isWhiteout, lookIdentity } from '../../../shared/model/identity.ts';
import { Cancelled } from '../../kernel/fs/entry-errors.ts';
import { type FsPort, nodePort, type Stat } from '../../kernel/fs/port.ts';
import { birthOf } from '../../kernel/fs/stat-identity.ts';
import { xattrIdentity } from '../../kernel/xattr/values.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { MadeDirs } from '../apply/made-dirs.ts';
import { ensureTrash, type Move, newTrashName } from '../journal/trash.ts';
import { staleList } from '../messages.ts';
import { takeOut } from '../pending/take-out.ts';
import {
  type DiscardPlan,
  droppedAlongText,
  FIXED_TEXT,
  isDirMeta,
  planDiscard,
} from '../plan/discard-plan.ts';
import { finishPart } from '../recover/repair.ts';
import { Uppers } from '../stage/uppers.ts';
import { asDiscardError } from './discard.ts';

export interface DiscardLook {
  plan: DiscardPlan;
  along: Told[];
  cannot: Told[];
}

/** What a discard of `chosen` would drop. Reads only. */
export async function lookAtDiscard(
  ctx: SessionContext,
  list: ChangeList,
  chosen: ReadonlySet<BytePath>,
): Promise<DiscardLook> {
  const first = planDiscard(list, chosen);
  const fixed = await fixedEntries(ctx, first.tops);
  const plan = fixed.size === 0 ? first : planDiscard(list, chosen, fixed);
  return {
    plan,
    along: plan.along.map((one) => ({ path: one.change.path, why: droppedAlongText(one) })),
    cannot: plan.stays.map(({ path }) => ({ path, why: FIXED_TEXT })),
  };
}

/** Taken out of a directory that hides the host's, an entry that the host has would look deleted. */
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
 * Takes the entries of `plan` out of the overlay, into the trash. `plan` is made from
 * a list of this moment, and no commit unfinished.
 *
 * @throws TraiError `io`, `no-space`: what was begun is finished by the next run; `cancelled`: nothing was dropped
 */
export function discardPart(
  ctx: QuietSession,
  { going, tops }: DiscardPlan,
  { port, cancelled }: PartTools = { port: nodePort, cancelled: () => false },
): DiscardReport {
  try {
    finishPart(ctx, port);
    const moves = movesOf(port, ctx, tops);
    ensureTrash(port, ctx);
    const trash = newTrashName(port, ctx);
    const places = ctx.coveredDirs.map(({ n, path }): [number, BytePath] => [n, path]);
    const about = {
      kind: 'selection' as const,
      session: ctx.session,
      at: new Date().toISOString(),
      entries: going.length,
    };
    takeOut(port, ctx, { trash, manifest: { ...about, places, state: 'taking', moves } }, cancelled);
    return { trash, entries: going.length };
  } catch (error) {
    if (error instanceof Cancelled) {
      throw new TraiError('cancelled', 'The discard was stopped; everything is still pending.');
    }
    throw asDiscardError(error, 'discarded');
  }
}

function movesOf(port: FsPort, ctx: SessionContext, tops: readonly Change[]): Move[] {
  const uppers = new Uppers(port, ctx, null);
  try {
    const moves = tops.map((change) => {
      const now = uppers.lstat(change.path);
      if (now === null || !isAsListed(change, now)) throw staleList();
      return moveOf(change, now);
    });
    addXattrs(port, uppers, tops, moves);
    return moves;
  } finally {
    uppers.close();
  }
}

/** A directory that stays gets the host's attributes back with its mode. */
function addXattrs(port: FsPort, uppers: Uppers, tops: readonly Change[], moves: readonly Move[]): void {
  const asked = tops.flatMap((change, i) => {
    const move = moves[i];
    return change.xattrs === true && move?.kind === 'mode' ? [{ change, move }] : [];
  });
  const texts = port.xattrsOf(asked.flatMap(({ move: { path } }) => [path, uppers.pathOf(path)]));
  asked.forEach(({ change, move }, i) => {
    const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
    if (host === null || upper === null) throw staleList();
    if (change.xattrIdentity !== xattrIdentity({ host, upper })) throw staleList();
    move.xattrs = { from: upper, to: host };
  });
}

function isAsListed({ pending, upperIdentity }: Change, now: Stat): boolean {
  if (pending === null) return isWhiteout(now);
  // What is below a closed directory goes to the trash with it, or stays where only its mode is given back.
  const known = [undefined, lookIdentity(now), closedIdentity(now)];
  return known.includes(upperIdentity);
}

function moveOf(change: Change, now: Stat): Move {
  const { mode, uid, gid } = now;
  const about = { path: change.path, id: birthOf(now), mode, uid, gid };
  if (isDirMeta(change) && change.host !== null) {
    const { host } = change;
    return { ...about, kind: 'mode', closed: false, host: { mode: host.mode, uid: host.uid, gid: host.gid } };
  }
  return { ...about, kind: 'entry', closed: now.type === 'dir' && (mode & 0o200) === 0 };
}
