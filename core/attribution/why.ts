/**
 * Why a path is as it is: state, base, host, and the calls that may have written it. Reads only.
 *
 *     listedAt:  the path's change in the list, and what is below it
 *     whyPath:   stat host and upper, look up base record and mount plan; no change: the reason
 *     writesOf:  write time (write-times.ts) -> the calls whose span holds it, of this log and of adopted
 *                sessions' logs (overlay-logs.ts)
 *
 * An overlay records times, not writers, so all candidates are named (shared/log/call-times.ts). processes.ts
 * lists what keeps a session live, with the call that started it.
 */

import { isDeepStrictEqual } from 'node:util';
import { type BytePath, fromText, isWithin } from '../../shared/bytes.ts';
import { WriterIndex, writesBy } from '../../shared/log/call-times.ts';
import {
  type Change,
  type ChangeList,
  type Side,
  timeOf,
  type WriteTime,
} from '../../shared/model/change.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import type { NotPending, WhyPath, WhyPlace, WhyWrite } from '../../shared/model/why.ts';
import { lstatOrNone, toSide } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { readBases } from '../overlay/bases.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import { readPlan } from '../sandbox/prepare/plan-files.ts';
import { type CoveredDir, coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { readOverlayLogs } from './overlay-logs.ts';
import { writeTimes } from './write-times.ts';

/** Errors: `io`. */
export async function whyPath(ctx: SessionContext, list: ChangeList, path: BytePath): Promise<WhyPath> {
  const listed = listedAt(list, path);
  const { change, below, times } = listed;
  const covered = coveringDir(ctx.coveredDirs, path);
  const host = lookAt(path);
  const upper = covered === null ? null : lookAt(upperPath(covered, path));
  const place = placeFacts(ctx, covered, path);
  const found = (await readBases(ctx)).lookup(path);
  const base = covered === null || isExcluded(path, ctx.excluded) ? { state: 'none' as const } : found;
  const shown = upper === null || isWhiteout(upper.entry) ? null : upper.side;
  return {
    session: ctx.session,
    path,
    change,
    notPending: change === null ? notPending(ctx, path, { ...listed, place, host, upper }) : null,
    below,
    ...(times === 0 ? {} : { times }),
    place,
    base: base.state,
    baseHost: base.state === 'known' ? base.host : null,
    host: host?.side ?? null,
    upper: shown,
    writes: change === null || covered === null ? [] : await writesOf(ctx, covered, change),
  };
}

/** What the change list says about a path. */
function listedAt({ changes, timed = [], problems }: ChangeList, path: BytePath) {
  const prefix = path === '/' ? '/' : `${path}/`;
  const inside = (list: readonly Change[]) => list.filter((one) => one.path.startsWith(prefix)).length;
  return {
    change: changes.find((one) => one.path === path) ?? null,
    below: inside(changes),
    /** Files below it of which only the modification time differs. */
    times: inside(timed),
    timed: timed.some((one) => one.path === path),
    /** It or a directory above it could not be read. */
    unreadable: problems.some((problem) => isWithin(path, fromText(problem.path))),
  };
}

interface Looked {
  entry: Stat;
  side: Side;
}

/** Null also when it is not accessible. */
function lookAt(path: BytePath): Looked | null {
  const entry = lstatOrNone(path);
  return entry === null ? null : { entry, side: toSide(entry, path) };
}

function placeFacts(ctx: SessionContext, covered: CoveredDir | null, path: BytePath): WhyPlace {
  let found: WhyPlace =
    covered === null
      ? { path: '/' as BytePath, kind: 'none', why: '' }
      : { path: covered.path, kind: 'covered', why: '' };
  for (const note of readPlan(ctx.sessionDir)?.notes ?? []) {
    if (isWithin(path, note.path) && (found.kind === 'none' || note.path.length > found.path.length))
      found = { ...note };
  }
  return found;
}

interface PathFacts extends ReturnType<typeof listedAt> {
  place: WhyPlace;
  host: Looked | null;
  upper: Looked | null;
}

function notPending(
  ctx: SessionContext,
  path: BytePath,
  { below, unreadable, timed, place, host, upper }: PathFacts,
): NotPending {
  if (isWithin(path, fromText(ctx.stateDir))) return 'state';
  if (isExcluded(path, ctx.excluded)) return 'client';
  if (ctx.coveredDirs.length === 0) return 'no-call';
  if (ctx.coveredDirs.some((one) => one.path === path)) return 'place';
  if (place.kind === 'none') return 'uncovered';
  if (place.kind !== 'covered') return place.kind;
  if (unreadable) return 'unreadable';
  if (below > 0) return 'below';
  if (upper !== null && !isWhiteout(upper.entry)) return timed ? 'time' : 'same';
  return host === null ? 'absent' : 'untouched';
}

/** Latest first; a call that made and changed it last is named once. Errors: `io`, when the log cannot be read. */
async function writesOf(ctx: SessionContext, covered: CoveredDir, change: Change): Promise<WhyWrite[]> {
  const written = timeOf(await writeTimes(ctx, [change]), 0);
  const whens = written === null ? [] : whensOf(covered, change, written);
  if (whens.length === 0) return [];
  const { folds, spans } = await readOverlayLogs(ctx);
  const index = new WriterIndex(spans);
  const writes = whens.map(([what, [from, to]]) => {
    const writers = index.spansBetween(from, to).map((span) => {
      const { call, session } = span;
      const view = folds.get(session)?.view(call);
      const by = writesBy(span, from);
      return { call, session, by, command: view?.command ?? '', at: view?.startedAt ?? '' };
    });
    return { what, from: new Date(from).toISOString(), to: new Date(to).toISOString(), writers };
  });
  return writes.filter((one, at) => at === 0 || !isDeepStrictEqual(one.writers, writes[0]?.writers));
}

/** The last change, and the creation of the overlay's entry if it was earlier and the file system records it. */
function whensOf(covered: CoveredDir, change: Change, written: WriteTime): [WhyWrite['what'], WriteTime][] {
  if (change.kind === 'deleted') return [['deleted', written]];
  const made = Number((lstatOrNone(upperPath(covered, change.path))?.birthNs ?? 0n) / 1_000_000n);
  const isOfHost = change.kind === 'modified' || change.kind === 'meta';
  return made > 0 && made < written[0]
    ? [
        ['changed', written],
        [isOfHost ? 'earlier' : 'made', [made, made]],
      ]
    : [['changed', written]];
}
