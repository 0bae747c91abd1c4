/** Puts what is new on a timeline together with what is at hand. */
import type { CallList } from '../../../shared/api/types.ts';
import { type CallView, callKey } from '../../../shared/log/calls.ts';
import type { TimelineMark } from '../../../shared/log/marks.ts';

/** The whole list after `news`. What has not changed is the same object as before. */
export function withNews(list: CallList | null, news: CallList): CallList {
  if (list === null || news.whole) return news;
  return {
    ...news,
    whole: true,
    calls: updated<CallView>(list.calls, news.calls, callKey, news.gone),
    gone: [],
    marks: updated<TimelineMark>(list.marks, news.marks, (mark) => mark.id, []),
  };
}

/** Known items are exchanged where they are, new ones come at the end. */
function updated<T>(
  items: readonly T[],
  news: readonly T[],
  keyOf: (item: T) => string,
  gone: readonly string[],
): T[] {
  const byKey = new Map(news.map((item) => [keyOf(item), item]));
  const dropped = new Set(gone);
  const kept: T[] = [];
  for (const item of items) {
    const key = keyOf(item);
    const next = byKey.get(key);
    byKey.delete(key);
    // A key that is gone may be another call's again, which is then among the news.
    if (next !== undefined) kept.push(next);
    else if (!dropped.has(key)) kept.push(item);
  }
  return [...kept, ...byKey.values()];
}
