/** When an entry of an upper was written, and which calls can have done it. */
import type { BytePath } from '../../shared/bytes.ts';
import { overlaySpans, SpanFolder, WriterIndex, writesBy } from '../../shared/log/call-times.ts';
import { CallFolder, type CallView } from '../../shared/log/calls.ts';
import type { Change } from '../../shared/model/change.ts';
import type { WhyWrite } from '../../shared/model/why.ts';
import type { WriteTime } from '../../shared/model/written.ts';
import { lstatOrNone } from '../kernel/fs/entry.ts';
import { upperPath } from '../sandbox/covered.ts';
import { readLog } from '../session/log/read.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';

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
