/** A conflict: committing a change would overwrite or remove something that the sandbox never saw. */
import { type BytePath, isBelowAny } from '../bytes.ts';
import { addTo } from '../maps.ts';
import type { BaseState, HostStat } from './base-record.ts';
import type { Change, ConflictReason } from './change.ts';
import { identityFields } from './identity.ts';

export interface ConflictInput {
  base: BaseState;
  host: HostStat | null;
  /**
   * Nanoseconds: the sandbox's entry is not older. A host change at this time counts as unseen (ms clocks).
   */
  since: bigint;
  /** Nanoseconds: latest time at which a directory above it may have been exchanged for another one. */
  movedNs?: bigint;
  /** The directory that holds it existed at the copy-up, and the host has removed it since. */
  parentGone: boolean;
  /** The entry is to be removed with a directory above it that the sandbox deleted or replaced. */
  below: boolean;
}

/** Null when the sandbox saw what the host has now. */
export function conflictOf(input: ConflictInput): ConflictReason | null {
  const { base, host } = input;
  if (host === null) {
    if (base.state === 'known' || base.state === 'unknown') return 'host-deleted';
    return input.parentGone ? 'host-parent-gone' : null;
  }
  switch (base.state) {
    case 'absent':
      return input.below ? 'host-new-below' : 'host-created';
    case 'known':
      return sameEntry(base.host, host) ? null : 'host-changed';
    case 'unknown':
      return 'unknown-base';
    case 'none':
      return BigInt(host.ctimeNs) < input.since && (input.movedNs ?? 0n) < input.since
        ? null
        : 'unknown-base';
  }
}

/**
 * True when the host's entry is the recorded one. Of a directory only mode and owner count: the names in it
 * have their own records. The device number is left out, since a reboot changes it on btrfs, NFS and device
 * mapper.
 */
export function sameEntry(base: HostStat, now: HostStat): boolean {
  const isSame = (field: keyof HostStat) => base[field] === now[field];
  return ATTRIBUTES.every(isSame) && (base.type === 'dir' || CONTENT.every(isSame));
}

const ATTRIBUTES = ['type', 'uid', 'gid', 'mode'] as const;
const CONTENT = ['size', 'nlink', 'ino', 'mtimeNs', 'ctimeNs', 'target'] as const;

/**
 * A conflict of one entry is one of its group (`.git`, SQLite, hard links): a mix of both sides is damage.
 */
export function spreadGroupConflicts(changes: readonly Change[]): void {
  const reasons = new Map<string, ConflictReason>();
  for (const { group, conflict } of changes) {
    if (group !== null && conflict !== null && !reasons.has(group)) reasons.set(group, conflict);
  }
  if (reasons.size === 0) return;
  for (const change of changes) {
    if (change.group !== null && change.conflict === null)
      change.conflict = reasons.get(change.group) ?? null;
  }
}

const GIT = /^(.*?\/\.git)(?:\/|$)/s;
/** What SQLite keeps beside a database. */
export const SQLITE = /-(?:wal|shm|journal)$/;

/** Changes the list in place. */
export function setGroups(changes: readonly Change[]): void {
  const databases = new Set<string>();
  for (const { path } of changes) if (SQLITE.test(path)) databases.add(path.replace(SQLITE, ''));
  for (const change of changes) {
    const git = change.path.includes('/.git') ? GIT.exec(change.path)?.[1] : undefined;
    if (git !== undefined) change.group = `git:${git}`;
    else if (databases.size > 0) {
      const database = change.path.replace(SQLITE, '');
      if (databases.has(database)) change.group = `sqlite:${database}`;
    }
  }
  for (const names of linkSets(changes)) {
    const [first] = names;
    const group = names.find((change) => change.group !== null)?.group ?? `links:${first?.path}`;
    for (const change of names) change.group ??= group;
  }
}

/** Hard links of files with a conflict. Otherwise a selection need not include all of them. */
function linkSets(changes: readonly Change[]): Change[][] {
  if (changes.every(({ conflict }) => conflict === null)) return [];
  const sets = new Map<string, Change[]>();
  const wanted = new Set<string>();
  for (const change of changes) {
    const inode = change.pending?.type === 'file' ? identityFields(change.upperIdentity)?.ino : undefined;
    if (inode === undefined) continue;
    addTo(sets, inode, change);
    if (change.conflict !== null) wanted.add(inode);
  }
  return [...wanted].map((inode) => sets.get(inode) ?? []).filter((set) => set.length > 1);
}

/** Whether a commit includes an ignored change: below a removed directory, or in a committed group. */
export function goesWithOthers(changes: readonly Change[]): (change: Change) => boolean {
  const groups = new Set<string>();
  const removed = new Set<BytePath>();
  for (const { path, group, ignored, host, pending } of changes) {
    if (ignored !== null) continue;
    if (group !== null) groups.add(group);
    if (host?.type === 'dir' && pending?.type !== 'dir') removed.add(path);
  }
  return ({ path, group, pending }) => {
    // A socket is never committed.
    if (group !== null && groups.has(group) && pending?.type !== 'socket') return true;
    return removed.size > 0 && isBelowAny(path, removed);
  };
}
