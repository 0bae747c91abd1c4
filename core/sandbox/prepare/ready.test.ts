import { expect, test } from 'vitest';
import { ReadyThings } from './draft.ts';

function atTime() {
  let now = 1000;
  const things = new ReadyThings<string>(() => now);
  things.put('session', 'the facts', 'made');
  return { things, wait: (ms: number) => (now += ms) };
}

test('it is given once', () => {
  const { things } = atTime();
  expect(things.take('session', 'the facts')).toBe('made');
  expect(things.take('session', 'the facts')).toBeNull();
});

test('other facts, another session or a pause: it is made anew', () => {
  expect(atTime().things.take('session', 'others')).toBeNull();
  expect(atTime().things.take('another', 'the facts')).toBeNull();
  const late = atTime();
  late.wait(151);
  expect(late.things.take('session', 'the facts')).toBeNull();
  const soon = atTime();
  soon.wait(150);
  expect(soon.things.take('session', 'the facts')).toBe('made');
});
