/** What the sandbox did to one entry that exists in the upper and on the host. */
import type { BytePath } from '../../shared/bytes.ts';
import type { BaseState, HostStat } from '../../shared/model/base-record.ts';
import type { ChangeKind } from '../../shared/model/change.ts';
import { sameEntry } from '../../shared/model/conflict.ts';
import { isSameTime } from '../../shared/model/identity.ts';
import { sameContent } from '../kernel/fs/compare.ts';
import { identityOf, readTarget, toHostStat } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { hashSame } from '../kernel/fs/same-file.ts';

export interface Pair {
  path: BytePath;
  host: Stat;
  upperPath: BytePath;
  upper: Stat;
  base: BaseState;
}

/** The kind of change of two entries of the same type that are not directories; null when it is none. */
export function* judgeSameType(pair: Pair): Generator<null, ChangeKind | null> {
  const same = yield* sameThing(pair);
  if (same) return metaChanged(pair) ? 'meta' : null;
  return isStaleCopy(pair) ? null : 'modified';
}

/**
 * Whether the sandbox gave the entry another mode or owner. The copy in the upper freezes what the host had: measured
 * against the base, a later host chmod is not a change of the sandbox.
 */
export function metaChanged({ host, upper, base }: Pick<Pair, 'host' | 'upper' | 'base'>): boolean {
  const from = base.state === 'known' && base.host.type === upper.type ? base.host : host;
  const changed = (field: 'mode' | 'uid' | 'gid') =>
    upper[field] !== from[field] && upper[field] !== host[field];
  return (upper.type !== 'symlink' && changed('mode')) || changed('uid') || changed('gid');
}

const SECOND = 1_000_000_000n;

/** Whether the sandbox gave a file another modification time than the host's has; some uppers keep whole seconds only. */
export function timeChanged({ host, upper }: Pick<Pair, 'host' | 'upper'>): boolean {
  if (upper.type !== 'file' || host.type !== 'file' || host.nlink > 1) return false;
  return !isSameTime(upper.mtimeNs, host.mtimeNs) && upper.mtimeNs !== host.mtimeNs - (host.mtimeNs % SECOND);
}

/** True when the upper's entry is known to be what the sandbox found on the host: content, mode and owner. */
export function equalsBase(upperPath: BytePath, upper: Stat, base: BaseState): boolean {
  if (base.state !== 'known' || !sameMeta(upper, base.host)) return false;
  if (upper.type === 'symlink') return readTarget(upperPath) === base.host.target;
  if (upper.type !== 'file' || upper.size !== base.host.size) return false;
  return base.sha256 !== undefined && hashSame(upperPath, identityOf(upper)) === base.sha256;
}

/** A directory that the host had and the sandbox neither made nor gave another mode or owner. */
export function onlyTouched(upper: Stat, base: BaseState): boolean {
  if (base.state !== 'known') return base.state === 'unknown';
  const { type, mode, uid, gid } = base.host;
  return type === 'dir' && mode === upper.mode && uid === upper.uid && gid === upper.gid;
}

/** An untouched copy whose host file moved on: the sandbox has nothing to say about it, the reaper drops it. */
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
