import { expect, it } from 'vitest';
import type { Change } from '../model/change.ts';
import type { NamedEffect } from '../model/rule.ts';
import { packMarks, unpackMarks } from './packed-marks.ts';

const id = (i: number): string => i.toString(16).padStart(16, '0');
const changes = Array.from({ length: 6 }, (_, i) => ({ id: id(i) }) as Change);

it('gives back what was packed, each set of rules once', () => {
  const never: NamedEffect = { do: 'never', text: 'effects[0] of f: keys' };
  const flag: NamedEffect = { do: 'flag', text: 'effects[1] of f' };
  const effectsOf = (_: Change, i: number): NamedEffect[] =>
    [[], [never], [never, flag], [flag]][i % 4] ?? [];
  const packed = packMarks(changes, effectsOf);
  expect(packed.map(({ ids }) => ids.length / 16)).toEqual([2, 1, 1]);
  const found = unpackMarks(packed);
  for (const [i, change] of changes.entries())
    expect(found.get(change.id) ?? []).toEqual(effectsOf(change, i));
});

it('is empty where no rule is about anything', () => {
  expect(packMarks(changes, () => [])).toEqual([]);
  expect(unpackMarks([]).size).toBe(0);
});
