/**
 * Directories that a discard takes out of a live view by one rename. Each is byte for byte in the trash before, and is looked
 * at again afterwards: whatever a process has changed in between has other times, or is held open.
 */
import type { BytePath } from '../../shared/bytes.ts';
import type { LiveProcess } from '../../shared/model/commit.ts';
import { isStoredWhole } from '../commit/upper/compare-stored.ts';
import { fileSystemType } from '../kernel/fs/entry.ts';
import { isPast } from '../kernel/fs/fingerprint.ts';
import { orIfRefused, nodePort as port } from '../kernel/fs/port.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import { keptName } from './kept-entries.ts';
import { dirsOfMounts, lookAtTree } from './kept-trees.ts';
import { lookUpper, type Room, type Spot } from './live-view.ts';
import { type Held, heldBy } from './writers.ts';

export interface TakenTree {
  i: number;
  spot: Spot;
  kept: Spot;
  seal: string;
  stored: BytePath;
}

interface Unit {
  i: number;
  path: BytePath;
  stored: BytePath;
}

/**
 * Takes those of `units` that can go so; of the others nothing is changed.
 * @param units none of them holds a mount
 * @param used paths of which a process uses something
 */
export function takeTrees(
  room: Room,
  units: readonly Unit[],
  processes: readonly LiveProcess[],
  used: ReadonlySet<BytePath>,
): TakenTree[] {
  const held = heldBy(pidsOf(processes));
  return units.flatMap(({ i, path, stored }) => {
    const spot = used.has(path) ? null : room.spot(path);
    const seal = spot === null ? null : orIfRefused(() => sealOfStored(spot, stored, held), null);
    if (spot === null || seal === null) return [];
    const kept = room.named(keptName(seal, 0n));
    // Refused where it or its parent is not writable.
    const isOut = orIfRefused(() => {
      port.rename(spot.at, kept.at);
      return true;
    }, false);
    return isOut ? [{ i, spot, kept, seal, stored }] : [];
  });
}

/** Those that are not as they were, or that a process has begun to use. */
export function changedTrees(trees: readonly TakenTree[], processes: readonly LiveProcess[]): TakenTree[] {
  // Descriptors before content: a process that closes its file in between has written by then.
  const held = heldBy(pidsOf(processes));
  const mounts = dirsOfMounts(pidsOf(processes));
  const used = new Set(
    usersBelow(processes, new Set(trees.map(({ kept }) => kept.path))).map(({ top }) => top),
  );
  return trees.filter(({ kept, seal, stored }) => {
    const now = lookAtTree(kept, held);
    if (now.seal !== seal || now.isHeld || used.has(kept.path) || mounts.has(kept.path)) return true;
    return !stampsMappings(kept.upper) && !isStoredWhole(port, kept.upper, stored);
  });
}

/** statfs(2) numbers of ext4, xfs and btrfs. Elsewhere a write to a mapping changes times later (ZFS), or never (tmpfs). */
const STAMPING = new Set([0xef53, 0x58465342, 0x9123683e]);

const stampsMappings = (upper: BytePath): boolean =>
  orIfRefused(() => STAMPING.has(fileSystemType(upper)), false);

/** Null when it may not go by one rename. */
function sealOfStored(spot: Spot, stored: BytePath, held: Held): string | null {
  if (lookUpper(spot)?.type !== 'dir') return null;
  const { seal, isHeld, ctimeNs } = lookAtTree(spot, held);
  return !isHeld && isPast(ctimeNs) && isStoredWhole(port, spot.upper, stored) ? seal : null;
}

const pidsOf = (processes: readonly LiveProcess[]): number[] => processes.map(({ pid }) => pid);
