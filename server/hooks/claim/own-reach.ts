/** Whether a host command from which trai's directories are not hidden would reach them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fromText, isWithin, toBytes } from '../../../shared/bytes.ts';
import type { OpenUse } from '../../../shared/model/decision.ts';
import { globMatches } from '../../../shared/text/glob.ts';
import { followed } from '../world/file-paths.ts';

/** A pattern that matches more names counts as reaching. */
const MAX_NAMES = 5_000;

export function reachedOwn({ paths, trees }: OpenUse, own: readonly string[]): string | null {
  const dirs = own.map((dir) => ({ dir, names: [...new Set([fromText(dir), followed(fromText(dir))])] }));
  const deep = new Set(trees);
  const all = dirs.flatMap(({ names }) => names);
  for (const pattern of new Set([...paths, ...trees])) {
    const places = expanded(pattern, all);
    for (const { dir, names } of dirs) {
      if (places === null) return dir;
      const reaches = (place: string): boolean =>
        names.some((name) => isWithin(place, name) || (deep.has(pattern) && isWithin(name, place)));
      const named = places.map((place) => fromText(path.resolve(place)));
      if (named.some((place) => reaches(place) || reaches(followed(place)))) return dir;
    }
  }
  return null;
}

/** Matching paths that may lead to `own`; null = too many. */
function expanded(pattern: string, own: readonly string[]): string[] | null {
  let found = ['/'];
  const parts = pattern.split('/').filter((name) => name !== '');
  for (const [i, part] of parts.entries()) {
    const fits = /[*?[]/.test(part) ? part : null;
    const last = i === parts.length - 1;
    found = found.flatMap((dir) => (fits === null ? [`${dir}/${part}`] : matching(dir, fits, last, own)));
    if (found.length > MAX_NAMES) return null;
  }
  return found;
}

/** Links, and directories from which the rest of the pattern can lead to `own`. */
function matching(dir: string, fits: string, last: boolean, own: readonly string[]): string[] {
  try {
    const real = Buffer.from(toBytes(followed(fromText(dir)))).toString();
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => globMatches(fits, entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => ({ link: entry.isSymbolicLink(), place: path.join(real, entry.name) }))
      .filter(({ link, place }) => link || !last || own.some((name) => isWithin(name, fromText(place))))
      .map(({ place }) => place);
  } catch {
    return [];
  }
}
