import { type BytePath, parentOf } from '../../shared/bytes.ts';
import { REPLAY_BYTES } from '../../shared/limits.ts';
import type { BaseState, Bases } from '../../shared/model/base-record.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { hostEntry, lstatEntry } from '../kernel/fs/entry.ts';
import { HASH_MAX_BYTES } from '../kernel/fs/file-content.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { isExcluded } from '../sandbox/claude-files.ts';
import { equalsBase, isUntouched, onlyTouched } from '../scan/judge.ts';
import type { SessionContext } from '../session/session-context.ts';
import { printOf } from './kept-entries.ts';
import type { Room, Spot } from './live-view.ts';

/** What the view has: the sandbox's copy-up, or the host's entry as the kernel has cached it. */
export interface Old {
  copied: boolean;
  shown: Stat;
  /** Hash of the host's content. */
  print: string | null;
  base: BaseState;
}

export type Step =
  | { do: 'put'; spot: Spot; host: Stat; old: Old }
  /** The host removed it; the view still shows it. */
  | { do: 'take'; spot: Spot; old: Old }
  /** The host removed it and the view shows nothing: only send watchers an event. */
  | { do: 'stir'; spot: Spot }
  /** A directory of the host: only send watchers of its parent an event. */
  | { do: 'touch'; spot: Spot; shown: Stat }
  /** An untouched copy-up of a removed directory; its entries have steps of their own. */
  | { do: 'clear'; spot: Spot }
  /** The sandbox changed it, or a replay is not possible. */
  | { do: 'leave' }
  | { do: 'nothing' };

const LEAVE: Step = { do: 'leave' };
const NOTHING: Step = { do: 'nothing' };

/** Whether the kept entry is what `decide` saw. */
export async function isOld(kept: Spot, step: { spot: Spot; old: Old }, host: Stat | null): Promise<boolean> {
  const now = lstatEntry(kept.upper);
  const { copied, shown, print, base } = step.old;
  if (now?.type !== shown.type) return false;
  if (!copied)
    return now.mtimeNs === shown.mtimeNs && now.mode === shown.mode && printOf(kept.upper) === print;
  return isUntouched({ path: step.spot.path, upperPath: kept.upper, upper: now, host, base });
}

/** The view may show cached entries: call it before and after a refresh. */
export async function decide(ctx: SessionContext, room: Room, bases: Bases, path: BytePath): Promise<Step> {
  const spot = isExcluded(path, ctx.excluded) || path === room.covered.path ? null : room.spot(path);
  const host = spot === null ? 'closed' : hostEntry(path);
  if (spot === null || host === 'closed') return LEAVE;
  // Read before the upper: afterwards it could be what a process has just written.
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
    if (shown === null || (shown.type !== 'file' && shown.type !== 'symlink')) return LEAVE;
    return { do: 'put', spot, host, old: { copied: false, shown, print, base } };
  }
  if (upper.type !== 'file' && upper.type !== 'symlink') return LEAVE;
  const look = { path, upperPath: spot.upper, upper, host };
  if (!isUntouched({ ...look, base })) return LEAVE;
  const same = host.type === upper.type && host.mtimeNs === upper.mtimeNs && host.size === upper.size;
  if (same && host.mode === upper.mode && isUntouched({ ...look, base: { state: 'none' } })) return NOTHING;
  return { do: 'put', spot, host, old: { copied: true, shown: upper, print: null, base } };
}

function vanished(spot: Spot, shown: Stat | null, print: string | null, base: BaseState): Step {
  // A copy-up would recreate removed or replaced directories as pending changes; a refresh is enough.
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
