/** What is to be done in a live overlay for one path of the host, and whether the sandbox has the say there. */
import { type BytePath, parentOf } from '../../shared/bytes.ts';
import { REPLAY_BYTES } from '../../shared/limits.ts';
import type { BaseState, Bases } from '../../shared/model/base-record.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { hostEntry, lstatEntry } from '../kernel/fs/entry.ts';
import { HASH_MAX_BYTES } from '../kernel/fs/file-content.ts';
import { resultOf } from '../kernel/fs/pace.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import { equalsBase, judgeSameType, onlyTouched } from '../scan/judge.ts';
import type { SessionContext } from '../session/session-context.ts';
import { printOf } from './kept-entries.ts';
import type { Room, Spot } from './live-view.ts';

/** What the view has under the name: the sandbox's copy, or the host's entry as it was looked up. */
export interface Old {
  copied: boolean;
  shown: Stat;
  /** Its content, where it is the host's. */
  print: string | null;
  base: BaseState;
}

export type Step =
  /** Put the host's entry in place of what the view has. */
  | { do: 'put'; spot: Spot; host: Stat; old: Old }
  /** Take away what the view still has: the host removed it. */
  | { do: 'take'; spot: Spot; old: Old }
  /** The host removed it and the view shows nothing: whoever watches the directory is to look again. */
  | { do: 'stir'; spot: Spot }
  /** A directory of the host: whoever watches the one above is to look again. */
  | { do: 'touch'; spot: Spot; shown: Stat }
  /** A directory that the host removed, with the sandbox's untouched copy of it; what it held has steps of its own. */
  | { do: 'clear'; spot: Spot }
  /** The sandbox changed it, or it can't be done. */
  | { do: 'leave' }
  | { do: 'nothing' };

const LEAVE: Step = { do: 'leave' };
const NOTHING: Step = { do: 'nothing' };

/** True when the upper's entry holds nothing that the sandbox has made: the host's content of now, or of when it was copied. */
export async function isUnchanged(
  path: BytePath,
  upper: Stat,
  at: BytePath,
  host: Stat | null,
  base: BaseState,
): Promise<boolean> {
  if (equalsBase(at, upper, base)) return true;
  if (host?.type !== upper.type) return false;
  const look = { path, host, upperPath: at, upper, base: { state: 'none' } as const };
  return (await resultOf(judgeSameType(look))) === null;
}

/** Whether what was kept beside is what `decide` saw: the host's then, or the sandbox's untouched copy. */
export async function isOld(kept: Spot, step: { spot: Spot; old: Old }, host: Stat | null): Promise<boolean> {
  const now = lstatEntry(kept.upper);
  const { copied, shown, print, base } = step.old;
  if (now?.type !== shown.type) return false;
  if (!copied)
    return now.mtimeNs === shown.mtimeNs && now.mode === shown.mode && printOf(kept.upper) === print;
  return await isUnchanged(step.spot.path, now, kept.upper, host, base);
}

/** Looks at host, upper and merged view. What the view has looked up may be old: it is asked before and after a refresh. */
export async function decide(ctx: SessionContext, room: Room, bases: Bases, path: BytePath): Promise<Step> {
  const spot = isExcluded(path, ctx.excluded) || path === room.covered.path ? null : room.spot(path);
  const host = spot === null ? 'closed' : hostEntry(path);
  if (spot === null || host === 'closed') return LEAVE;
  // Before the upper is looked at: where that has nothing yet, this is the host's. The other way round it could be what
  // a process has written in between, and would count as what may be replaced.
  const shown = lstatEntry(spot.at);
  const large = host !== null && host.size > REPLAY_BYTES;
  const print = large || lstatEntry(spot.upper) !== null ? null : printOf(spot.at);
  const base = bases.lookup(path);
  const upper = lstatEntry(spot.upper);
  if (upper !== null && isWhiteout(upper)) return host === null ? NOTHING : LEAVE;
  if (host === null) return upper === null ? vanished(spot, shown, print, base) : removed(spot, upper, base);
  if (host.type === 'dir') return directory(spot, shown, upper);
  if (host.type !== 'file' && host.type !== 'symlink') return NOTHING;
  if (host.size > (upper === null ? REPLAY_BYTES : HASH_MAX_BYTES)) return LEAVE;
  if (upper === null) {
    // A directory that the sandbox made again hides it, or the sandbox's view has another kind of entry there.
    if (shown === null || (shown.type !== 'file' && shown.type !== 'symlink')) return LEAVE;
    return { do: 'put', spot, host, old: { copied: false, shown, print, base } };
  }
  if (upper.type !== 'file' && upper.type !== 'symlink') return LEAVE;
  if (!(await isUnchanged(path, upper, spot.upper, host, base))) return LEAVE;
  const same = host.type === upper.type && host.mtimeNs === upper.mtimeNs && host.size === upper.size;
  if (
    same &&
    host.mode === upper.mode &&
    (await isUnchanged(path, upper, spot.upper, host, { state: 'none' }))
  )
    return NOTHING;
  return { do: 'put', spot, host, old: { copied: true, shown: upper, print: null, base } };
}

function vanished(spot: Spot, shown: Stat | null, print: string | null, base: BaseState): Step {
  // Copying it up would make the directories above again, which the host has removed, or put a file in the place of:
  // they would be pending, in that file's place. A refresh shows what the host did.
  const parent = hostEntry(parentOf(spot.path));
  if (parent === null || (parent !== 'closed' && parent.type !== 'dir')) return NOTHING;
  if (shown === null) return { do: 'stir', spot };
  if (shown.type !== 'file' && shown.type !== 'symlink') return NOTHING;
  return { do: 'take', spot, old: { copied: false, shown, print, base } };
}

function removed(spot: Spot, upper: Stat, base: BaseState): Step {
  if (upper.type === 'dir')
    return base.state === 'known' && onlyTouched(upper, base) ? { do: 'clear', spot } : LEAVE;
  if (!equalsBase(spot.upper, upper, base)) return LEAVE;
  return { do: 'take', spot, old: { copied: true, shown: upper, print: null, base } };
}

function directory(spot: Spot, shown: Stat | null, upper: Stat | null): Step {
  if (upper !== null) return upper.type === 'dir' ? NOTHING : LEAVE;
  return shown?.type === 'dir' ? { do: 'touch', spot, shown } : LEAVE;
}
