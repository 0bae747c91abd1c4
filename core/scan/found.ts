/** Makes the entries of a change list, with the identities of what was looked at. */
import { hash } from 'node:crypto';
import { type BytePath, isAscii } from '../../shared/bytes.ts';
import type { BaseState, Bases } from '../../shared/model/base-record.ts';
import type { Change, ChangeKind } from '../../shared/model/change.ts';
import { conflictOf } from '../../shared/model/conflict.ts';
import { closedIdentity, lookIdentity } from '../../shared/model/identity.ts';
import { compileIgnore, typeRule } from '../../shared/model/ignore.ts';
import { toHostStat, toSide } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { HostClocks } from '../overlay/seen.ts';
import type { SessionContext } from '../session/session-context.ts';

export interface FoundInput {
  kind: ChangeKind;
  path: BytePath;
  /** The upper's entry and where it lies; null when the merged view has none. */
  pending: { entry: Stat; path: BytePath } | null;
  host: Stat | null;
  base: BaseState;
  /** See ConflictInput. */
  since: bigint;
  movedNs: bigint;
  parentGone?: boolean;
  below?: boolean;
  /** The directory may not be looked into: see `CONFLICT_REASONS.unreadable`. */
  closed?: boolean;
  /** Rule of a directory above, when it is known to be ignored. */
  ignoredAbove?: string | null;
}

/** The maker for one session: rules compiled, base records at hand. */
export class FoundMaker {
  readonly ignoreRule: (path: BytePath, isDir: boolean) => string | null;
  readonly bases: Bases;
  readonly #clocks: HostClocks;

  constructor(ctx: SessionContext, bases: Bases) {
    this.ignoreRule = compileIgnore(ctx);
    this.bases = bases;
    this.#clocks = new HostClocks(ctx);
  }

  make(input: FoundInput): Change {
    const { path, pending, host, base, since } = input;
    const type = (pending?.entry ?? host)?.type;
    const change: Change = {
      id: changeId(path),
      path,
      kind: input.kind,
      pending: pending === null ? null : toSide(pending.entry, pending.path),
      host: host === null ? null : toSide(host, path),
      ignored:
        typeRule(pending?.entry.type ?? null, host?.type ?? null) ??
        input.ignoredAbove ??
        this.ignoreRule(path, type === 'dir'),
      conflict:
        input.closed === true
          ? 'unreadable'
          : conflictOf({
              base,
              host: host === null ? null : toHostStat(host, path),
              since: since - this.#clocks.lag(path),
              movedNs: input.movedNs,
              parentGone: input.parentGone ?? false,
              below: input.below ?? false,
            }),
      group: null,
    };
    if (host !== null && host.type !== 'dir' && host.nlink > 1) change.hostLinks = host.nlink;
    if (host !== null) change.hostIdentity = lookIdentity(host);
    if (pending !== null) change.upperIdentity = lookIdentity(pending.entry);
    // Equal to no identity that a look can give: a directory without what is below it must not be committed, not even
    // when a person decides for the sandbox.
    if (input.closed === true && pending !== null) change.upperIdentity = closedIdentity(pending.entry);
    return change;
  }
}

const ID_BYTES = 8;

/** 16 hex digits from the path. SHA-256, since a command can choose its file names: two must not share an id. */
export function changeId(path: BytePath): string {
  const bytes = hash('sha256', isAscii(path) ? path : Buffer.from(path, 'latin1'), 'buffer');
  // A slice of the whole text would keep all of it.
  return bytes.toString('hex', 0, ID_BYTES);
}
