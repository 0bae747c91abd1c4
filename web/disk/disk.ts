/** Sums and names for the disk page. Pure. */

import type { Input } from '../../shared/api/contract.ts';
import type { DiskUse, GarbageItem } from '../../shared/api/types.ts';
import * as format from '../text/format.ts';

export function diskParts({ sessions, size, free }: DiskUse): { name: string; bytes: number }[] {
  const sum = (part: 'upper' | 'images' | 'trash' | 'other'): number =>
    sessions.reduce((bytes, session) => bytes + session[part], 0);
  return [
    { name: 'Pending', bytes: sum('upper') },
    { name: 'Kept to undo commits', bytes: sum('images') },
    { name: 'Discarded, kept for undo', bytes: sum('trash') },
    { name: 'Logs and the rest', bytes: sum('other') },
    { name: `Free, of ${format.bytes(size)}`, bytes: free },
  ];
}

export function garbageKey({ kind, session, name }: Pick<GarbageItem, 'kind' | 'session' | 'name'>): string {
  return `${kind} ${session} ${name}`;
}

export function garbageName({ kind, name }: GarbageItem): string {
  if (kind === 'session') return 'the whole session';
  return kind === 'images' ? `what commit ${name} took away` : 'what was discarded';
}

/** `left`: keys of entries that are kept. */
export function gcRequest(
  found: readonly GarbageItem[],
  left: ReadonlySet<string>,
): { request: Input<'gc'>; bytes: number } {
  const chosen = found.filter((item) => !left.has(garbageKey(item)));
  return {
    request: { items: chosen.map(({ kind, session, name }) => ({ kind, session, name })) },
    bytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
