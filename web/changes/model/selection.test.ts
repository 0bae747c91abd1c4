import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromText, isWithin } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { makeChange, side } from '../../../testing/dashboard/make.ts';
import { choose, chosenBelow, chosenOf, NOTHING, pathsOf, sumOf } from './selection.ts';
import { buildTree } from './tree.ts';

const added = (path: string, patch: Partial<Change> = {}): Change =>
  makeChange(fromText(path), 'added', { pending: side({ size: 10 }), ...patch });
const newDir = (path: string): Change => added(path, { pending: side({ type: 'dir' }) });

const changes = [
  added('/p/a'),
  newDir('/p/lib'),
  added('/p/lib-2'),
  added('/p/lib/x'),
  added('/p/lib/y'),
  added('/p/lib/z', { ignored: 'cache' }),
  added('/p/src/one'),
  added('/p/src/two'),
];
const of = (...paths: string[]): Change[] => changes.filter(({ path }) => paths.includes(path));
const pathsFor = (...paths: string[]): string[] =>
  pathsOf(changes, choose(NOTHING, changes, of(...paths), true)).sort();

describe('choosing', () => {
  test('an entry takes what is below it along, and nothing that only begins like it', () => {
    const chosen = choose(NOTHING, changes, of('/p/lib'), true);
    expect(changes.filter(({ id }) => chosen.has(id)).map(({ path }) => path)).toEqual([
      '/p/lib',
      '/p/lib/x',
      '/p/lib/y',
      '/p/lib/z',
    ]);
  });

  test('taking one back takes the directories above it back', () => {
    const all = choose(NOTHING, changes, changes, true);
    const rest = choose(all, changes, of('/p/lib/x'), false);
    expect(changes.filter(({ id }) => !rest.has(id)).map(({ path }) => path)).toEqual(['/p/lib', '/p/lib/x']);
  });

  test('sums and the state of a directory follow', () => {
    const chosen = choose(NOTHING, changes, of('/p/src/one', '/p/a'), true);
    expect(sumOf(changes, chosen)).toEqual({ count: 2, bytes: 20, ignored: 0 });
    const below = chosenBelow(buildTree(changes, fromText('/p')), chosen);
    expect([below.get('/p'), below.get('/p/src'), below.get('/p/lib')]).toEqual([2, 1, 0]);
    expect([chosenOf(0, 2), chosenOf(1, 2), chosenOf(2, 2)]).toEqual(['none', 'some', 'all']);
  });
});

describe('the paths of an order', () => {
  test('are single entries, or a directory where all of it is chosen', () => {
    expect(pathsFor('/p/a', '/p/src/one')).toEqual(['/p/a', '/p/src/one']);
    expect(pathsFor('/p/src/one', '/p/src/two')).toEqual(['/p/src']);
    expect(pathsFor('/p/lib')).toEqual(['/p/lib']);
  });

  test('name what was chosen, not a directory far above it that holds nothing else', () => {
    const alone = ['/home/kim/shop/src/one', '/home/kim/shop/src/two'].map((path) => added(path));
    const named = (...chosen: Change[]) => pathsOf(alone, choose(NOTHING, alone, chosen, true));
    expect(named(...alone)).toEqual(['/home/kim/shop/src']);
    const [one] = alone;
    const single = one === undefined ? [] : [one];
    expect(pathsOf(single, choose(NOTHING, single, single, true))).toEqual(['/home/kim/shop/src/one']);
  });

  test('name no directory that holds something else, ignored entries among it', () => {
    expect(pathsFor('/p/lib/x', '/p/lib/y')).toEqual(['/p/lib/x', '/p/lib/y']);
    expect(pathsFor('/p/a', '/p/lib-2', '/p/src/one', '/p/src/two')).toEqual(['/p/a', '/p/lib-2', '/p/src']);
  });

  test('leave a new directory out that is chosen without all below it, as after a refresh', () => {
    expect(pathsOf(changes, new Set(of('/p/lib', '/p/lib/x').map(({ id }) => id)))).toEqual(['/p/lib/x']);
  });

  test('cover exactly what is chosen, whatever that is', () => {
    fc.assert(
      fc.property(fc.subarray(changes), fc.subarray(changes), (on, off) => {
        const chosen = choose(choose(NOTHING, changes, on, true), changes, off, false);
        const paths = pathsOf(changes, chosen);
        const covered = changes.filter(({ path }) => paths.some((top) => isWithin(path, top)));
        expect(covered.map(({ id }) => id)).toEqual(
          changes.filter(({ id }) => chosen.has(id)).map(({ id }) => id),
        );
      }),
    );
  });
});
