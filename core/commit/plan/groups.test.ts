import { expect, it } from 'vitest';
import { withTheirGroups } from '../apply/apply.ts';
import type { Unit } from '../journal/unit.ts';

it('what stands or falls together does so through every group that an entry is of', () => {
  const groups = [['far'], ['far', 'near'], [], ['near', 'begun'], ['begun'], ['else']];
  const units = groups.map((names, i): Pick<Unit, 'i' | 'groups'> => ({ i, groups: names }));
  const begun = units.filter(({ i }) => i === 4);
  expect(withTheirGroups(units, begun).map(({ i }) => i)).toEqual([0, 1, 3, 4]);
  expect(withTheirGroups(units, []).map(({ i }) => i)).toEqual([]);
});
