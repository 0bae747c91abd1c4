/**
 * Why a path is as it is: state, base, host, and the calls that may have written it. Reads only.
 *
 * write-times.ts takes from the kernel's time stamps of the uppers, and from the listings after each call, when an entry can
 * have been written; shared/log/call-times.ts compares that with the calls of the log. All candidates are named: the overlay
 * records times, not writers. processes.ts lists what keeps a session live, with the call that started it.
 */

import { type BytePath, fromText, isWithin } from '../../shared/bytes.ts';
import { overlaySpans, SpanFolder, WriterIndex, writesBy } from '../../shared/log/call-times.ts';
import { CallFolder, type CallView } from '../../shared/log/calls.ts';
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
import { readLog } from '../session/log/read.ts';
import { type CoveredDir, coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';
import { writeTimes } from './write-times.ts';

/** What the change list says of a path; the list itself may have 50,000 entries and stays where it is. */
export interface WhyQuestion {
  path: BytePath;
  change: Change | null;
  /** Changes below it. */
  below: number;
  /** Some directory at or above it could not be read. */
  unreadable: boolean;
  /** Only its modification time differs. */
  timed: boolean;
  /** Files below it of which only that differs. */
  times?: number | undefined;
  /** What `writeTimes` says of the change; null = not known, or there is none. */
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

/** Errors: `io`, when the log can't be read. */
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

/** Null where there is none, or where this user may not look. */
function lookAt(path: BytePath): Looked | null {
  try {
    const entry = lstatEntry(path);
    return entry === null ? null : { entry, side: toSide(entry, path) };
  } catch (error) {
    if (errorCode(error) === 'EACCES') return null;
    throw error;
  }
}

/** The innermost thing that the plan says about a path. */
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

/** A change, with what `writeTimes` says of it. */
export interface WrittenChange {
  covered: CoveredDir;
  change: Change;
  written: WriteTime | null;
}

/** What the overlay tells of the writes to a pending path, the last first. Errors: `io`, when the log can't be read. */
export async function writesOf(ctx: SessionContext, asked: WrittenChange): Promise<WhyWrite[]> {
  const whens = whensOf(asked);
  if (whens.length === 0) return [];
  const books = await readBooks(ctx);
  const index = new WriterIndex(overlaySpans(ctx.session, (session) => books.get(session)?.spans ?? null));
  return whens.map(([what, [from, to]]) => {
    const writers = index.spansBetween(from, to).map((span) => {
      const view = books.get(span.session)?.calls.view(span.call);
      const { call, session } = span;
      return { call, session, by: writesBy(span, from), ...wordsOf(view ?? null) };
    });
    return { what, from: new Date(from).toISOString(), to: new Date(to).toISOString(), writers };
  });
}

/** The last change; and the making, where that was earlier and the file system keeps it. */
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

/** Milliseconds; 0 where it is not known. */
function madeAt(covered: CoveredDir, path: BytePath): number {
  return Number((lstatOrNone(upperPath(covered, path))?.birthNs ?? 0n) / 1_000_000n);
}

function wordsOf(view: CallView | null): { command: string; at: string } {
  return { command: view?.command ?? '', at: view?.startedAt ?? '' };
}

/** The log of one session, ready to be asked. */
interface Book {
  spans: SpanFolder;
  calls: CallFolder;
}

/** The session's own log, and those of the sessions whose pending changes it went on with. */
async function readBooks(ctx: SessionContext): Promise<Map<string, Book>> {
  const books = new Map<string, Book>();
  const waiting = [ctx.session];
  for (let session = waiting.pop(); session !== undefined; session = waiting.pop()) {
    if (books.has(session)) continue;
    const book: Book = { spans: new SpanFolder(), calls: new CallFolder() };
    const { events } = await readLog(`${ctx.stateDir}/sessions/${session}`);
    for (const event of events) {
      book.spans.take(event);
      book.calls.push(event);
    }
    books.set(session, book);
    for (const { from, to } of book.spans.adoptions) if (to === session) waiting.push(from);
  }
  return books;
}
