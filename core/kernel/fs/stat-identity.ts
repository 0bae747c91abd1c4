/** Is it still the very entry that was looked at? Identities are one-line strings, fit for the journal. */

import type { Side } from '../../../shared/model/change.ts';
import { isSameTime } from '../../../shared/model/identity.ts';
import type { Stat } from './port.ts';

/** Identity of a host or upper entry: everything that a change of it would move. */
export function identityOf(s: Stat): string {
  const lasting = `${s.type}:${s.mode}:${s.uid}:${s.gid}:${s.size}:${s.dev}:${s.ino}:${s.birthNs}`;
  return `${lasting}:${s.nlink}:${s.mtimeNs}:${s.ctimeNs}`;
}

/** Fields of `identityOf` that stay when names are made or removed in a directory, or other links of a file go. */
const LASTING = 8;

/** True when `now` is the entry that `identity` was taken of, unchanged. Null stands for "there is none". */
export function isSame(identity: string | null, now: Stat | null): boolean {
  if (identity === null || now === null) return identity === null && now === null;
  const then = identity.split(':');
  const fresh = identityOf(now).split(':');
  for (let i = 0; i < LASTING; i++) if (then[i] !== fresh[i]) return false;
  // A directory's times move with every name in it, also those that this commit makes and removes.
  if (now.type === 'dir') return true;
  if (then[9] !== fresh[9]) return false;
  // Removing another link of the same file moves its change time.
  return Number(then[8]) > 1 || then[10] === fresh[10];
}

/** Like `isSame` for an entry that was renamed since: that moves its change time. */
export function isRenamed(identity: string | null, now: Stat | null): boolean {
  if (identity === null || now === null) return false;
  return isSame([...identity.split(':').slice(0, 10), String(now.ctimeNs)].join(':'), now);
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
  const [type, , ino, born] = birth?.split(':') ?? [];
  if (isBornAs(birth, now) || now === null || born === '0') return isBornAs(birth, now);
  return type === now.type && ino === String(now.ino) && born === String(now.birthNs);
}

/** An identity as it would be on the device that `now` is on. */
export function onDeviceOf(identity: string | null, now: Stat | null): string | null {
  if (identity === null || now === null) return identity;
  const fields = identity.split(':');
  return [...fields.slice(0, 5), now.dev, ...fields.slice(6)].join(':');
}

/**
 * Whether a host entry is still as trai left it. The device number is left out, since it changes with a reboot on some
 * file systems.
 *
 * @param endedAt ms; a change time after the end of the transaction tells what a restored modification time would hide
 * @param stamp the very change time that it has, where that is known; see stamps.ts
 */
export function isAsLeft(
  id: string | null,
  now: Stat | null,
  endedAt: number | null,
  stamp?: string,
): boolean {
  if (id === null || now === null) return id === null && now === null;
  const then = id.split(':');
  const mode = now.type === 'symlink' ? then[1] : now.mode;
  const fresh = [now.type, mode, now.uid, now.gid, now.size, then[5], now.ino, now.birthNs].map(String);
  if (fresh.some((value, i) => value !== then[i])) return false;
  if (now.type === 'dir') return true;
  if (!isSameTime(BigInt(then[9] ?? 0), now.mtimeNs)) return false;
  // Other links of the file that come and go move its change time.
  if (now.nlink > 1 || Number(then[8]) > 1) return true;
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

export const field = (id: string, i: number): string => id.split(':')[i] ?? '';

export const inodeOf = (id: string): bigint => BigInt(field(id, 6));

/** Type, mode, owner, size and, but for directories, modification time: all that a copy can have in common. */
export function looksAlike(id: string, now: Stat): boolean {
  const then = id.split(':');
  const fresh = [now.type, now.mode, now.uid, now.gid, now.size].map(String);
  // A symbolic link's mode means nothing.
  const same = fresh.every((value, i) => (i === 1 && now.type === 'symlink') || value === then[i]);
  return same && (now.type === 'dir' || then[9] === String(now.mtimeNs));
}
