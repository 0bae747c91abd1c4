/** Files of the user's that a commit has written conflict markers into. */
import { type BytePath, toDisplay } from '../bytes.ts';
import { countText } from './style.ts';

/** Most paths that are named. */
const NAMED = 20;

/** Named, since whoever opens, builds or commits such a file next has to know. */
export function markedLines(paths: readonly BytePath[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, NAMED).map((path) => `  conflict markers: ${toDisplay(path)}`);
  const more = paths.length > NAMED ? [`  … and ${paths.length - NAMED} more`] : [];
  return [
    `Conflict markers were written into ${countText(paths.length, 'file')} of yours; resolve them:`,
    ...named,
    ...more,
  ];
}
