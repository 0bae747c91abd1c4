/** Summary of where changes lie, in a few lines, for a preview. */
import { type BytePath, fromText, isWithin, joinPath } from '../bytes.ts';
import { addTo } from '../maps.ts';
import { type Change, type ChangeCounts, countChanges, type Roots } from './change.ts';

/** A cache outside the project is counted, but listed last. */
type Where = 'project' | 'outside' | 'cache';

export interface PlaceOfChanges {
  path: BytePath;
  isDir: boolean;
  where: Where;
  counts: ChangeCounts;
  total: number;
}

export interface Places {
  root: BytePath;
  /** The project by top directories, then outside it, then caches; each by path. */
  shown: PlaceOfChanges[];
  /** Entries that are not shown: those of the smallest groups. */
  more: Record<Where, number>;
}

/** Lines in all; of these, lines that the project cannot take from the others. */
const MOST = 12;
const OUTSIDE = 4;
const CACHE = 2;

/** Below the home directory: what programs downloaded or generated for themselves. */
const CACHES = [
  ...['.cache', '.npm', '.yarn', '.pnpm-store', '.local/share/pnpm', '.bun', '.deno', '.gradle', '.m2'],
  ...['.nuget', '.cargo/registry', '.cargo/git', '.rustup', 'go/pkg'],
].map((name) => fromText(name));

/** Below the home directory, shared by many programs: each of their children is a group of its own. */
const SHARED = ['.config', '.local', '.local/share', '.local/state'].map((name) => fromText(name));

export function placesOf(
  changes: readonly Change[],
  { projectRoot: root, home }: Roots,
  includeIgnored = false,
): Places {
  const counted = changes.filter(({ ignored }) => includeIgnored || ignored === null);
  const sorts: Record<Where, Change[]> = { project: [], outside: [], cache: [] };
  // A project may lie in a cache directory.
  const caches = CACHES.map((name) => joinPath(home, name)).filter((dir) => !isWithin(root, dir));
  for (const change of counted) {
    const isCache = caches.some((dir) => isWithin(change.path, dir));
    sorts[isCache ? 'cache' : isWithin(change.path, root) ? 'project' : 'outside'].push(change);
  }
  const groups: Record<Where, PlaceOfChanges[]> = {
    project: group(sorts.project, childBelow(commonDir(sorts.project, root)), 'project'),
    outside: group(sorts.outside, placeOutside(home), 'outside'),
    cache: group(sorts.cache, ({ path }) => caches.find((dir) => isWithin(path, dir)) ?? path, 'cache'),
  };
  const cache = Math.min(groups.cache.length, CACHE);
  const outside = Math.min(groups.outside.length, Math.max(OUTSIDE, MOST - cache - groups.project.length));
  const shown = [
    ...largest(groups.project, MOST - cache - outside),
    ...largest(groups.outside, outside),
    ...largest(groups.cache, cache),
  ];
  const left = (where: Where): number =>
    shown.reduce((sum, place) => sum - (place.where === where ? place.total : 0), sorts[where].length);
  const more = { project: left('project'), outside: left('outside'), cache: left('cache') };
  return { root, shown, more };
}

function largest(places: readonly PlaceOfChanges[], most: number): PlaceOfChanges[] {
  const kept = new Set([...places].sort((a, b) => b.total - a.total).slice(0, most));
  return places.filter((place) => kept.has(place));
}

/** In the home directory: its children, or those of a shared one. Elsewhere: two levels below /. */
function placeOutside(home: BytePath): (change: Change) => BytePath {
  const shared = new Set(SHARED.map((name) => joinPath(home, name)));
  const belowRoot = childBelow('/' as BytePath);
  return (change) => {
    let dir = isWithin(change.path, home) ? home : belowRoot(change);
    let place = childBelow(dir)(change);
    while (shared.has(place) && place !== dir) {
      dir = place;
      place = childBelow(dir)(change);
    }
    return place;
  };
}

function commonDir(changes: readonly Change[], root: BytePath): BytePath {
  let dir = root;
  for (;;) {
    const children = new Set(changes.map(childBelow(dir)));
    const [only] = children;
    if (only === undefined || children.size > 1 || changes.some(({ path }) => path === only)) return dir;
    dir = only;
  }
}

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
  where: Where,
): PlaceOfChanges[] {
  const groups = new Map<BytePath, Change[]>();
  for (const change of changes) addTo(groups, placeOf(change), change);
  return [...groups]
    .map(([place, within]) => {
      const [only] = within;
      const single = within.length === 1 && only !== undefined ? only.path : null;
      const counts = countChanges(within);
      return { path: single ?? place, isDir: single === null, where, counts, total: within.length };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
