/** Which units of a commit stand or fall together. Pure. */
import type { Unit } from '../journal/unit.ts';

/** A unit may be of several groups: who goes with it takes the others of its own groups along, too. */
export function withTheirGroups<U extends Pick<Unit, 'groups'>>(
  units: readonly U[],
  begun: readonly U[],
): U[] {
  const going = new Set(begun);
  const groups = new Set(begun.flatMap((unit) => unit.groups));
  for (let before = -1; before < groups.size; ) {
    before = groups.size;
    for (const unit of units) {
      if (!going.has(unit) && !unit.groups.some((group) => groups.has(group))) continue;
      going.add(unit);
      for (const group of unit.groups) groups.add(group);
    }
  }
  return units.filter((unit) => going.has(unit));
}
