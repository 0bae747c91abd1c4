/** Where changes lie, in a few lines that a person reads before an order. Pure. */
import { type BytePath, isWithin, joinPath, parentOf } from '../bytes.ts';
import { type Change, type ChangeCounts, countChanges } from './model.ts';

export interface PlaceOfChanges {
  /** A directory, of which all below it is meant, or the one entry that lies there. */
  path: BytePath;
  isDir: boolean;
  outside: boolean;
  counts: ChangeCounts;
  total: number;
}

export interface Places {
  /** The project's directory. */
  root: BytePath;
  /** What lies outside the project first, then by path. */
  shown: PlaceOfChanges[];
  /** Entries in places that are not shown. */
  more: number;
}

/** Lines that are read at one look. */
const MOST = 12;

/** Ignored entries count only where they go along. */
export function placesOf(changes: readonly Change[], root: BytePath, includeIgnored = false): Places {
  const counted = changes.filter(({ ignored }) => includeIgnored || ignored === null);
  const inside = counted.filter(({ path }) => isWithin(path, root));
  const outside = counted.filter(({ path }) => !isWithin(path, root));
  const all = [
    ...group(outside, ({ path }) => parentOf(path)).map((place) => ({ ...place, outside: true })),
    ...group(inside, childBelow(commonDir(inside, root))).map((place) => ({ ...place, outside: false })),
  ];
  const shown = all.slice(0, MOST);
  return { root, shown, more: counted.length - shown.reduce((sum, { total }) => sum + total, 0) };
}

/** The deepest directory, at or below `root`, that all of them lie in. */
function commonDir(changes: readonly Change[], root: BytePath): BytePath {
  let dir = root;
  for (;;) {
    const children = new Set(changes.map(childBelow(dir)));
    const [only] = children;
    if (only === undefined || children.size > 1 || changes.some(({ path }) => path === only)) return dir;
    dir = only;
  }
}

/** What lies directly in `dir` and leads to a change. */
function childBelow(dir: BytePath): (change: Change) => BytePath {
  const from = dir === '/' ? 1 : dir.length + 1;
  return ({ path }) => {
    if (path === dir) return dir;
    const end = path.indexOf('/', from);
    return end < 0 ? path : joinPath(dir, path.slice(from, end) as BytePath);
  };
}

function group(
  changes: readonly Change[],
  placeOf: (change: Change) => BytePath,
): Omit<PlaceOfChanges, 'outside'>[] {
  const groups = new Map<BytePath, Change[]>();
  for (const change of changes) {
    const place = placeOf(change);
    const known = groups.get(place);
    if (known === undefined) groups.set(place, [change]);
    else known.push(change);
  }
  return [...groups]
    .map(([place, within]) => {
      const [only] = within;
      const single = within.length === 1 && only !== undefined ? only.path : null;
      const counts = countChanges(within);
      return { path: single ?? place, isDir: single === null, counts, total: within.length };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
