/** System calls whose refusal is an answer. */
import { realpathSync } from 'node:fs';
import { type BytePath, bytePath } from '../../shared/bytes.ts';
import { errorCode } from './fs/entry.ts';
import { fsPath } from './fs/port.ts';

/** What a call gives; null where the system refuses it (missing, no permission, a loop of links). Bugs are thrown. */
export function orNull<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}

/** The path without links. (Not realpathSync itself: that takes a name that is no text for another one.) */
export function realPath(path: BytePath): BytePath {
  return bytePath(realpathSync.native(fsPath(path), { encoding: 'buffer' }).toString('latin1'));
}
