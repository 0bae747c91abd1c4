/**
 * Live lists do not move under the reader: `mergeStable` updates known rows in place, keeps gone ones, and
 * only counts new ones; the caller holds these back until the user asks for them (state/resource.ts).
 * use-virtual.ts keeps just the rows in sight in the page.
 */
export function mergeStable<T>(
  shown: readonly T[],
  incoming: readonly T[],
  keyOf: (item: T) => string,
): { rows: T[]; fresh: T[]; gone: number } {
  const next = new Map(incoming.map((item) => [keyOf(item), item]));
  let gone = 0;
  const rows = shown.map((item) => {
    const key = keyOf(item);
    const update = next.get(key);
    next.delete(key);
    if (update === undefined) gone++;
    return update ?? item;
  });
  return { rows, fresh: [...next.values()], gone };
}

/** An item is in the group of each of its keys. Groups are in the order of their first items. */
export function groupBy<T, K>(items: readonly T[], keysOf: (item: T) => readonly K[]): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items)
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  return groups;
}

export function toggled<T>(set: ReadonlySet<T>, item: T): Set<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
