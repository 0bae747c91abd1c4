/** Byte strings as displayed, with a fast path for plain ASCII: 50,000 decodings take noticeable time. */
import { type BytePath, isWithin, toDisplay } from '../../shared/bytes.ts';

const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;

/** As `toDisplay`, which doubles backslashes. */
export function displayPath(path: BytePath): string {
  return PLAIN.test(path) ? path : toDisplay(path);
}

/** Relative to a project's directory that it lies below; else, and in a project `/`, the whole path. */
export function displayBelow(path: BytePath, root: BytePath | undefined): string {
  if (root === undefined || root === '/' || path === root || !isWithin(path, root)) return displayPath(path);
  return displayPath(path.slice(root.length + 1) as BytePath);
}
