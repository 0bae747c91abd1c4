import { expect, it } from 'vitest';
import { onSmallDisk } from '../../testing/sandbox/small-disk.ts';

it('on a full disk a commit changes nothing, and a discard and its undo work all the same', async () => {
  const out = await onSmallDisk(`${import.meta.dirname}/full-state.fixture.ts`, 1_500 * 1024);
  expect(JSON.parse(out)).toEqual({
    kept: 80 * 1024,
    full: 'no-space',
    // Except for a log line.
    holds: true,
    dropped: 4,
    left: [],
    undone: 4,
    back: ['d', 'd/big', 'f', 'g'],
    later: 'applied',
    f: 'new\n',
    again: 80 * 1024,
  });
});
