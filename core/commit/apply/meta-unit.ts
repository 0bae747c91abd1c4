/** Applies a `meta` unit: mode, owner and, of a directory, extended attributes of an entry that stays. */
import { type BytePath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { isSameTime } from '../../../shared/model/identity.ts';
import type { Dirs } from '../../kernel/fs/dir-handles.ts';
import { NotApplied } from '../../kernel/fs/entry-errors.ts';
import { fingerprint, isSame, sameFields } from '../../kernel/fs/fingerprint.ts';
import { at, errorCode, type FsPort, type Stat, withHandle } from '../../kernel/fs/port.ts';
import {
  isBetween,
  needsWriting,
  removesAcl,
  type XattrChange,
  type XattrStep,
  xattrChanges,
} from '../../kernel/fs/xattr-text.ts';
import { HOST_CHANGED, NO_XATTRS } from '../../kernel/messages/reasons.ts';
import type { MetaUnit } from '../journal/unit.ts';
import { XATTR_ERRORS } from '../messages/reasons.ts';

export function xattrsAt(port: FsPort, dirs: Dirs, path: BytePath): string | null {
  const fd = port.openEntry(at(dirs.open(parentOf(path)), nameOf(path)));
  return withHandle(port, fd, () => port.xattrs(fd));
}

export function isMetaInPlace(port: FsPort, dirs: Dirs, unit: MetaUnit): boolean {
  const now = dirs.lstat(unit.path);
  if (now === null || now.uid !== unit.uid || now.gid !== unit.gid) return false;
  if (now.type !== 'symlink' && now.mode !== unit.mode) return false;
  if (!hasTime(unit, now)) return false;
  return unit.xattrs === undefined || xattrsAt(port, dirs, unit.path) === unit.xattrs.to;
}

/** The time of a directory changes with its entries, so it is not compared. */
export function hasTime({ mtime }: MetaUnit, now: Stat): boolean {
  return mtime === null || now.type === 'dir' || isSameTime(now.mtimeNs, BigInt(mtime));
}

export function isMetaBegun(port: FsPort, dirs: Dirs, unit: MetaUnit, root: boolean): boolean {
  const now = dirs.lstat(unit.path);
  if (now === null) return false;
  if (unit.xattrs === undefined) return isHalfOwned(unit, now, root);
  const xattrs = xattrsAt(port, dirs, unit.path);
  // The mode may have changed first: a directory is opened up while its attributes are set.
  const touched = xattrs !== unit.xattrs.from || now.mode !== fingerprint(unit.host).mode;
  return touched && isHalfSet(unit, unit.xattrs, now, xattrs);
}

export function applyMeta(
  port: FsPort,
  dirs: Dirs,
  unit: MetaUnit,
  { root, resumed }: { root: boolean; resumed: boolean },
): void {
  const dir = dirs.open(parentOf(unit.path));
  withHandle(port, port.openEntry(at(dir, nameOf(unit.path))), (fd) => {
    const now = port.fstat(fd);
    const isLink = now.type === 'symlink';
    const owned = now.uid === unit.uid && now.gid === unit.gid;
    const { xattrs } = unit;
    const has = xattrs === undefined ? '' : port.xattrs(fd);
    if (has === null) throw new NotApplied(NO_XATTRS);
    const dressed = owned && (isLink || now.mode === unit.mode) && hasTime(unit, now);
    if (!dressed || (xattrs !== undefined && has !== xattrs.to)) {
      const asReviewed =
        isSame(unit.host, dirs.asFound(now)) && (xattrs === undefined || has === xattrs.from);
      const half =
        xattrs === undefined
          ? isHalfOwned(unit, now, root) || (resumed && isHalfTimed(unit, now))
          : resumed && isHalfSet(unit, xattrs, now, has);
      if (!asReviewed && !half) throw new NotApplied(HOST_CHANGED);
      // An ACL sets the mode, so chmod follows.
      if (xattrs !== undefined) {
        const changes = xattrChanges(has, xattrs.to);
        setXattrs(port, fd, now, { mode: unit.mode, changes, root });
      }
      // chown clears setuid and setgid, so chmod follows.
      if (!owned) port.lchown(at(dir, nameOf(unit.path)), unit.uid, unit.gid);
      if (!isLink) port.chmod(at(fd), unit.mode);
    }
    if (unit.mtime !== null && !isLink) port.utimes(at(fd), BigInt(unit.mtime));
  });
}

function setXattrs(
  port: FsPort,
  fd: number,
  now: Stat,
  { mode, changes, root }: { mode: number; changes: XattrChange[]; root: boolean },
): void {
  if (changes.length === 0) return;
  const closed = !root && (now.mode & 0o200) === 0 && needsWriting(changes);
  try {
    // Removing an ACL gives the group what its mask allowed: the final mode is set before.
    if (removesAcl(changes)) port.chmod(at(fd), mode | (closed ? 0o700 : 0));
    else if (closed) port.chmod(at(fd), now.mode | 0o700);
    port.setXattrs(fd, changes);
  } catch (error) {
    // Setting is all or nothing; but an ACL that was set and rolled back has changed the mode.
    if (closed || port.fstat(fd).mode !== now.mode) port.chmod(at(fd), now.mode);
    const why = XATTR_ERRORS[errorCode(error)];
    throw why === undefined ? error : new NotApplied(`${why} (${errorCode(error)})`);
  }
}

/** Whether an interrupted run has set the owner, but not yet the mode. */
function isHalfOwned(unit: MetaUnit, now: Stat, root: boolean): boolean {
  return root && fingerprint(unit.host).ino === now.ino && now.uid === unit.uid && now.gid === unit.gid;
}

/** Whether an interrupted run has set the mode, but not yet the time. */
function isHalfTimed({ host, mode, uid, gid, mtime }: MetaUnit, now: Stat): boolean {
  if (mtime === null || now.type !== 'file' || now.mode !== mode) return false;
  const same = sameFields(fingerprint(host), now, ['type', 'ino', 'birthNs', 'size', 'mtimeNs']);
  return same && now.uid === uid && now.gid === gid;
}

/** Whether each part of the directory has its old or its new value. An ACL changes some bits of the mode. */
function isHalfSet(unit: MetaUnit, step: XattrStep, now: Stat, xattrs: string | null): boolean {
  const then = fingerprint(unit.host);
  if (then.type !== now.type || then.ino !== now.ino || then.birthNs !== now.birthNs) return false;
  const owners = [`${then.uid}:${then.gid}`, `${unit.uid}:${unit.gid}`];
  const modes = [then.mode, unit.mode];
  const bits = modes.flatMap((one) => [one & 0o777, (one | 0o700) & 0o777]);
  const special = modes.reduce((all, one) => all | (one & 0o7000), 0);
  return (
    owners.includes(`${now.uid}:${now.gid}`) &&
    bits.includes(now.mode & 0o777) &&
    (now.mode & 0o7000 & ~special) === 0 &&
    xattrs !== null &&
    isBetween(xattrs, step)
  );
}
