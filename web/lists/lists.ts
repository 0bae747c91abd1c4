/**
 * Live lists never move under the reader: known rows are updated where they are, new ones wait until the user asks
 * for them, and gone ones stay until then.
 */
interface Merged<T> {
  rows: T[];
  fresh: number;
  gone: number;
}

export function mergeStable<T>(
  shown: readonly T[],
  incoming: readonly T[],
  keyOf: (item: T) => string,
): Merged<T> {
  const next = new Map(incoming.map((item) => [keyOf(item), item]));
  let gone = 0;
  const rows = shown.map((item) => {
    const key = keyOf(item);
    const update = next.get(key);
    next.delete(key);
    if (update === undefined) gone++;
    return update ?? item;
  });
  return { rows, fresh: next.size, gone };
}

export function toggled<T>(set: ReadonlySet<T>, item: T): Set<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
