/** Errors of a single entry, with the text for the user. */
import { errorCode } from './port.ts';

/** A unit that can't be applied, while others can. The message is for the user. */
export class NotApplied extends Error {
  override readonly name = 'NotApplied';
}

export const CHANGED = 'the host changed it after the review; it stays pending';
export const NO_COPY = 'its copy is gone; it stays pending';

/** Any error that is not listed (EIO, ENOSPC ...) stops the commit. */
const ENTRY_ERRORS: Record<string, string> = {
  EACCES: 'permission denied on the host',
  EPERM: 'the host does not permit it (owner, or an immutable entry)',
  EROFS: 'the file system is read-only',
  EBUSY: 'it is in use on the host (a mount point?)',
  ENOTEMPTY: 'the host has entries in it that were not in the reviewed list',
  EEXIST: CHANGED,
  ENOTDIR: 'a directory above it is no directory any more',
  ELOOP: 'a directory above it became a symbolic link',
  ENOENT: 'it or a directory above it is gone',
  EXDEV: 'it can only be copied there, not renamed (another file system or subvolume)',
  ENAMETOOLONG: 'its name or path, or one in it, is too long',
  EINVAL: 'the host’s file system does not take such a name or value',
  EILSEQ: 'the host’s file system does not take such a name',
  EOVERFLOW: 'its owner or group is not known there',
  EOPNOTSUPP: 'the host’s file system has no such thing',
  ENOTSUP: 'the host’s file system has no such thing',
  EFBIG: 'it is too large for the host’s file system',
  EMLINK: 'it has too many names for the host’s file system',
  EISDIR: CHANGED,
  ETXTBSY: 'it is being executed',
};

/** The message of an error that concerns one entry only; null when the commit must stop. */
export function entryMessage(thrown: unknown): string | null {
  if (thrown instanceof NotApplied) return thrown.message;
  const code = errorCode(thrown);
  const text = ENTRY_ERRORS[code];
  return text === undefined ? null : `${text} (${code})`;
}

/** Does what concerns one entry only. Returns the message when that fails; rethrows what stops the commit. */
export function refusalOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    const message = entryMessage(error);
    if (message === null) throw error;
    return message;
  }
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
