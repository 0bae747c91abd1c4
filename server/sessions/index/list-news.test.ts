import { expect, it } from 'vitest';
import { EventHub } from '../../events/hub.ts';
import { listNews } from './manager.ts';

async function heard(...found: readonly string[]): Promise<string[]> {
  const hub = new EventHub();
  const tab = hub.subscribe(null);
  const scanned = listNews('s', hub);
  for (const revision of found) scanned(revision);
  hub.closeAll();
  const events: string[] = [];
  for (let next = await tab?.next(0); next !== null && typeof next === 'object'; next = await tab?.next(0))
    events.push(next.event.type === 'changes' ? next.event.revision : next.event.type);
  return events;
}

it('a list that a tab asked for by itself is told to the others', async () => {
  expect(await heard('a', 'b')).toEqual(['sessions', 'b', 'sessions']);
});

it('of the same list nothing is told, nor of the first, which no tab can have', async () => {
  expect(await heard('a', 'a')).toEqual(['sessions']);
});

it('a list that was there before is told of again', async () => {
  expect(await heard('a', 'b', 'a')).toEqual(['sessions', 'b', 'sessions', 'a', 'sessions']);
});
