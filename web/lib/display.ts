/** Byte strings as a person reads them, fast for the many that are plain ASCII: 50,000 decodings would be felt. */
import { type BytePath, toDisplay } from '../../shared/bytes.ts';

const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;

/** The same text as `toDisplay`. A backslash is not plain: it is shown as two. */
export function displayPath(path: BytePath): string {
  return PLAIN.test(path) ? path : toDisplay(path);
}
