/** Compares one entry with the host and its base record, and makes its change. */
import { hash } from 'node:crypto';
import { type BytePath, isAscii } from '../../shared/bytes.ts';
import type { BaseState, Bases, HostStat } from '../../shared/model/base-record.ts';
import type { Change, ChangeKind } from '../../shared/model/change.ts';
import { conflictOf, sameEntry } from '../../shared/model/conflict.ts';
import { closedIdentity, isSameTime, lookIdentity } from '../../shared/model/identity.ts';
import { compileIgnore, TIMES_RULE, typeRule } from '../../shared/model/ignore.ts';
import { identityOf, readTarget, toHostStat, toSide } from '../kernel/fs/entry.ts';
import { hashSame, sameContent } from '../kernel/fs/file-content.ts';
import { resultAtOnce } from '../kernel/fs/pace.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { otherXattrs, xattrIdentity } from '../kernel/fs/xattrs.ts';
import { xattrHash } from '../overlay/base-of.ts';
import { HostClocks } from '../overlay/seen.ts';
import type { SessionContext } from '../session/session-context.ts';

interface Pair {
  path: BytePath;
  host: Stat;
  upperPath: BytePath;
  upper: Stat;
  base: BaseState;
}

/** Not for directories. Null = no change. */
export function* judgeSameType(pair: Pair): Generator<null, ChangeKind | null> {
  const same = yield* sameThing(pair);
  if (same) return metaChanged(pair) ? 'meta' : null;
  return isStaleCopy(pair) ? null : 'modified';
}

/** Whether the upper's entry has the host's content, of now or of the base record. */
export function isUntouched({ host, ...look }: Omit<Pair, 'host'> & { host: Stat | null }): boolean {
  const { upperPath, upper, base } = look;
  if (equalsBase(upperPath, upper, base)) return true;
  if (host?.type !== upper.type) return false;
  return resultAtOnce(judgeSameType({ ...look, host, base: { state: 'none' } })) === null;
}

/** Measured against the base record: a copy-up keeps the old values when the host runs chmod later. */
export function metaChanged({ host, upper, base }: Pick<Pair, 'host' | 'upper' | 'base'>): boolean {
  const from = base.state === 'known' && base.host.type === upper.type ? base.host : host;
  const changed = (field: 'mode' | 'uid' | 'gid') =>
    upper[field] !== from[field] && upper[field] !== host[field];
  return (upper.type !== 'symlink' && changed('mode')) || changed('uid') || changed('gid');
}

const SECOND = 1_000_000_000n;

/** The sandbox changed the modification time; some uppers keep whole seconds only. */
function timeChanged({ host, upper }: Pick<Pair, 'host' | 'upper'>): boolean {
  if (upper.type !== 'file' || host.type !== 'file' || host.nlink > 1) return false;
  return !isSameTime(upper.mtimeNs, host.mtimeNs) && upper.mtimeNs !== host.mtimeNs - (host.mtimeNs % SECOND);
}

/** Content, mode and owner are known to be those of the base record. */
export function equalsBase(upperPath: BytePath, upper: Stat, base: BaseState): boolean {
  if (base.state !== 'known' || !sameMeta(upper, base.host)) return false;
  if (upper.type === 'symlink') return readTarget(upperPath) === base.host.target;
  if (upper.type !== 'file' || upper.size !== base.host.size) return false;
  return base.sha256 !== undefined && hashSame(upperPath, identityOf(upper)) === base.sha256;
}

export function onlyTouched(upper: Stat, base: BaseState): boolean {
  if (base.state !== 'known') return base.state === 'unknown';
  const { type, mode, uid, gid } = base.host;
  return type === 'dir' && mode === upper.mode && uid === upper.uid && gid === upper.gid;
}

/** An untouched copy-up whose host file has changed. The reaper removes it. */
export function isStaleCopy({ path, host, upperPath, upper, base }: Pair): boolean {
  if (base.state !== 'known' || sameEntry(base.host, toHostStat(host, path))) return false;
  return equalsBase(upperPath, upper, base);
}

function* sameThing({ path, host, upperPath, upper }: Pair): Generator<null, boolean> {
  switch (upper.type) {
    case 'file':
      return yield* sameContent(upperPath, upper, path, host);
    case 'symlink':
      return readTarget(upperPath) === readTarget(path);
    case 'char':
    case 'block':
      return upper.rdev === host.rdev;
    default:
      return true;
  }
}

function sameMeta(upper: Stat, host: HostStat): boolean {
  if (upper.type !== host.type || upper.uid !== host.uid || upper.gid !== host.gid) return false;
  return upper.type === 'symlink' || upper.mode === host.mode;
}

interface ChangeInput {
  kind: ChangeKind;
  path: BytePath;
  /** Null when the merged view has none. */
  pending: { entry: Stat; path: BytePath } | null;
  host: Stat | null;
  base: BaseState;
  since: bigint;
  movedNs: bigint;
  parentGone?: boolean;
  below?: boolean;
  closed?: boolean;
  ignoredAbove?: string | null;
}

export class ChangeMaker {
  readonly ignoreRule: (path: BytePath, isDir: boolean) => string | null;
  readonly bases: Bases;
  readonly #clocks: HostClocks;

  constructor(ctx: SessionContext, bases: Bases) {
    this.ignoreRule = compileIgnore(ctx);
    this.bases = bases;
    this.#clocks = new HostClocks(ctx);
  }

  make(input: ChangeInput): Change {
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
    // Equals no entry: a directory must not be committed without what is below it, whatever the user decides.
    if (input.closed === true && pending !== null) change.upperIdentity = closedIdentity(pending.entry);
    return change;
  }
}

const ID_BYTES = 8;

/** SHA-256: a command can choose its file names, and must not cause two equal ids. */
function changeId(path: BytePath): string {
  const bytes = hash('sha256', isAscii(path) ? path : Buffer.from(path, 'latin1'), 'buffer');
  // A slice of the whole hex text would keep that in memory.
  return bytes.toString('hex', 0, ID_BYTES);
}

/** One process reads the attributes of all entries. */
export class Attributes {
  readonly times: Change[] = [];
  readonly #asked: (Pair & { found: Change | null; make: () => Change })[] = [];

  /** @param make makes the change if only the attributes differ from `found`, the change so far */
  ask(pair: Pair, found: Change | null, make: () => Change): void {
    this.#asked.push({ ...pair, found, make });
    if (found !== null || !timeChanged(pair)) return;
    const change = make();
    // A time overwrites no host change and defeats no ignore rule.
    if (change.kind !== 'meta' || change.conflict !== null || change.ignored !== null) return;
    this.times.push({ ...change, ignored: TIMES_RULE });
  }

  *compare(): Generator<Change | null, void> {
    yield null;
    for (const { pair, ...both } of otherXattrs(this.#asked)) {
      const { upper, host, base, found, make } = pair;
      const from = base.state === 'known' ? base.xattrs : undefined;
      // A copy-up keeps its attributes: later ones are the host's change.
      if (from === xattrHash(both.upper)) continue;
      const change = found ?? make();
      change.xattrs = true;
      change.xattrIdentity = xattrIdentity(both);
      if (from !== undefined && from !== xattrHash(both.host)) change.conflict ??= 'host-changed';
      // Names and attributes change the same time, so who changed the attributes is unknown.
      if (from === undefined && host.type === 'dir' && host.ctimeNs >= upper.birthNs)
        change.conflict ??= 'unknown-base';
      if (found === null) yield change;
    }
  }
}
