/**
 * The change model: what committing a session's overlay would do to the host. Pure data for server, CLI and
 * browser.
 *
 * A scan (core/scan/) makes a `Change` of each pending entry and compares it with its base record:
 *
 *     base-record.ts, identity.ts   what the host had, fingerprints
 *     conflict.ts                   when the host's change is a conflict; groups that are committed together
 *     ignore.ts, risk.ts            what a commit leaves out, what a reviewer should see first
 *     commit.ts, mass-guard.ts      requests and reports; the confirmation for many deletions
 *     decision.ts, diff.ts, why.ts  where a command runs, diffs, explanations
 */
import type { BytePath } from '../bytes.ts';
import type { NamedEffect } from './rule.ts';

export const ENTRY_TYPES = ['file', 'dir', 'symlink', 'fifo', 'socket', 'char', 'block'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/**
 * - `added`: not on the host
 * - `modified`: same type, other content (file) or other target (symlink)
 * - `deleted`: on the host, not in the merged view
 * - `replaced`: another type than on the host (file for directory, symlink for file ...)
 * - `dir-replaced`: a directory that was deleted and created again. What the host has below it and the
 *   sandbox has not is listed as `deleted` beside it.
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
  /** 0 for all but regular files. */
  size: number;
  target?: BytePath;
}

export interface Change {
  /** 16 hex digits, from the path. The API addresses entries by it. */
  id: string;
  path: BytePath;
  kind: ChangeKind;
  pending: Side | null;
  host: Side | null;
  /** ACLs, capabilities, user.* differ too. Only where both sides have the entry. */
  xattrs?: true;
  /** Of a host entry with several names: the copy-up broke the links, and a commit does too. */
  hostLinks?: number;
  /** Of an added file: the deleted file it was, where certain (core/scan/refine.ts). For display only. */
  renamedFrom?: BytePath;
  /** The ignore rule that keeps it out of "commit everything", or null. */
  ignored: string | null;
  /** Set by an effect rule, for a preview or a commit only (core/rules/effects/effects.ts). */
  effect?: { do: 'flag' | 'confirm'; text: string };
  /** Set when a commit would overwrite something that the sandbox never saw. */
  conflict: ConflictReason | null;
  /** Committed or refused together: a repository's `.git`, a SQLite file with its siblings. */
  group: string | null;
  /** Calls that may have written it last, by start; missing = not known. Set by shared/log/call-times.ts. */
  by?: readonly string[] | undefined;
  /** Fingerprints at the scan; a commit compares them again. Not in what the HTTP API sends. */
  hostIdentity?: string;
  upperIdentity?: string;
  /** Hash of the extended attributes of both sides, where they differ. */
  xattrIdentity?: string;
}

/** In a list that a command shows. */
export interface RuledChange extends Change {
  /** The effect rules about it; missing = none. */
  effects?: readonly NamedEffect[];
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
  /** Hash of the list with its fingerprints. Commit and discard name it; another one by then is a 409. */
  revision: string;
  at: string;
  /** Parents first. Ignored entries are included and marked. */
  changes: Change[];
  counts: ChangeCounts;
  bytes: number;
  ignored: { count: number; bytes: number };
  conflicts: number;
  /** Files with another modification time only (`TIMES_RULE`): applied too, not sent to tabs. */
  timed?: readonly Change[] | undefined;
  times?: number | undefined;
  /** What could not be read: never silently left out. */
  problems: { path: string; message: string }[];
}

/** What rules about paths depend on. */
export interface Roots {
  projectRoot: BytePath;
  home: BytePath;
}

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

/** Ignored entries change all the time: they are the second part of a revision, `entries-ignored`. */
export function sameRevision(now: string, seen: string, includeIgnored: boolean): boolean {
  if (includeIgnored) return now === seen;
  return now.split('-')[0] === seen.split('-')[0];
}

/** Conflicts that the host caused, without ignored entries. `unreadable` is the sandbox's own doing. */
export function hostMoved(list: Pick<ChangeList, 'changes'>): Change[] {
  return list.changes.filter(
    ({ ignored, conflict }) => ignored === null && conflict !== null && conflict !== 'unreadable',
  );
}

/** Milliseconds since 1970, both ends included: one moment, or the interval that contains it. */
export type WriteTime = readonly [from: number, to: number];

export type Written = Pick<Change, 'path' | 'pending' | 'upperIdentity'>;

/** Null = not known. */
export function timeOf(times: Float64Array, i: number): WriteTime | null {
  const [from = Number.NaN, to = Number.NaN] = times.subarray(2 * i, 2 * i + 2);
  return Number.isNaN(from) ? null : [from, to];
}
