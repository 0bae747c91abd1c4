/**
 * Fingerprints: is it still the entry that was seen? Journals hold them as text; `identityOf` and `fingerprint` are the codec.
 * Comparisons take the text and the entry as it is now; null = there is none.
 */
import type { EntryType, Side } from '../../../shared/model/change.ts';
import { isSameTime } from '../../../shared/model/identity.ts';
import type { Stat } from './port.ts';

/** Everything that a change of an entry would move. */
export type Fingerprint = Pick<
  Stat,
  'type' | 'mode' | 'uid' | 'gid' | 'size' | 'dev' | 'ino' | 'birthNs' | 'nlink' | 'mtimeNs' | 'ctimeNs'
>;

export function identityOf(s: Fingerprint): string {
  const lasting = `${s.type}:${s.mode}:${s.uid}:${s.gid}:${s.size}:${s.dev}:${s.ino}:${s.birthNs}`;
  return `${lasting}:${s.nlink}:${s.mtimeNs}:${s.ctimeNs}`;
}

/** What `identityOf` wrote down. */
export function fingerprint(identity: string): Fingerprint {
  const [type, mode, uid, gid, size, dev, ino, birthNs, nlink, mtimeNs, ctimeNs] = identity.split(':');
  return {
    type: type as EntryType,
    ...{ mode: Number(mode), uid: Number(uid), gid: Number(gid), size: Number(size), nlink: Number(nlink) },
    ...{ dev: BigInt(dev ?? 0), ino: BigInt(ino ?? 0), birthNs: BigInt(birthNs ?? 0) },
    ...{ mtimeNs: BigInt(mtimeNs ?? 0), ctimeNs: BigInt(ctimeNs ?? 0) },
  };
}

/** The type in an identity, or in what `birthOf` wrote down. */
export function typeOf(identity: string | null | undefined): string | undefined {
  return identity?.slice(0, identity.indexOf(':'));
}

/** What stays when names are made or removed in a directory, or other links of a file go. */
const LASTING = ['type', 'mode', 'uid', 'gid', 'size', 'dev', 'ino', 'birthNs'] as const;

function sameFields(a: Fingerprint, b: Fingerprint, fields: readonly (keyof Fingerprint)[]): boolean {
  return fields.every((field) => a[field] === b[field]);
}

/** True when `now` is the entry that `identity` was taken of, unchanged. */
export function isSame(identity: string | null, now: Stat | null): boolean {
  if (identity === null || now === null) return identity === null && now === null;
  return isUnchanged(fingerprint(identity), now);
}

function isUnchanged(then: Fingerprint, now: Stat): boolean {
  if (!sameFields(then, now, LASTING)) return false;
  // A directory's times move with every name in it, also those that this commit makes and removes.
  if (now.type === 'dir') return true;
  // Removing another link of the same file moves its change time.
  return then.mtimeNs === now.mtimeNs && (then.nlink > 1 || then.ctimeNs === now.ctimeNs);
}

/** Like `isSame` for an entry that was renamed since: that moves its change time. */
export function isRenamed(identity: string | null, now: Stat | null): boolean {
  return (
    identity !== null && now !== null && isUnchanged({ ...fingerprint(identity), ctimeNs: now.ctimeNs }, now)
  );
}

/** What stays the same when an entry is renamed, linked or chmod'ed: enough to find again what we staged. */
export function birthOf(s: Stat): string {
  return `${s.type}:${s.dev}:${s.ino}:${s.birthNs}`;
}

export function isBornAs(birth: string | null, now: Stat | null): boolean {
  return birth !== null && now !== null && birthOf(now) === birth;
}

/** Like `isBornAs`, of what lies where nobody else puts anything: a reboot may have given the device another number. */
export function isStillOurs(birth: string | null, now: Stat | null): boolean {
  if (birth === null || now === null || birth.endsWith(':0')) return isBornAs(birth, now);
  return isBornAs(birth.replace(/^(\w+):\d+:/, `$1:${now.dev}:`), now);
}

/** An identity as it would be on the device that `now` is on. */
export function onDeviceOf(identity: string | null, now: Stat | null): string | null {
  if (identity === null || now === null) return identity;
  return identityOf({ ...fingerprint(identity), dev: now.dev });
}

/**
 * Whether a host entry is still as trai left it. The device number is left out, since it changes with a reboot on some
 * file systems.
 *
 * @param endedAt ms; a change time after the end of the transaction tells what a restored modification time would hide
 * @param stamp the very change time that it has, where that is known; see stamps.ts
 */
export function isAsLeft(
  identity: string | null,
  now: Stat | null,
  endedAt: number | null,
  stamp?: string,
): boolean {
  if (identity === null || now === null) return identity === null && now === null;
  const then = fingerprint(identity);
  // The mode of a symbolic link means nothing.
  const mode = now.type === 'symlink' ? now.mode : then.mode;
  if (!sameFields({ ...then, mode, dev: now.dev }, now, LASTING)) return false;
  if (now.type === 'dir') return true;
  if (!isSameTime(then.mtimeNs, now.mtimeNs)) return false;
  // Other links of the file that come and go move its change time.
  if (now.nlink > 1 || then.nlink > 1) return true;
  if (stamp !== undefined) return stamp === String(now.ctimeNs);
  return endedAt === null || now.ctimeNs <= BigInt(endedAt) * 1_000_000n;
}

/** True when `now` looks as the reviewed list says; the target of a link is compared by the caller. */
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

/** Type, mode, owner, size and, but for directories, modification time: all that a copy can have in common. */
export function looksAlike(identity: string, now: Stat): boolean {
  const then = fingerprint(identity);
  const mode = now.type === 'symlink' ? now.mode : then.mode;
  const same = sameFields({ ...then, mode }, now, ['type', 'mode', 'uid', 'gid', 'size']);
  return same && (now.type === 'dir' || then.mtimeNs === now.mtimeNs);
}
