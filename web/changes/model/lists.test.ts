import { describe, expect, test } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { makeChange, makeList, side, textEntry } from '../../../testing/dashboard/make.ts';
import { mergeStable } from '../../lists/lists.ts';
import { type Filter, filterChanges, isNarrowed, NO_FILTER, withKind } from './filter.ts';
import { changeDelta } from './lists.ts';

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
      fresh: [{ id: 2, v: 'c' }],
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
    ['only some kinds', { kinds: new Set(['deleted' as const, 'meta' as const]) }, 2],
    ['only ignored entries', { onlyIgnored: true }, 1],
    ['only ignored entries, also where they are listed anyway', { onlyIgnored: true, showIgnored: true }, 1],
    ['text among the ignored entries', { onlyIgnored: true, text: 'under' }, 0],
    ['only conflicts', { onlyConflicts: true }, 1],
  ])('%s', (_, patch, count) => {
    expect(filterChanges(changes, { ...NO_FILTER, ...patch })).toHaveLength(count);
  });

  test('a kind is asked for alone, added with Shift, and given up', () => {
    const kinds = (filter: Filter): string[] => [...filter.kinds].sort();
    const added = withKind(NO_FILTER, 'added', false);
    expect(kinds(added)).toEqual(['added']);
    expect(kinds(withKind(added, 'meta', false))).toEqual(['meta']);
    const both = withKind(added, 'meta', true);
    expect(kinds(both)).toEqual(['added', 'meta']);
    expect(kinds(withKind(both, 'meta', true))).toEqual(['added']);
    expect(kinds(withKind(both, 'meta', false))).toEqual(['meta']);
    expect(kinds(withKind(added, 'added', false))).toEqual([]);
    expect(isNarrowed(added)).toBe(true);
  });

  test('showing ignored entries does not count as narrowing', () => {
    expect(isNarrowed({ ...NO_FILTER, showIgnored: true })).toBe(false);
    expect(isNarrowed({ ...NO_FILTER, text: 'x' })).toBe(true);
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
