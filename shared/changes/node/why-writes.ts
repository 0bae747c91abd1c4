/** When the entries of an upper were written, as far as the kernel's time stamps tell, and which calls can have done it. */
import { type BytePath, parentOf } from '../../bytes.ts';
import type { CallView } from '../../log/call-view.ts';
import { CallFolder } from '../../log/fold.ts';
import { readLog } from '../../log/node/read.ts';
import type { LogEvent } from '../../log/types.ts';
import type { Place, SessionContext } from '../../sandbox/types.ts';
import { type Span, SpanFolder, writersBetween } from '../attribution.ts';
import { isWhiteout } from '../identity.ts';
import type { ChangeKind } from '../model.ts';
import type { WhyWrite, WhyWriter } from '../why.ts';
import { type Entry, errorCode, lstatEntry, upperPath } from './entry.ts';

/** A stretch of time, milliseconds since 1970, both ends included. */
interface When {
  what: WhyWrite['what'];
  from: number;
  to: number;
}

/** The log of one session, ready to be asked. */
interface Book {
  session: string;
  spans: Span[];
  calls: ReadonlyMap<string, CallView>;
}

/** What the overlay tells of the writes to a pending path. Errors: `io`, when the log can't be read. */
export async function writesOf(
  ctx: SessionContext,
  place: Place,
  path: BytePath,
  kind: ChangeKind,
): Promise<WhyWrite[]> {
  const whens = kind === 'deleted' ? [whenDeleted(place, path)] : whenWritten(entryAt(place, path));
  const books = await booksOf(ctx);
  return whens.flatMap((when) => {
    if (when === null) return [];
    const { what, from, to } = when;
    const writers = books.flatMap((book) => writersOf(book, from, to));
    return [{ what, from: new Date(from).toISOString(), to: new Date(to).toISOString(), writers }];
  });
}

/** The last change; and the making, where that was not the same moment and the file system keeps it. */
function whenWritten(entry: Entry | null): When[] {
  if (entry === null) return [];
  const changed = ms(entry.ctimeNs);
  const made = ms(entry.birthNs);
  const last: When = { what: 'changed', from: changed, to: changed };
  return made > 0 && made < changed ? [last, { what: 'made', from: made, to: made }] : [last];
}

/**
 * A deletion leaves no time of its own: all whiteouts of a mount are links of one inode. But it changed the directory
 * that it happened in, and that directory was in the upper by then: it lies between that one's making and last change.
 * Below a directory that was deleted or replaced as a whole, that directory's deletion is the one that is meant.
 */
function whenDeleted(place: Place, path: BytePath): When | null {
  let at = path;
  while (at !== place.path) {
    const parent = parentOf(at);
    const holder = entryAt(place, parent);
    if (holder?.type === 'dir') {
      const mark = entryAt(place, at);
      // No mark: the directory was made again, and what it hid was gone by its birth.
      if (mark === null) return whenReplaced(place, parent, holder);
      const from = isWhiteout(mark) ? Math.max(ms(holder.birthNs), ms(mark.birthNs)) : ms(holder.birthNs);
      const to = isWhiteout(mark) ? Math.min(ms(holder.ctimeNs), ms(mark.ctimeNs)) : ms(mark.birthNs);
      return { what: 'deleted', from: Math.min(from, to), to: Math.max(from, to) };
    }
    at = parent;
  }
  return null;
}

function whenReplaced(place: Place, path: BytePath, entry: Entry): When | null {
  if (path === place.path) return null;
  const holder = entryAt(place, parentOf(path));
  const made = ms(entry.birthNs);
  return { what: 'deleted', from: Math.min(made, ms(holder?.birthNs ?? 0n)), to: made };
}

function entryAt(place: Place, path: BytePath): Entry | null {
  try {
    return lstatEntry(upperPath(place, path));
  } catch (error) {
    if (errorCode(error) === 'EACCES') return null;
    throw error;
  }
}

function ms(ns: bigint): number {
  return Number(ns / 1_000_000n);
}

/** The session's own log, and those of the sessions whose pending changes it went on with. */
async function booksOf(ctx: SessionContext): Promise<Book[]> {
  const books = new Map<string, Book>();
  const waiting = [ctx.session];
  for (let session = waiting.pop(); session !== undefined; session = waiting.pop()) {
    if (books.has(session)) continue;
    const { events } = await readLog(`${ctx.stateDir}/sessions/${session}`);
    books.set(session, bookOf(session, events));
    for (const event of events) if (event.t === 'adopt' && event.to === session) waiting.push(event.from);
  }
  return [...books.values()];
}

function bookOf(session: string, events: readonly LogEvent[]): Book {
  const spans = new SpanFolder();
  const calls = new CallFolder();
  for (const event of events) {
    spans.take(event);
    calls.push(event);
  }
  return { session, spans: spans.spans(), calls: new Map(calls.views().map((call) => [call.id, call])) };
}

function writersOf({ session, spans, calls }: Book, from: number, to: number): WhyWriter[] {
  return writersBetween(spans, from, to).map(({ call, by }) => {
    const view = calls.get(call);
    return { call, session, by, command: view?.command ?? '', at: view?.startedAt ?? '' };
  });
}
