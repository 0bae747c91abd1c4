import { nameWriters, type PackedFound, type PackedScan, type TimedList } from '../../core/jobs/lists.ts';
import { unpackChanges } from '../../shared/api/packed-changes.ts';
import type { OverlaySpan } from '../../shared/log/call-times.ts';
import { setNewest } from '../../shared/maps.ts';
import type { ChangeList } from '../../shared/model/change.ts';

export interface ListSource {
  readonly revision: string;
  /** Changes when other calls may be the writers. */
  readonly spansVersion: string;
  readonly found: PackedFound;
  spans(): OverlaySpan[];
}

/** What the worker lacks of a list. `found` is null where its own scan made the list. */
export interface ListParts {
  found: ReturnType<typeof columnsOf> | null;
  spans: OverlaySpan[];
}

export function partsOf(source: ListSource, columns: boolean): ListParts {
  return { found: columns ? columnsOf(source.found) : null, spans: source.spans() };
}

/** Without the mark: it is large, and of no use to the worker. */
function columnsOf({ list, packed, times }: PackedFound) {
  return { list, packed, times };
}

export type ListName = { session: string } & Pick<ListSource, 'revision' | 'spansVersion'>;

interface Kept {
  revision: string;
  /** Until the first question. */
  packed: ListParts['found'];
  /** Of the calls by which the changes name their writers; empty = none. */
  spansVersion: string;
  timed: Promise<TimedList> | null;
}

function keptOf(revision: string, packed: Kept['packed']): Kept {
  return { revision, packed, spansVersion: '', timed: null };
}

/** Sessions, the last used. */
const LISTS = 4;

export class Lists {
  readonly #kept = new Map<string, Kept>();

  /** Before a scan: two lists of a session at the same time would be this thread's peak of memory. */
  forget(session: string): Kept | undefined {
    const kept = this.#kept.get(session);
    this.#kept.delete(session);
    return kept;
  }

  scanned(session: string, found: PackedScan, before: Kept | undefined): void {
    const kept = found.same ? before : keptOf(found.list.revision, columnsOf(found));
    if (kept !== undefined) setNewest(this.#kept, session, kept, LISTS);
  }

  /** `ask` requests what is missing from the main thread, with the columns or without. */
  async get(
    { session, revision, spansVersion }: ListName,
    ask: (columns: boolean) => Promise<ListParts>,
  ): Promise<ChangeList> {
    let kept = this.forget(session);
    if (kept?.revision !== revision) kept = keptOf(revision, null);
    setNewest(this.#kept, session, kept, LISTS);
    if (kept.timed === null || kept.spansVersion !== spansVersion) {
      kept.spansVersion = spansVersion;
      kept.timed = named(kept, ask);
    }
    return (await kept.timed).list;
  }
}

async function named(kept: Kept, ask: (columns: boolean) => Promise<ListParts>): Promise<TimedList> {
  const { timed, packed } = kept;
  const { found, spans } = await ask(timed === null && packed === null);
  kept.packed = null;
  const list = timed === null ? unpacked(packed ?? found) : await timed;
  nameWriters(list, spans);
  return list;
}

function unpacked(found: ListParts['found']): TimedList {
  if (found === null) throw new Error('expected the columns of the list');
  return { list: { ...found.list, changes: unpackChanges(found.packed) }, times: found.times };
}
