/** The entry of a path, without a table of all of them: with 300,000 the first file that was opened waited for it. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';

export interface ByPath {
  get(path: BytePath): Change | undefined;
  has(path: BytePath): boolean;
}

/** Of a list that is sorted by path, as every list is. */
export function byPathOf(changes: readonly Change[]): ByPath {
  const get = (path: BytePath): Change | undefined => {
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((changes[middle]?.path ?? '') < path) low = middle + 1;
      else high = middle;
    }
    const found = changes[low];
    return found?.path === path ? found : undefined;
  };
  return { get, has: (path) => get(path) !== undefined };
}
