/** Byte strings as a user reads them, fast for the many that are plain ASCII: 50,000 decodings would be felt. */
import { type BytePath, isWithin, toDisplay } from '../../shared/bytes.ts';

const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;

/** The same text as `toDisplay`. A backslash is not plain: it is shown as two. */
export function displayPath(path: BytePath): string {
  return PLAIN.test(path) ? path : toDisplay(path);
}

/** The path as seen from a project's directory that it lies below; else, and where the project is `/`, the whole path. */
export function displayBelow(path: BytePath, root: BytePath | undefined): string {
  if (root === undefined || root === '/' || path === root || !isWithin(path, root)) return displayPath(path);
  return displayPath(path.slice(root.length + 1) as BytePath);
}
