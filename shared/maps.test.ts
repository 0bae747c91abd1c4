import { expect, it } from 'vitest';
import { addTo, setNewest } from './maps.ts';

it('keeps the newest entries, and one that is set again is the newest', () => {
  const map = new Map<string, number>();
  for (const name of ['a', 'b', 'a', 'c']) setNewest(map, name, 1, 2);
  expect([...map.keys()]).toEqual(['a', 'c']);
});

it('adds in order to the list of a key', () => {
  const lists = new Map<string, number[]>();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    addTo(lists, key, value);
  expect([...lists]).toEqual([
    ['a', [1, 3]],
    ['b', [2]],
  ]);
});
