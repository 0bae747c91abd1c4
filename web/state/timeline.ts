/** What the user looks at on a session's timeline. Lives as long as the session is on show. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CallList } from '../../shared/api/types.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type { Span } from '../timeline/model/axis.ts';
import { changesByCall, NO_TIMELINE_FILTER, type TimelineFilter } from '../timeline/model/rows.ts';

export interface TimelineView {
  filter: Signal<TimelineFilter>;
  /** The part of the time that the strip shows; null = all. */
  zoom: Signal<Span | null>;
  /** What is pending, by the calls that are among its last writers. */
  wrote: ReadonlySignal<ReadonlyMap<string, readonly Change[]>>;
  wroteIds: ReadonlySignal<ReadonlySet<string>>;
}

/** What of the time is on show, as an address says it. */
export function timeOnShow({ filter, zoom }: TimelineView): { window: Span | null; zoom: Span | null } {
  return { window: filter.value.window, zoom: zoom.value };
}

export function createTimeline(
  changes: ReadonlySignal<ChangeList | null>,
  calls: ReadonlySignal<CallList | null>,
): TimelineView {
  const wrote = computed(() => changesByCall(changes.value?.changes ?? []));
  return {
    filter: signal(NO_TIMELINE_FILTER),
    zoom: signal<Span | null>(null),
    wrote,
    // Until the changes are there, the calls' own list says it, as of the last look: nothing moves when they come.
    wroteIds: computed(() =>
      changes.value === null ? new Set(Object.keys(calls.value?.wrote ?? {})) : new Set(wrote.value.keys()),
    ),
  };
}
