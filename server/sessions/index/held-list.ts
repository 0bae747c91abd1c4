/**
 * A scan's list as this thread holds it: the columns that the worker sent. Who needs single changes gets them unpacked; a
 * tab's list, the jobs of the worker and all counts are made from the columns, since objects for 300,000 entries take six
 * times the memory and half a second of the thread that answers hooks.
 */
import type { PackedFound } from '../../../core/jobs/packed-scan.ts';
import { nameWriters, writersAt } from '../../../core/jobs/written.ts';
import {
  indexOfId,
  type PackedList,
  unpackChanges,
  withWriters,
} from '../../../shared/api/packed-changes.ts';
import { overlaySpans, type SpanSource, WriterIndex } from '../../../shared/log/call-times.ts';
import { type Change, type ChangeList, timeOf, type WriteTime } from '../../../shared/model/change.ts';
import type { ListColumns, ListSource } from '../../worker/list-jobs.ts';

/** The calls of a session, by which the writers of its changes are named. */
export interface CallSpans {
  session: string;
  own: () => SpanSource;
  /** Another text when calls have begun or ended. */
  version: () => string;
  /** When the calls of another session ran; null = it is not there any more. */
  of: (session: string) => SpanSource | null;
}

export class HeldList implements ListSource {
  /** `changes` are unpacked when they are first asked for, and name their writers by the calls of now. */
  readonly list: ChangeList;
  readonly #found: PackedFound;
  readonly #spans: CallSpans;
  #unpacked: Change[] | null = null;
  /** By which the unpacked changes have their writers. */
  #named = '';
  #usedAt = 0;
  #wrote: { by: string; counts: Record<string, number> } | null = null;

  constructor(found: PackedFound, spans: CallSpans) {
    this.#found = found;
    this.#spans = spans;
    const changes = () => this.#changes();
    this.list = {
      ...found.list,
      get changes() {
        return changes();
      },
    };
  }

  get key(): string {
    return `${this.list.revision} ${this.#spans.version()}`;
  }

  /** For the worker. */
  columns(): ListColumns {
    const { list, packed } = this.#found;
    return { head: list, packed: withWriters(packed, this.#writers()) };
  }

  /** Lets go of unpacked changes that nobody asked for since (ms, `performance.now()`). */
  release(since: number): void {
    if (this.#usedAt < since) this.#unpacked = null;
  }

  /** For a tab: with the writers, without what only a commit compares. */
  forTab(since: number | null): PackedList {
    const { identities: _i, ...columns } = this.#found.packed;
    const { timed: _t, ...head } = this.#found.list;
    return { ...head, at: this.list.at, same: false, since, packed: withWriters(columns, this.#writers()) };
  }

  /** How many changes each call is among the last writers of. */
  wrote(): Record<string, number> {
    const by = this.#spans.version();
    if (this.#wrote?.by === by) return this.#wrote.counts;
    const counts = new Map<string, number>();
    const writers = this.#writers();
    for (let i = 0; i < this.#found.packed.count; i++)
      for (const call of writers(i) ?? []) counts.set(call, (counts.get(call) ?? 0) + 1);
    this.#wrote = { by, counts: Object.fromEntries(counts) };
    return this.#wrote.counts;
  }

  /** Between which times an entry was written; null = not known. */
  timeOf(id: string): WriteTime | null {
    const at = indexOfId(this.#found.packed, id);
    return at < 0 ? null : timeOf(this.#found.times, at);
  }

  #changes(): Change[] {
    const { packed, times, list } = this.#found;
    this.#usedAt = performance.now();
    if (this.#unpacked === null) {
      this.#unpacked = unpackChanges(packed);
      this.#named = '';
    }
    const version = this.#spans.version();
    if (this.#named !== version) {
      nameWriters({ list: { ...list, changes: this.#unpacked }, times }, this.#overlaySpans());
      this.#named = version;
    }
    return this.#unpacked;
  }

  #writers(): (i: number) => readonly string[] | undefined {
    const index = new WriterIndex(this.#overlaySpans());
    const { times } = this.#found;
    return (i) => writersAt(index, times, i);
  }

  #overlaySpans() {
    const { session, own, of } = this.#spans;
    return overlaySpans(session, (id) => (id === session ? own() : of(id)));
  }
}
