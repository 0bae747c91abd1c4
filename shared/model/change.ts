/**
 * The change model: what a session's overlay would do to the host. Pure data, used by server, CLI and browser.
 *
 * Beside it: conflict.ts (when the host's change is a conflict, what stays together), base-record.ts, identity.ts
 * (fingerprints), ignore.ts, risk.ts (flags), commit.ts (requests and reports), decision.ts, diff.ts, why.ts.
 */
import type { BytePath } from '../bytes.ts';

export const ENTRY_TYPES = ['file', 'dir', 'symlink', 'fifo', 'socket', 'char', 'block'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/**
 * - `added`: not on the host
 * - `modified`: same type, other content (file) or other target (symlink)
 * - `deleted`: on the host, not in the merged view
 * - `replaced`: another type than on the host (file for directory, symlink for file ...)
 * - `dir-replaced`: a directory that was deleted and made again: what the host has below it and the sandbox has not
 *   is listed as `deleted` beside it
 * - `meta`: same content, other mode, owner or extended attributes
 */
export const CHANGE_KINDS = ['added', 'modified', 'deleted', 'replaced', 'dir-replaced', 'meta'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export const CONFLICT_REASONS = {
  'host-changed': 'the host changed it after the sandbox took its copy',
  'host-deleted': 'the host removed it after the sandbox took its copy',
  'host-created': 'the host made an entry of that name since',
  'host-parent-gone': 'the host removed the directory that holds it',
  'host-new-below': 'the host has a new or changed entry below the deleted directory',
  'unknown-base':
    'the host changed it at about the time the sandbox took its copy; which came first is not known',
  unreadable:
    'nobody may look into the directory in the sandbox, or paths in it are too long, so what is below it can be neither shown nor committed; it stays pending until a command in the sandbox makes it readable (chmod u+rx) or its paths shorter (mv)',
} as const;
export type ConflictReason = keyof typeof CONFLICT_REASONS;

export interface Side {
  type: EntryType;
  /** Permission bits with setuid, setgid, sticky (mode & 0o7777). */
  mode: number;
  uid: number;
  gid: number;
  /** Bytes; 0 for what is not a regular file. */
  size: number;
  /** Target of a symbolic link. */
  target?: BytePath;
}

export interface Change {
  /** 16 hex digits from the path. The API addresses entries by it. */
  id: string;
  /** Absolute host path. */
  path: BytePath;
  kind: ChangeKind;
  /** The entry in the merged view; null when deleted. */
  pending: Side | null;
  /** The entry on the host; null when it does not exist there. */
  host: Side | null;
  /** Extended attributes (ACLs, capabilities, user.*) differ as well. Only of entries that both sides have. */
  xattrs?: true;
  /** Hard links of the host's entry, when there are several: a commit parts them, as the sandbox did. */
  hostLinks?: number;
  /** Of an added file: the deleted file that it was before, where that is certain (core/scan/refine.ts). For showing only. */
  renamedFrom?: BytePath;
  /** Name of the ignore rule that keeps it out of "commit everything", or null. */
  ignored: string | null;
  /** Set when committing it would overwrite something that the sandbox never saw. */
  conflict: ConflictReason | null;
  /** Entries of one group are committed or refused together: a repository's `.git`, a SQLite file with its siblings. */
  group: string | null;
  /**
   * Ids of the calls that may have written it last, in the order in which they began; missing = not known. A scan leaves it
   * out: it is filled in where a list is shown or applied (shared/log/call-times.ts).
   */
  by?: readonly string[] | undefined;
  /**
   * Fingerprints of the host's and of the upper's entry at the scan: a commit compares them again right before it touches
   * either. Absent where that side has no entry, and in what the HTTP API sends.
   */
  hostIdentity?: string;
  upperIdentity?: string;
  /** Hash of the extended attributes of both sides, where they differ. */
  xattrIdentity?: string;
}

export interface ChangeCounts {
  added: number;
  modified: number;
  deleted: number;
  replaced: number;
  meta: number;
}

export interface ChangeList {
  session: string;
  /** Hash of the list with its fingerprints. Commit and discard name it; 409 when it moved on. */
  revision: string;
  /** When the scan finished, ISO time. */
  at: string;
  /** Sorted by path, parents first. Ignored entries are included and marked. */
  changes: Change[];
  /** Without the ignored ones. */
  counts: ChangeCounts;
  /** Bytes that a commit would write, without the ignored ones. */
  bytes: number;
  ignored: { count: number; bytes: number };
  conflicts: number;
  /** Files of which only the modification time differs (`TIMES_RULE`): applied along with `changes`. Not sent to tabs. */
  timed?: readonly Change[] | undefined;
  times?: number | undefined;
  /** Places or directories that could not be read: never silently left out. */
  problems: { path: string; message: string }[];
}

/** Counts a list; `dir-replaced` counts as replaced. */
export function countChanges(changes: readonly Change[]): ChangeCounts {
  const counts: ChangeCounts = { added: 0, modified: 0, deleted: 0, replaced: 0, meta: 0 };
  for (const change of changes) {
    if (change.ignored !== null) continue;
    counts[change.kind === 'dir-replaced' ? 'replaced' : change.kind]++;
  }
  return counts;
}

export function sumCounts({ added, modified, deleted, replaced, meta }: ChangeCounts): number {
  return added + modified + deleted + replaced + meta;
}

/**
 * Whether a list is still the one that a person saw. A revision has two parts, `entries-ignored`; the ignored entries
 * (caches, histories) move all the time, and count only for those who take them along.
 */
export function sameRevision(now: string, seen: string, includeIgnored: boolean): boolean {
  if (includeIgnored) return now === seen;
  return now.split('-')[0] === seen.split('-')[0];
}

/** Pending entries that the host has changed since, the ignored ones left out. `unreadable` is the sandbox's own doing. */
export function hostMoved(list: Pick<ChangeList, 'changes'>): Change[] {
  return list.changes.filter(
    ({ ignored, conflict }) => ignored === null && conflict !== null && conflict !== 'unreadable',
  );
}

/** Milliseconds since 1970, both ends included: one moment, or two between which it was. */
export type WriteTime = readonly [from: number, to: number];

/** What is needed of a change. */
export type Written = Pick<Change, 'path' | 'pending' | 'upperIdentity'>;

/** The time of the i-th change; null = not known. */
export function timeOf(times: Float64Array, i: number): WriteTime | null {
  const [from = Number.NaN, to = Number.NaN] = times.subarray(2 * i, 2 * i + 2);
  return Number.isNaN(from) ? null : [from, to];
}
