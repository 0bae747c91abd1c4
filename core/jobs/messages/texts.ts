/** What the agent hears at its next turn, and what the log says of interrupted transactions. */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { countText } from '../../../shared/terminal/text.ts';

/** For the agent. @param named the first paths, as ` (a, b)`, or nothing */
export const NEWS = {
  committed: (entries: number, named: string) =>
    `the user committed ${countText(entries, 'change')}${named}: they are in the user's files now, where file tools and host commands see them.`,
  committedByRule: (entries: number, named: string) =>
    `by a rule of the user, ${countText(entries, 'change')}${named} went to the user's files after the call, where file tools and host commands see them.`,
  committedAgain: (entries: number, named: string) =>
    `the user committed ${countText(entries, 'change')} again${named}: they are in the user's files now.`,
  undone: (entries: number, named: string) =>
    `the user undid a commit${named}: ${countText(entries, 'change')} are pending again, and the user's files are as before the commit.`,
  discarded: (entries: number, named: string) =>
    `the user discarded ${countText(entries, 'change')}${named}: Bash sees the user's own files there again.`,
  discardUndone: (entries: number) =>
    `the user undid a discard: ${countText(entries, 'change')} are pending again.`,
  adopted: (from: string) => `the user lets this session go on with the pending changes of session ${from}.`,
} as const;

// For the log and the timeline.

export const manyFailed = (entries: number): string => `${entries} entries failed`;
export const STOPPED_BETWEEN = 'it was stopped between two entries';
export const markersWritten = (paths: readonly BytePath[]): string =>
  `conflict markers were written into ${paths.slice(0, 3).map(toDisplay).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
export const COMMIT_NOT_BEGUN = 'it was interrupted before it changed anything; everything is still pending';
export const INTERRUPTED = {
  left: {
    discard: 'a discard was interrupted, and not all of it could come back: the rest can still be undone',
    undo: 'the undo of a discard was interrupted, and not all of it could come back: the rest can still be undone',
  },
  closed: {
    discard: 'a discard was interrupted, and rolled back: all of it is pending',
    undo: 'the undo of a discard was interrupted before it changed anything',
  },
} as const;

// What `trai gc` keeps.

export const NEEDED_AGAIN = 'it is gone already, or is needed again';

// Of effect rules that commit after a call.

export const autoLeft = (path: string, rule: string, because: string): string =>
  because === path
    ? `${path} stays pending: ${rule} matches it, but not everything that it goes with`
    : `${path} stays pending: ${rule} matches it, but not ${because}, without which it cannot go`;
export const autoFailed = (why: string): string => `what effect rules would commit stays pending: ${why}`;
