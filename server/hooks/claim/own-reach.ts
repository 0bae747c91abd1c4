/** Whether a host command from which trai's own directories are not hidden would reach them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fromText, isWithin } from '../../../shared/bytes.ts';
import type { OpenUse } from '../../../shared/model/decision.ts';
import { followed } from '../world/file-paths.ts';

/** So many names a pattern is followed into; one that fits more counts as reaching. */
const MAX_NAMES = 5_000;

/** The first of trai's own directories that such a command would reach, null when it reaches none. */
export function reachedOwn({ paths, trees }: OpenUse, own: readonly string[]): string | null {
  const dirs = own.map((dir) => ({ dir, names: [...new Set([dir, followed(dir)])].map(fromText) }));
  const deep = new Set(trees);
  const all = dirs.flatMap(({ names }) => names);
  for (const pattern of new Set([...paths, ...trees])) {
    const places = expanded(pattern, all);
    for (const { dir, names } of dirs) {
      if (places === null) return dir;
      const reaches = (place: string): boolean =>
        names.some((name) => isWithin(place, name) || (deep.has(pattern) && isWithin(name, place)));
      if (
        places.some((place) => reaches(fromText(path.resolve(place))) || reaches(fromText(followed(place))))
      )
        return dir;
    }
  }
  return null;
}

/** The paths that a pattern may stand for and that matter to `own`; null = too many. */
function expanded(pattern: string, own: readonly string[]): string[] | null {
  let found = ['/'];
  const parts = pattern.split('/').filter((name) => name !== '');
  for (const [i, part] of parts.entries()) {
    const fits = /[*?[]/.test(part) ? shapeOf(part) : null;
    const last = i === parts.length - 1;
    found = found.flatMap((dir) => (fits === null ? [`${dir}/${part}`] : matching(dir, fits, last, own)));
    if (found.length > MAX_NAMES) return null;
  }
  return found;
}

/** A hidden name fits too: the shell may be set so. */
function shapeOf(part: string): RegExp {
  const source = part
    .replace(/\[[^\]]*\]|\[/g, '?')
    .replace(/[\\^$.+()|{}\]]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}

/** What is no link leads to one of `own` by its name, or by what follows in the pattern. */
function matching(dir: string, fits: RegExp, last: boolean, own: readonly string[]): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => fits.test(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => ({ link: entry.isSymbolicLink(), place: path.join(followed(dir), entry.name) }))
      .filter(({ link, place }) => link || !last || own.some((name) => isWithin(name, fromText(place))))
      .map(({ place }) => place);
  } catch {
    return [];
  }
}
