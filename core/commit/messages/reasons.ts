/**
 * Why single entries, commits and discards stay as they are, or go with others. They stand behind a path or another sentence, as
 * core/kernel/messages/reasons.ts, which has those of system calls.
 */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';

// Which entries a request is about.

export const NOTHING_THERE = 'nothing is pending there';
export const CALL_UNKNOWN = 'which call wrote it is not known';
export const byOtherCalls = (calls: readonly string[]): string =>
  `it can also have been written by call ${calls.slice(0, 3).join(', ')}${calls.length > 3 ? ` and ${calls.length - 3} more` : ''}, which ran at the same time`;

/** Why an entry goes along with another one. */
export const ALONG = {
  holds: (path: BytePath) => `it is the directory that holds ${toDisplay(path)}`,
  sameFile: (path: BytePath) => `it is another name of the same file as ${toDisplay(path)}`,
  oldName: (path: BytePath) => `it is the old name of ${toDisplay(path)}, which was renamed`,
  newName: (path: BytePath) => `it is the new name of ${toDisplay(path)}, which was renamed`,
  belowDeleted: (path: BytePath) => `it goes with ${toDisplay(path)}, which is deleted`,
  belowReplaced: (path: BytePath) => `it goes with ${toDisplay(path)}, which is replaced`,
  above: (path: BytePath) => `it has to go first: ${toDisplay(path)} lies in it`,
  again: (path: BytePath) => `${toDisplay(path)} was deleted and made again, and goes as a whole`,
  git: (path: BytePath) => `the repository’s data ${toDisplay(path)} goes as a whole`,
  database: (path: BytePath) => `it belongs to the database ${toDisplay(path)}`,
  inDropped: (path: BytePath) => `it lies in ${toDisplay(path)}, which is dropped whole`,
  aboveDropped: (path: BytePath) => `${toDisplay(path)} lies in it, and it can only be dropped whole`,
} as const;

export const SOCKET = 'a socket is an address of a process, not content';
export const ignoredBy = (rule: string): string =>
  `it is ignored (${rule}) and was not asked for by --include-ignored`;
export const KEPT_AS_CHOSEN = 'it stays as on the host, as was chosen for this conflict';
export const NEEDS_KEPT = 'it cannot go without an entry that stays as on the host';
export const ONLY_WHOLE =
  'its directory was made in the sandbox and hides the host’s: commit it, or discard everything';

// Entries that cannot be staged.

export const NOT_REVIEWED = 'it is not as it was reviewed any more; it stays pending';
export const NOT_ALL_READ = 'not all of it could be read; it stays pending';
export const NO_NEW_NAME = 'its new name could not be committed; it stays pending';
export const GROUP_FAILED = 'it belongs together with an entry that could not be applied';
export const XATTRS_CHANGED =
  'its extended attributes (an ACL, user.*) are not as they were reviewed; it stays pending';
export const SANDBOX_CHANGED = 'the sandbox changed it after the review; it stays pending';
export const CHANGED_MEANWHILE = 'it changed while it was being copied; it stays pending';
export const DIR_NOT_WRITABLE = 'its directory on the host is missing or cannot be written';
export const notCopied = (complaint: string): string =>
  `it could not be copied${complaint === '' ? '' : `: ${complaint}`}`;
export const aclNotKept = (name: string, why: string): string =>
  `the ACL of ${name} could not be kept: ${why}`;
export const noBeforeImage = (complaint: string): string =>
  `what it replaces could not be kept for an undo, so it stays pending (a commit without undo leaves that out)${complaint === '' ? '' : `: ${complaint}`}`;

// Entries that cannot be applied, or not wholly.

/** By the code of setxattr: errors of the entry alone; ENOSPC here says nothing about free disk space. */
export const XATTR_ERRORS: Readonly<Record<string, string>> = {
  ENOTSUP: 'the file system keeps no such extended attributes',
  EOPNOTSUPP: 'the file system keeps no such extended attributes',
  ENOSPC: 'the file system has no room for its extended attributes',
  EDQUOT: 'the file system has no room for its extended attributes',
  E2BIG: 'its extended attributes are too large for the file system',
  ERANGE: 'its extended attributes are too large for the file system',
  EINVAL: 'the file system does not take its extended attributes',
  ENOSYS: 'its extended attributes cannot be set: perl is missing',
};
export const SESSION_LIVE = 'processes of the session are running; it stays pending';
export const NOT_MOVED_OUT =
  'it cannot be renamed out of the overlay (EXDEV); it stays pending, and the next commit copies it';
export const hostHas = (path: BytePath): string => `the host has an entry ${toDisplay(path)}`;
export const hostHasIn = (path: BytePath): string =>
  `the host has a new or changed entry in it: ${toDisplay(path)}`;
export const replacedKept = (path: BytePath, why: string): string =>
  `what it replaced could not be removed wholly and is kept as ${toDisplay(path)}: ${why}`;
export const partlyApplied = (why: string): string => `it is in place on the host, but not finished: ${why}`;

// Of a whole commit or undo.

export const STOPPED = 'it was stopped';
export const stoppedAt = (path: BytePath, why: string): string =>
  `the commit stopped at ${toDisplay(path)}: ${why}`;
export const givenUp = (entries: number): string =>
  `${entries} entries were given up by a discard before they were applied`;
export const cleaningStopped = (why: string): string =>
  `everything else is as reported, but cleaning up stopped (the next run does it): ${why}`;
export const pendingAgainStopped = (why: string): string =>
  `everything else is as reported, but making it pending again stopped (the next run does it): ${why}`;
export const PENDING_WHEN_QUIET =
  'it is on the host; what was undone is pending again when the session is quiet';

// Entries that cannot be undone.

export const HOST_REMOVED = 'the host has removed it';
export const HOST_HAS_OTHER = 'the host has something else there';
export const HOST_HAS_DIR = 'the host has a directory there now';
export const COVERED_ITSELF = 'it is a covered directory of its own by now, and stays';
export const NOT_COVERED_NOW =
  'the session does not cover that place now, so it could not be pending again; it stays until a command of the session covers it';
export const beforeImageChanged = (complaint: string): string =>
  `a process that still had it open has changed what was kept of it; it stays as it is on the host${complaint === '' ? '' : ` (${complaint})`}`;
export const sessionHasOther = (kept: BytePath): string =>
  `the session has something else there by now, which stays; what was taken off the host is kept: ${toDisplay(kept)}`;
export const notPending = (why: string): string => `it could not be kept as pending: ${why}`;
export const MEANWHILE = 'it changed meanwhile';

// A directory that an undo takes off the host as a whole.

export const IN_VIEW = 'a process of the session works in it, or has something of it open';
export const MOUNTED_OVER =
  'a process of the session has it mounted, or something over it, as a box has what it shows and hides; it stays as it is until that ends';
export const LIVE_ENDED =
  'the last process of the session has just ended, or no directory beside it can be written';
export const IN_USE = 'a process on the host works in it, or has a file of it open for writing';
export const NEW_OR_CHANGED = 'the host has a new or changed entry in it';
export const treeStays = (why: string): string => `${why}; it stays`;
export const treeReplaced = (why: string): string =>
  `${why}, and something else is in its place by now: all that it had is pending`;
export const NOT_MOVED_IN =
  'it cannot be renamed into the overlay (EXDEV); it stays, and the next undo copies it';

// A discard that cannot be undone.

export const NOT_COVERED = 'it is not covered any more';
export const SESSION_CHANGED = 'the session has changed it since';
/** @param who the processes, with their numbers */
export const openForWriting = (who: string): string =>
  `${who === '' ? 'a process of the session' : who} has it open for writing; it stays pending`;
export const NOT_DISCARDED_LIVE = 'the session is changing it; it stays pending';
export const HELD_OPEN =
  'a process has something of the deleted directory open, and until it closes that the kernel shows no other one; its deletion stays pending';
export const NEW_INSIDE = 'the session has made something new in it meanwhile, which stays pending';
export const HOST_UNREADABLE = 'the host’s entry could not be read or copied; it stays pending';
export const savedBeside = (path: string): string => `a process wrote it meanwhile; it is ${path} now`;
export const SESSION_CHANGED_XATTRS = 'the session has changed its extended attributes since';
export const dirGone = (path: BytePath): string => `the directory ${toDisplay(path)} is gone`;
export const sessionChanged = (path: BytePath): string => `the session has changed ${toDisplay(path)} since`;

// A commit that cannot be undone.

export const NOT_COMPLETE = 'it is not a complete commit of this session';
export const UNDONE_ALREADY = 'it is undone already';
export const NOT_NEWEST = 'it is not the newest';
export const NOT_KEPT_ANY_MORE = 'what was there before is not kept any more';
export const NEVER_KEPT = 'it was made without keeping what was there before';

// What `trai gc` removes.

export const LEFTOVER = 'left by a discard that was interrupted before it took anything';
export const PROJECT_GONE = 'its project is gone, and nothing is pending';
export const NEVER_BEGAN = 'its client was ended before it had begun, and nothing is pending';
export const olderThan = (days: number): string => `older than ${days} days`;
export const moreThan = (bytes: number): string => `more than ${bytes} bytes are kept`;
export const takenFromHost = (limit: string): string =>
  `${limit}; what its undo took off the host is nowhere else`;
