/**
 * A scan's list as this thread holds it: the columns that the worker sent, and what is computed of them. Objects for 300,000
 * entries take six times the memory and half a second of the thread that answers hooks; so questions about single changes
 * are answered by the worker, which has unpacked the list (server/worker/).
 */
import type { PackedFound } from '../../../core/jobs/packed-scan.ts';
import { writersAt } from '../../../core/jobs/written.ts';
import { type PackedList, withWriters } from '../../../shared/api/packed-changes.ts';
import {
  type OverlaySpan,
  overlaySpans,
  type SpanSource,
  WriterIndex,
} from '../../../shared/log/call-times.ts';
import type { ChangeList } from '../../../shared/model/change.ts';

/** The calls of a session, by which the writers of its changes are named. */
export interface CallSpans {
  session: string;
  own: () => SpanSource;
  /** Another text when calls have begun or ended. */
  version: () => string;
  /** When the calls of another session ran; null = it is not there any more. */
  of: (session: string) => SpanSource | null;
}

export class HeldList {
  /** All but the changes. */
  readonly head: Omit<ChangeList, 'changes'>;
  readonly found: PackedFound;
  readonly #spans: CallSpans;
  #wrote: { version: string; counts: Record<string, number> } | null = null;

  constructor(found: PackedFound, spans: CallSpans) {
    this.found = found;
    this.head = { ...found.list };
    this.#spans = spans;
  }

  get revision(): string {
    return this.head.revision;
  }

  /** Another text when other calls may be the writers. */
  get spansVersion(): string {
    return this.#spans.version();
  }

  spans(): OverlaySpan[] {
    const { session, own, of } = this.#spans;
    return overlaySpans(session, (id) => (id === session ? own() : of(id)));
  }

  /** For a tab: with the writers, without what only a commit compares. */
  forTab(since: number | null): PackedList {
    const { identities: _, ...columns } = this.found.packed;
    const { timed: _t, ...head } = this.head;
    return { ...head, same: false, since, packed: withWriters(columns, this.#writers()) };
  }

  /** How many changes each call is among the last writers of. */
  wrote(): Record<string, number> {
    const version = this.spansVersion;
    if (this.#wrote?.version === version) return this.#wrote.counts;
    const counts = new Map<string, number>();
    const writers = this.#writers();
    for (let i = 0; i < this.found.packed.count; i++)
      for (const call of writers(i) ?? []) counts.set(call, (counts.get(call) ?? 0) + 1);
    this.#wrote = { version, counts: Object.fromEntries(counts) };
    return this.#wrote.counts;
  }

  #writers(): (i: number) => readonly string[] | undefined {
    const index = new WriterIndex(this.spans());
    return (i) => writersAt(index, this.found.times, i);
  }
}

const NO_COLUMNS = {
  ...{ count: 0, ids: '', names: '', dirs: [], dirRuns: [], shapes: [], shapeRuns: [] },
  ...{ pendingSizes: [], hostSizes: [] },
};

/** The list of a session before its first call. */
export function noChanges(session: string): PackedFound {
  return {
    same: false,
    list: {
      session,
      revision: 'empty',
      at: new Date().toISOString(),
      counts: { added: 0, modified: 0, deleted: 0, replaced: 0, meta: 0 },
      bytes: 0,
      ignored: { count: 0, bytes: 0 },
      conflicts: 0,
      problems: [],
    },
    packed: NO_COLUMNS,
    rest: { same: false, mark: null },
    times: new Float64Array(),
  };
}
