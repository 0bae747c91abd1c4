/** What the host changed since the sandbox took its copies. */
import type { Change, ChangeList } from './change.ts';

/** Pending entries that the host has changed since, the ignored ones left out. `unreadable` is the sandbox's own doing. */
export function hostMoved(list: Pick<ChangeList, 'changes'>): Change[] {
  return list.changes.filter(
    ({ ignored, conflict }) => ignored === null && conflict !== null && conflict !== 'unreadable',
  );
}
