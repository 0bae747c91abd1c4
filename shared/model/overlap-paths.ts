/** Sessions with pending changes of the same paths. */
import type { BytePath } from '../bytes.ts';
import { addTo } from '../maps.ts';

export interface SharedPaths {
  session: string;
  paths: number;
}

export function sharedPaths(
  lists: readonly { id: string; paths: readonly BytePath[] }[],
): Map<string, SharedPaths[]> {
  const holders = new Map<BytePath, string[]>();
  for (const { id, paths } of lists) for (const path of paths) addTo(holders, path, id);
  const counts = new Map<string, Map<string, number>>();
  for (const ids of holders.values()) {
    if (ids.length < 2) continue;
    for (const one of ids)
      for (const other of ids) {
        if (one === other) continue;
        const of = counts.get(one) ?? new Map<string, number>();
        counts.set(one, of.set(other, (of.get(other) ?? 0) + 1));
      }
  }
  return new Map(
    [...counts].map(([id, of]) => [
      id,
      [...of].map(([session, paths]) => ({ session, paths })).sort((a, b) => b.paths - a.paths),
    ]),
  );
}

/** Paths that are pending in another session of the project, too. */
export interface SessionOverlap extends Overlap {
  session: string;
}

export interface Overlap {
  /** Without ignored entries, cut to what was asked for. */
  paths: BytePath[];
  more: boolean;
}
