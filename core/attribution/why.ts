/**
 * Why a path is as it is: state, base, host, and the calls that may have written it. Reads only.
 *
 *     askAbout:  take the path's change out of the list, with its write time (write-times.ts)
 *     whyPath:   stat host and upper, look up base record and mount plan; no change: the reason
 *     writesOf:  write time -> the calls whose span holds it, of this log and of adopted sessions' logs
 *
 * An overlay records times, not writers, so all candidates are named (shared/log/call-times.ts). processes.ts
 * lists what keeps a session live, with the call that started it.
 */

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
import { lstatEntry, lstatOrNone, toSide } from '../kernel/fs/entry.ts';
import { errorCode, type Stat } from '../kernel/fs/port.ts';
import { readBases } from '../overlay/bases.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import { readPlan } from '../sandbox/prepare/plan-files.ts';
import { type CoveredDir, coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { readOverlayLogs } from './overlay-logs.ts';
import { writeTimes } from './write-times.ts';

/** What the change list says about a path; the list may have 50,000 entries and stays where it is. */
interface WhyQuestion {
  path: BytePath;
  change: Change | null;
  below: number;
  /** It or a directory above it could not be read. */
  unreadable: boolean;
  timed: boolean;
  /** Files below it of which only the modification time differs. */
  times?: number | undefined;
  /** As `writeTimes`; null = unknown, or no change. */
  written: WriteTime | null;
}

export function askAbout(ctx: SessionContext, list: ChangeList, path: BytePath): WhyQuestion {
  const prefix = path === '/' ? '/' : `${path}/`;
  const change = list.changes.find((one) => one.path === path) ?? null;
  const timed = list.timed ?? [];
  const times = timed.filter((one) => one.path.startsWith(prefix)).length;
  return {
    path,
    change,
    written: change === null ? null : timeOf(writeTimes(ctx, [change]), 0),
    below: list.changes.filter((one) => one.path.startsWith(prefix)).length,
    timed: timed.some((one) => one.path === path),
    ...(times === 0 ? {} : { times }),
    unreadable: list.problems.some((problem) => isWithin(path, fromText(problem.path))),
  };
}

/** Errors: `io`. */
export async function whyPath(ctx: SessionContext, question: WhyQuestion): Promise<WhyPath> {
  const { path, change, below, times, written } = question;
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
    notPending: change === null ? notPending(ctx, question, place, { host, upper }) : null,
    below,
    ...(times === undefined ? {} : { times }),
    place,
    base: base.state,
    baseHost: base.state === 'known' ? base.host : null,
    host: host?.side ?? null,
    upper: shown,
    writes: change === null || covered === null ? [] : await writesOf(ctx, { covered, change, written }),
  };
}

interface Looked {
  entry: Stat;
  side: Side;
}

/** Null also when it is not accessible. */
function lookAt(path: BytePath): Looked | null {
  try {
    const entry = lstatEntry(path);
    return entry === null ? null : { entry, side: toSide(entry, path) };
  } catch (error) {
    if (errorCode(error) === 'EACCES') return null;
    throw error;
  }
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

function notPending(
  ctx: SessionContext,
  { path, below, unreadable, timed }: WhyQuestion,
  place: WhyPlace,
  { host, upper }: { host: Looked | null; upper: Looked | null },
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

interface WrittenChange {
  covered: CoveredDir;
  change: Change;
  written: WriteTime | null;
}

/** Latest first. Errors: `io`, when the log cannot be read. */
async function writesOf(ctx: SessionContext, asked: WrittenChange): Promise<WhyWrite[]> {
  const whens = whensOf(asked);
  if (whens.length === 0) return [];
  const { folds, spans } = await readOverlayLogs(ctx);
  const index = new WriterIndex(spans);
  return whens.map(([what, [from, to]]) => {
    const writers = index.spansBetween(from, to).map((span) => {
      const { call, session } = span;
      const view = folds.get(session)?.view(call);
      const by = writesBy(span, from);
      return { call, session, by, command: view?.command ?? '', at: view?.startedAt ?? '' };
    });
    return { what, from: new Date(from).toISOString(), to: new Date(to).toISOString(), writers };
  });
}

/** The last change, and the creation if it was earlier and the file system records it. */
function whensOf({ covered, change, written }: WrittenChange): [WhyWrite['what'], WriteTime][] {
  if (written === null) return [];
  if (change.kind === 'deleted') return [['deleted', written]];
  const made = madeAt(covered, change.path);
  return made > 0 && made < written[0]
    ? [
        ['changed', written],
        ['made', [made, made]],
      ]
    : [['changed', written]];
}

function madeAt(covered: CoveredDir, path: BytePath): number {
  return Number((lstatOrNone(upperPath(covered, path))?.birthNs ?? 0n) / 1_000_000n);
}
