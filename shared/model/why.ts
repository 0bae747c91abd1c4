/** Why a path or a call is as it is: writers, host, base record, and why it is pending or not. */
import type { BytePath } from '../bytes.ts';
import type { HostStat } from './base-record.ts';
import type { Change, Side } from './change.ts';
import type { Mode, Reason } from './decision.ts';
import type { Permission } from './rule.ts';

export const NOT_PENDING = {
  'no-call': 'no call of this session has run in the sandbox yet',
  'state': 'it is trai’s own state, which is hidden in the sandbox and never listed',
  'client': 'Claude Code itself rewrites it on the host all the time: it is never listed and never committed',
  'direct': 'it is written directly: what is written here is on the host at once',
  'read-only': 'this place could not be covered: writing here fails in the sandbox',
  'masked': 'it is hidden in the sandbox',
  'uncovered': 'it is not in a covered directory',
  'place': 'it is a covered directory itself: what is pending lies below it',
  'unreadable': 'it, or a directory above it, could not be read: whether it is pending is not known',
  'below': 'nothing of its own is pending',
  'same':
    'the overlay holds a copy of it that says nothing new: as on the host, or untouched since it was taken',
  'time':
    'only its modification time differs from the host’s: a commit of everything, or of it, takes that along',
  'untouched': 'no call of this session changed it: the sandbox shows what the host has',
  'absent': 'there is no such entry, neither on the host nor in the sandbox',
} as const;
export type NotPending = keyof typeof NOT_PENDING;

export interface WhyWriter {
  call: string;
  /** Another session than the one that was asked, when its pending changes were adopted. */
  session: string;
  command: string;
  at: string;
  /** `process`: not the command itself, but a process that it left running. */
  by: 'command' | 'process';
}

export interface WhyWrite {
  /**
   * - `changed`: the entry's last change (content, mode, owner, name; for a directory a name in it)
   * - `made`: the creation of what the host does not have
   * - `earlier`: of what the host has: it was copied up, or put in the place of another, by a call before the last one
   * - `deleted`: the deletion, which leaves no time of its own, only an interval
   */
  what: 'changed' | 'made' | 'earlier' | 'deleted';
  /** ISO times; equal for a known moment. */
  from: string;
  to: string;
  /** The candidates; one = certain; none = no logged call was running then. */
  writers: WhyWriter[];
}

export interface WhyPlace {
  path: BytePath;
  kind: 'covered' | 'read-only' | 'direct' | 'masked' | 'none';
  why: string;
}

export const PLACE_WORDS = {
  'covered': 'covered directory',
  'read-only': 'read-only directory',
  'direct': 'written directly',
  'masked': 'hidden in the sandbox',
  'none': 'not in a covered directory',
} as const satisfies Record<WhyPlace['kind'], string>;

export const WRITE_WORDS = {
  changed: 'last changed',
  made: 'created',
  earlier: 'changed before',
  deleted: 'deleted',
} as const satisfies Record<WhyWrite['what'], string>;

export interface WhyPath {
  session: string;
  path: BytePath;
  change: Change | null;
  notPending: NotPending | null;
  below: number;
  times?: number | undefined;
  place: WhyPlace;
  base: 'known' | 'absent' | 'unknown' | 'none';
  baseHost: HostStat | null;
  host: Side | null;
  upper: Side | null;
  writes: WhyWrite[];
}

export interface WhyPart {
  program: string;
  kind: 'passthrough' | 'asked' | 'companion' | 'reader' | 'sandboxed';
  why: string;
}

export interface WhyCall {
  session: string;
  /** Its id, or its request's when no launcher sent a claim. */
  call: string;
  command: string;
  cwd: string;
  origin: string;
  /** Null here and below: not in the log. */
  mode: Mode | null;
  reason: Reason | null;
  text: string;
  at: string | null;
  /** At the decision. */
  pending: 'yes' | 'no' | 'unasked' | null;
  /** The config file that was used; empty = the defaults. */
  config: string | null;
  configChanged: boolean;
  parts: WhyPart[];
  plain: boolean;
  /** Whether it may run, and who says so. */
  permission: Permission | null;
}

/** The decision in one sentence; empty where the rule's name says it all. */
export function concludeWhy(why: Pick<WhyCall, 'origin' | 'mode' | 'reason' | 'pending' | 'parts'>): string {
  if (why.origin === 'exec' && why.mode === 'sandbox') return '`trai exec` runs everything in the sandbox.';
  const onlyLooks =
    why.parts.length > 0 && why.parts.every((part) => part.kind === 'reader' || part.kind === 'companion');
  if (why.mode === 'sandbox' && why.reason === 'default' && onlyLooks && why.pending === 'yes')
    return 'It only reads, but something was pending: it had to see the files as the sandbox has them.';
  const first = why.parts.find((part) => part.kind === 'sandboxed');
  if (why.mode === 'sandbox' && why.reason === 'default' && first !== undefined)
    return `What is not known to be harmless runs in the sandbox: ${first.program === '' ? 'a part of it' : `\`${first.program}\``} ${first.why}.`;
  return '';
}
