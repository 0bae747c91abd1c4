/** Applies a `move-to-store` unit (undo/stage-undo.ts): a tree leaves the host by one rename, or stays. */
import { type BytePath, joinPath, nameOf } from '../../../shared/bytes.ts';
import { byParent, Dirs, relativeTo } from '../../kernel/fs/dir-handles.ts';
import { entryMessage, NotApplied } from '../../kernel/fs/entry-errors.ts';
import { fingerprint, identityOf, isSame, isStillOurs, onDeviceOf } from '../../kernel/fs/fingerprint.ts';
import { at, type FsPort } from '../../kernel/fs/port.ts';
import { HOST_CHANGED } from '../../kernel/messages/reasons.ts';
import { treesInUse } from '../../kernel/proc/open-files.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import type { MoveToStoreUnit } from '../journal/unit.ts';
import {
  IN_USE,
  NEW_OR_CHANGED,
  NOT_COVERED,
  NOT_MOVED_IN,
  treeReplaced,
  treeStays,
} from '../messages/reasons.ts';
import { BACK, waitingAt } from '../stage/areas.ts';
import { moveWhole } from '../stage/moves.ts';

interface Taking {
  port: FsPort;
  ctx: SessionContext;
  commit: BytePath;
  resumed: boolean;
  dirs: Dirs;
}

/**
 * Idempotent: the tree is whole on the host or whole in `back/`. A change made just before the rename is
 * found after it, when no host path leads to the tree, and reverses it. Returns a note, usually ''.
 * @throws see `entryMessage`
 */
export function takeTree({ port, ctx, commit, resumed, dirs }: Taking, unit: MoveToStoreUnit): string {
  const covered = coveringDir(ctx.coveredDirs, unit.path);
  if (covered === null) throw new NotApplied(treeStays(NOT_COVERED));
  const to = waitingAt(joinPath(commit, BACK), covered, unit.path);
  const target = dirs.targetOrNone(unit.path);
  const waits = port.lstat(to);
  if (waits === null) {
    const now = target === null ? null : port.lstat(target);
    if (target === null || now === null) return '';
    if (!isSame(unit.host, dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
    const why = resumed ? whyNotWhole(port, target, unit) : null;
    if (why !== null) throw new NotApplied(treeStays(why));
    moveWhole(port, ctx, [target, to], NOT_MOVED_IN);
  } else if (!isStillOurs(unit.born, waits)) throw new NotApplied(treeStays(NEW_OR_CHANGED));
  const why = whyNotWhole(port, to, unit);
  if (why === null) return '';
  if (target === null || port.lstat(target) !== null) return treeReplaced(why);
  port.rename(to, target);
  throw new NotApplied(treeStays(why));
}

/** Whether an earlier run has taken it off the host, whatever is there now. */
export function isTaken(
  { port, ctx, commit }: Omit<Taking, 'resumed' | 'dirs'>,
  unit: MoveToStoreUnit,
): boolean {
  const covered = coveringDir(ctx.coveredDirs, unit.path);
  if (covered === null) return false;
  return isStillOurs(unit.born, port.lstat(waitingAt(joinPath(commit, BACK), covered, unit.path)));
}

/** Why the directory at `root` must not go, or null. Device numbers may have changed with a reboot. */
function whyNotWhole(port: FsPort, root: BytePath, unit: MoveToStoreUnit): string | null {
  const walk = new Dirs(port, root, 0, null);
  try {
    const top = port.lstat(root);
    if (!isSame(onDeviceOf(unit.host, top), top) || !isAsNoted(port, walk, root, unit)) return NEW_OR_CHANGED;
    const inodes = (type: string) =>
      new Set(unit.entries.flatMap(({ id }) => (id?.startsWith(type) === true ? [fingerprint(id).ino] : [])));
    const real = port.readlink(at(walk.open(root)));
    const used = treesInUse([{ real, files: inodes('file:'), dirs: inodes('dir:') }]);
    return used.size > 0 ? IN_USE : null;
  } catch (error) {
    const message = entryMessage(error);
    if (message === null) throw error;
    return message;
  } finally {
    walk.close();
  }
}

function isAsNoted(port: FsPort, walk: Dirs, root: BytePath, { path, entries }: MoveToStoreUnit): boolean {
  const ids = new Map(entries.map((entry) => [entry.path, entry.id]));
  const inside = byParent([...ids.keys()].filter((one) => one !== path));
  for (const [dir, id] of ids) {
    if (id?.startsWith('dir:') !== true) continue;
    const below = relativeTo(path, dir);
    const fd = walk.openOrNone(below === '' ? root : joinPath(root, below));
    const names = inside.get(dir) ?? [];
    if (fd === null || port.readdir(at(fd)).length !== names.length) return false;
    for (const one of names) {
      const now = port.lstat(at(fd, nameOf(one)));
      if (now === null || identityOf(now) !== onDeviceOf(ids.get(one) ?? null, now)) return false;
    }
  }
  return true;
}
