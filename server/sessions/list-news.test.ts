import { expect, it } from 'vitest';
import { EventHub } from '../events/hub.ts';
import { ListNews } from './list-news.ts';

/** What tabs hear after these scans, each with what it gave and the newest list. */
async function heard(...scans: readonly [found: string, newest: string][]): Promise<string[]> {
  const hub = new EventHub();
  const tab = hub.subscribe(null);
  const { scanned } = new ListNews('s', hub);
  for (const [found, newest] of scans) scanned(found, newest);
  hub.closeAll();
  const events: string[] = [];
  for (let next = await tab?.next(0); next !== null && typeof next === 'object'; next = await tab?.next(0))
    events.push(next.event.type === 'changes' ? next.event.revision : next.event.type);
  return events;
}

it('a list that a tab asked for by itself is told to the others', async () => {
  expect(await heard(['a', 'a'], ['b', 'b'])).toEqual(['sessions', 'b', 'sessions']);
});

it('of the same list nothing is told, nor of the first, which no tab can have', async () => {
  expect(await heard(['a', 'a'], ['a', 'a'])).toEqual(['sessions']);
});

it('a scan that was overtaken gave some tab an old list: it is told of the newest', async () => {
  expect(await heard(['b', 'b'], ['a', 'b'])).toEqual(['sessions', 'b', 'sessions']);
});
