/** Which sessions have pending changes of the same paths, told from their lists. Pure. */
import type { BytePath } from '../bytes.ts';

export interface SharedPaths {
  /** The other session. */
  session: string;
  /** How many paths both have pending. */
  paths: number;
}

/** For each session the others that touch what it touches, the most paths first. */
export function sharedPaths(
  lists: readonly { id: string; paths: readonly BytePath[] }[],
): Map<string, SharedPaths[]> {
  const holders = new Map<BytePath, string[]>();
  for (const { id, paths } of lists)
    for (const path of paths) {
      const at = holders.get(path);
      if (at === undefined) holders.set(path, [id]);
      else at.push(id);
    }
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

export interface Overlap {
  /** At most as many as were asked for; the ignored ones left out. */
  paths: BytePath[];
  /** There are more: the search stopped. */
  more: boolean;
}
