/** What the person looks at on a session's timeline. Lives as long as the session is on show. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Change, ChangeList } from '../../shared/changes/model.ts';
import { NO_TIMELINE_FILTER, type TimelineFilter } from '../lib/timeline/rows.ts';
import { changesByCall } from '../lib/timeline/wrote.ts';

export interface TimelineView {
  filter: Signal<TimelineFilter>;
  /** What is pending, by the calls that are among its last writers. */
  wrote: ReadonlySignal<ReadonlyMap<string, readonly Change[]>>;
  wroteIds: ReadonlySignal<ReadonlySet<string>>;
}

export function createTimeline(changes: ReadonlySignal<ChangeList | null>): TimelineView {
  const wrote = computed(() => changesByCall(changes.value?.changes ?? []));
  return {
    filter: signal(NO_TIMELINE_FILTER),
    wrote,
    wroteIds: computed(() => new Set(wrote.value.keys())),
  };
}
