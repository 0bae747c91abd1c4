import type { BytePath } from '../../shared/bytes.ts';

/** A path as `ENTRY` takes it: printable text for `printf %b`, since an argument of Node's has no bytes that are no UTF-8. */
export const entryWord = (path: BytePath): string =>
  path.replace(/[^ -[\]-~]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
