/**
 * What the host has written once more as it was: `touch`, a branch that was left and taken again, a formatter with nothing
 * to do. Its times say that it is another file or link; its content or target says that the sandbox saw all of it.
 */

import type { BaseState, Bases } from '../../shared/model/base-record.ts';
import type { Change } from '../../shared/model/change.ts';
import { hashSame } from '../kernel/fs/same-file.ts';
import { xattrsOf } from '../kernel/xattr/values.ts';
import { indexDigest } from '../overlay/git-index.ts';
import { coveringDir, type SessionContext, upperPath } from '../session/session-context.ts';

/** Takes the conflict from each change whose host file is, but for its times and its inode, the one of the record. In place. */
export function* forgiveSame(
  ctx: SessionContext,
  changes: readonly Change[],
  bases: Bases,
): Generator<null, void> {
  const same: Change[] = [];
  for (const change of changes) {
    const base = change.conflict === 'host-changed' ? bases.lookup(change.path) : null;
    if (base === null || !looksSame(change, base)) continue;
    yield null;
    if (saysSame(change, base)) same.push(change);
  }
  // The record does not say which attributes a file had: where neither side has any by now, none of the host's can be lost.
  const texts = xattrsOf(same.flatMap(({ path }) => [path, upperOf(ctx, path)]));
  same.forEach((change, i) => {
    const none = texts[2 * i] === '' && texts[2 * i + 1] === '';
    // No user may give a link any.
    if (none || change.host?.type === 'symlink') change.conflict = null;
  });
}

type Known = Extract<BaseState, { state: 'known' }>;

function saysSame({ path, hostIdentity }: Change, { host, sha256, index }: Known): boolean {
  if (host.type === 'symlink') return true;
  // `git status` writes an index anew for the times of the files alone.
  if (index !== undefined) return indexDigest(path, hostIdentity) === index;
  return hashSame(path, hostIdentity) === sha256;
}

function looksSame({ pending, host, hostLinks }: Change, base: BaseState): base is Known {
  if (base.state !== 'known') return false;
  const { type, mode, uid, gid, size, nlink, target } = base.host;
  if (pending?.type !== host?.type || host?.type !== type) return false;
  // A link is its target; of a file the record has to have a hash.
  const isKnown = type === 'symlink' ? target !== undefined && host.target === target : type === 'file';
  if (!isKnown || (type === 'file' && base.sha256 === undefined && base.index === undefined)) return false;
  // Another link of it is one more thing that the sandbox has not seen.
  if (nlink !== 1 || hostLinks !== undefined) return false;
  const sameMode = type === 'symlink' || host.mode === mode;
  const sameSize = host.size === size || base.index !== undefined;
  return sameMode && host.uid === uid && host.gid === gid && sameSize;
}

function upperOf({ coveredDirs }: SessionContext, path: Change['path']): Change['path'] {
  const covered = coveringDir(coveredDirs, path);
  return covered === null ? path : upperPath(covered, path);
}
