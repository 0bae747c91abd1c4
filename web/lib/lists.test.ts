import { describe, expect, test } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { makeChange, makeList, side, textEntry } from '../backend/fake/make.ts';
import { changeDelta } from './change-delta.ts';
import { type Filter, filterChanges, isNarrowed, isNarrower, NO_FILTER } from './filter.ts';
import { mergeStable } from './merge.ts';

describe('a live list', () => {
  const key = (item: { id: number }): string => String(item.id);

  test('keeps its rows where they are and counts what is new and gone', () => {
    const shown = [
      { id: 3, v: 'a' },
      { id: 1, v: 'b' },
    ];
    const merged = mergeStable(
      shown,
      [
        { id: 1, v: 'B' },
        { id: 2, v: 'c' },
      ],
      key,
    );
    expect(merged).toEqual({
      rows: [
        { id: 3, v: 'a' },
        { id: 1, v: 'B' },
      ],
      fresh: 1,
      gone: 1,
    });
  });
});

describe('the filter', () => {
  const changes = [
    makeChange(fromText('/p/Ünder/a.ts'), 'added', { pending: side() }),
    makeChange(fromText('/p/b.(a+)+$'), 'deleted', { host: side() }),
    makeChange(fromText('/p/.cache/x'), 'added', { pending: side(), ignored: 'cache' }),
    makeChange(fromText('/p/c'), 'meta', { pending: side(), host: side(), conflict: 'host-changed' }),
  ];
  test.each([
    ['nothing but the ignored is hidden at first', {}, 3],
    ['ignored entries come when asked for', { showIgnored: true }, 4],
    ['text is looked for in the path as it is read, in any case', { text: 'ÜNDER' }, 1],
    ['text is never a pattern', { text: '(a+)+$' }, 1],
    ['kinds can be hidden', { hidden: new Set(['deleted' as const]) }, 2],
    ['only conflicts', { onlyConflicts: true }, 1],
  ])('%s', (_, patch, count) => {
    expect(filterChanges(changes, { ...NO_FILTER, ...patch })).toHaveLength(count);
  });

  test('showing ignored entries does not count as narrowing', () => {
    expect(isNarrowed({ ...NO_FILTER, showIgnored: true })).toBe(false);
    expect(isNarrowed({ ...NO_FILTER, text: 'x' })).toBe(true);
  });
});

describe('a search that goes on', () => {
  const all = ['src/Cart.ts', 'src/cart/Item.ts', 'docs/CART.md', 'docs/a cart of\\x.md', 'xcartx'].map(
    (name) => makeChange(fromText(`/p/${name}`), 'added', { pending: side() }),
  );

  test.each(['cart', 'CART.', 'src/ca', 'x', '\\\\x', 'nothing', ' cart '])(
    'finds with each letter of %j what a search of all finds',
    (typed) => {
      let before: Filter = NO_FILTER;
      let found = filterChanges(all, before);
      for (let length = 1; length <= typed.length; length++) {
        const next = { ...NO_FILTER, text: typed.slice(0, length) };
        found = filterChanges(isNarrower(before, next) ? found : all, next);
        expect(found).toEqual(filterChanges(all, next));
        before = next;
      }
    },
  );

  const cart: Filter = { ...NO_FILTER, text: 'cart' };
  test.each<[string, Filter, Filter, boolean]>([
    ['one more letter', cart, { ...cart, text: 'carts' }, true],
    ['a letter before it', cart, { ...cart, text: 'xCart' }, true],
    ['one letter less', cart, { ...cart, text: 'car' }, false],
    ['the first letter', NO_FILTER, cart, false],
    [
      'another kind on show',
      { ...cart, hidden: new Set(['added'] as const) },
      { ...cart, text: 'carts' },
      false,
    ],
    ['another chip', cart, { ...cart, text: 'carts', onlyConflicts: true }, false],
    [
      'what is viewed may be other by now',
      { ...cart, onlyUnviewed: true },
      { ...cart, onlyUnviewed: true },
      false,
    ],
    ['what is risky may be other by now', { ...cart, risk: 'setuid' }, { ...cart, risk: 'setuid' }, false],
  ])('%s: is it among what was found?', (_, before, next, expected) => {
    expect(isNarrower(before, next)).toBe(expected);
  });
});

test('two lists differ by what is new, changed and gone', () => {
  const a = textEntry({ path: fromText('/a'), before: 'x', after: 'y' });
  const b = textEntry({ path: fromText('/b'), before: 'x', after: 'y' });
  const b2 = textEntry({ path: fromText('/b'), before: 'x', after: 'longer' });
  const c = textEntry({ path: fromText('/c'), before: null, after: 'y' });
  const delta = changeDelta(makeList('s', [a, b], '1'), makeList('s', [b2, c], '2'));
  expect([...delta].sort()).toEqual(
    [
      [a.change.id, 'gone'],
      [b.change.id, 'changed'],
      [c.change.id, 'new'],
    ].sort(),
  );
});
