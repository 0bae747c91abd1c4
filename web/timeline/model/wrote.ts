/** From pending changes to the calls that wrote them last. Pure. */
import type { Change } from '../../../shared/model/change.ts';

/** The changes that each call is among the last writers of, in the order of the list. */
export function changesByCall(changes: readonly Change[]): Map<string, Change[]> {
  const found = new Map<string, Change[]>();
  for (const change of changes) {
    for (const call of change.by ?? []) {
      const list = found.get(call);
      if (list === undefined) found.set(call, [change]);
      else list.push(change);
    }
  }
  return found;
}
