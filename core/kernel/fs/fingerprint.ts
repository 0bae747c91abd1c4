/**
 * Fingerprints identify an entry between two looks. Journals hold them as text: `identityOf` and
 * `fingerprint` are the codec. Comparisons take the text and the current entry; null = no entry.
 */
import { CLOCK_TICK_MS } from '../../../shared/log/call-times.ts';
import type { HostStat } from '../../../shared/model/base-record.ts';
import type { EntryType, Side } from '../../../shared/model/change.ts';
import { isSameTime } from '../../../shared/model/identity.ts';
import type { Stat } from './port.ts';

export type Fingerprint = Pick<
  Stat,
  'type' | 'mode' | 'uid' | 'gid' | 'size' | 'dev' | 'ino' | 'birthNs' | 'nlink' | 'mtimeNs' | 'ctimeNs'
>;

export function identityOf(s: Fingerprint): string {
  const lasting = `${s.type}:${s.mode}:${s.uid}:${s.gid}:${s.size}:${s.dev}:${s.ino}:${s.birthNs}`;
  return `${lasting}:${s.nlink}:${s.mtimeNs}:${s.ctimeNs}`;
}

export function fingerprint(identity: string): Fingerprint {
  const [type, mode, uid, gid, size, dev, ino, birthNs, nlink, mtimeNs, ctimeNs] = identity.split(':');
  return {
    type: type as EntryType,
    mode: Number(mode),
    uid: Number(uid),
    gid: Number(gid),
    size: Number(size),
    nlink: Number(nlink),
    dev: BigInt(dev ?? 0),
    ino: BigInt(ino ?? 0),
    birthNs: BigInt(birthNs ?? 0),
    mtimeNs: BigInt(mtimeNs ?? 0),
    ctimeNs: BigInt(ctimeNs ?? 0),
  };
}

export function typeOf(identity: string | null | undefined): string | undefined {
  return identity?.slice(0, identity.indexOf(':'));
}

const SECOND = 1_000_000_000n;

/** Whether all that is written from now on gets another time. Some file systems have whole seconds (ext4 with small inodes). */
export function isPast(timeNs: bigint): boolean {
  const step = timeNs % SECOND === 0n ? 1_000 : 0;
  return Number(timeNs / 1_000_000n) < Date.now() - CLOCK_TICK_MS - step;
}

/** What adding or removing names in a directory, or other links of a file, does not change. */
const LASTING = ['type', 'mode', 'uid', 'gid', 'size', 'dev', 'ino', 'birthNs'] as const;

export function sameFields(a: Fingerprint, b: Fingerprint, fields: readonly (keyof Fingerprint)[]): boolean {
  return fields.every((field) => a[field] === b[field]);
}

/** Whether `now` is the unchanged entry of `identity`. Times of directories do not count. */
export function isSame(identity: string | null, now: Stat | null): boolean {
  if (identity === null || now === null) return identity === null && now === null;
  return identityOf(now) === identity || isUnchanged(fingerprint(identity), now);
}

function isUnchanged(then: Fingerprint, now: Stat): boolean {
  if (!sameFields(then, now, LASTING)) return false;
  // A directory's times change with every name in it, including those that this transaction adds and removes.
  if (now.type === 'dir') return true;
  // Removing another link of the file changes its change time.
  return then.mtimeNs === now.mtimeNs && (then.nlink > 1 || then.ctimeNs === now.ctimeNs);
}

/** `isSame` for an entry that was renamed since, which changes its change time. */
export function isRenamed(identity: string | null, now: Stat | null): boolean {
  return (
    identity !== null && now !== null && isUnchanged({ ...fingerprint(identity), ctimeNs: now.ctimeNs }, now)
  );
}

/** What of an identity a rename keeps. */
function withoutChangeTime(identity: string): string {
  return identity.slice(0, identity.lastIndexOf(':'));
}

/** Nearly always where nothing has happened but a rename, and ten times cheaper than parsing the identity. */
function hasOnlyOtherChange(identity: string, now: Fingerprint): boolean {
  const text = identityOf(now);
  const end = text.lastIndexOf(':');
  return identity.lastIndexOf(':') === end && identity.startsWith(text.slice(0, end));
}

/** Whether both are one file that was at most renamed in between, and not later than `until` (ms). */
export function isRenamedBy(until: number, before: string, after: string): boolean {
  const prefix = withoutChangeTime(before);
  if (withoutChangeTime(after) !== prefix) return false;
  return BigInt(after.slice(prefix.length + 1)) <= BigInt(until) * 1_000_000n;
}

/** The host's lstat of a file with this identity, with another change time. */
export function hostStatOf(identity: string, ctimeNs: string): HostStat {
  const [type, mode, uid, gid, size, dev = '', ino = '', , nlink, mtimeNs = ''] = identity.split(':');
  return {
    type: type as EntryType,
    mode: Number(mode),
    uid: Number(uid),
    gid: Number(gid),
    size: Number(size),
    nlink: Number(nlink),
    dev,
    ino,
    mtimeNs,
    ctimeNs,
  };
}

/** Whether a base record is of the entry of `identity`; false in doubt. */
export function isOf(identity: string, host: HostStat): boolean {
  const { type, mode, uid, gid, size, dev, ino, nlink, mtimeNs, ctimeNs } = host;
  return (
    identity.startsWith(`${type}:${mode}:${uid}:${gid}:${size}:${dev}:${ino}:`) &&
    identity.endsWith(`:${nlink}:${mtimeNs}:${ctimeNs}`)
  );
}

/** What rename, link and chmod do not change: enough to recognise a staged entry. */
export function birthOf(s: Stat): string {
  return `${s.type}:${s.dev}:${s.ino}:${s.birthNs}`;
}

export function isBornAs(birth: string | null, now: Stat | null): boolean {
  return birth !== null && now !== null && birthOf(now) === birth;
}

/** `isBornAs` for trai's own directories: ignores the device number, which a reboot may change. */
export function isStillOurs(birth: string | null, now: Stat | null): boolean {
  if (birth === null || now === null || birth.endsWith(':0')) return isBornAs(birth, now);
  return isBornAs(birth.replace(/^(\w+):\d+:/, `$1:${now.dev}:`), now);
}

export function onDeviceOf(identity: string | null, now: Stat | null): string | null {
  if (identity === null || now === null) return identity;
  return identityOf({ ...fingerprint(identity), dev: now.dev });
}

/**
 * Whether a host entry is still as trai left it. Ignores the device number, which a reboot changes on some
 * file systems.
 * @param endedAt end of the transaction (ms); a later change time reveals a change with a restored
 *   modification time
 * @param stamp the exact change time, where the transaction recorded it
 */
export function isAsLeft(
  identity: string | null,
  now: Fingerprint | null,
  endedAt: number | null,
  stamp?: string,
): boolean {
  if (identity === null || now === null) return identity === null && now === null;
  if (
    stamp !== undefined &&
    now.nlink === 1 &&
    stamp === String(now.ctimeNs) &&
    hasOnlyOtherChange(identity, now)
  )
    return true;
  const then = fingerprint(identity);
  const mode = now.type === 'symlink' ? now.mode : then.mode;
  if (!sameFields({ ...then, mode, dev: now.dev }, now, LASTING)) return false;
  if (now.type === 'dir') return true;
  if (!isSameTime(then.mtimeNs, now.mtimeNs)) return false;
  if (now.nlink > 1 || then.nlink > 1) return true;
  if (stamp !== undefined) return stamp === String(now.ctimeNs);
  return endedAt === null || now.ctimeNs <= BigInt(endedAt) * 1_000_000n;
}

/** The caller compares the target of a link. */
export function looksLike(side: Side | null, now: Stat | null): boolean {
  if (side === null || now === null) return side === null && now === null;
  return (
    side.type === now.type &&
    (side.type === 'symlink' || side.mode === now.mode) &&
    side.uid === now.uid &&
    side.gid === now.gid &&
    (side.type !== 'file' || side.size === now.size)
  );
}

/** Compares what a copy shares with its original. */
export function looksAlike(identity: string, now: Stat): boolean {
  if (hasOnlyOtherChange(identity, now)) return true;
  const then = fingerprint(identity);
  const mode = now.type === 'symlink' ? now.mode : then.mode;
  const same = sameFields({ ...then, mode }, now, ['type', 'mode', 'uid', 'gid', 'size']);
  return same && (now.type === 'dir' || then.mtimeNs === now.mtimeNs);
}
