/**
 * What the host has written once more as it was: `touch`, a branch that was left and taken again, a formatter with nothing
 * to do. Its times say that it is another file; its content says that the sandbox saw all of it.
 */
import type { SessionContext } from '../../sandbox/types.ts';
import type { BaseState, Bases } from '../base-record.ts';
import type { Change } from '../model.ts';
import { placeOf, upperPath } from './entry.ts';
import { hashSame } from './same-file.ts';
import { xattrsOf } from './xattrs.ts';

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
    if (hashSame(change.path, change.hostIdentity) === base.sha256) same.push(change);
  }
  // The record does not say which attributes a file had: where neither side has any by now, none of the host's can be lost.
  const texts = xattrsOf(same.flatMap(({ path }) => [path, upperOf(ctx, path)]));
  same.forEach((change, i) => {
    if (texts[2 * i] === '' && texts[2 * i + 1] === '') change.conflict = null;
  });
}

function looksSame(
  { pending, host, hostLinks }: Change,
  base: BaseState,
): base is Extract<BaseState, { state: 'known' }> {
  if (base.state !== 'known' || base.sha256 === undefined) return false;
  const { type, mode, uid, gid, size, nlink } = base.host;
  if (pending?.type !== 'file' || host?.type !== 'file' || type !== 'file') return false;
  // Another link of it is one more thing that the sandbox has not seen.
  if (nlink !== 1 || hostLinks !== undefined) return false;
  return host.mode === mode && host.uid === uid && host.gid === gid && host.size === size;
}

function upperOf({ places }: SessionContext, path: Change['path']): Change['path'] {
  const place = placeOf(places, path);
  return place === null ? path : upperPath(place, path);
}
