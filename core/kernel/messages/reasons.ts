/** Why a single entry cannot be worked on; they stand behind its path. */
import { MAX_LEVELS, MAX_PATH_BYTES } from '../../../shared/limits.ts';

export const HOST_CHANGED = 'the host changed it after the review; it stays pending';
export const COPY_GONE = 'its copy is gone; it stays pending';
export const NEW_ENTRIES = 'the host has entries in it that were not in the reviewed list';
export const NO_XATTRS =
  'its extended attributes (an ACL, user.*) cannot be read: perl is missing, or it may not be read';
export const OUT_OF_REACH = `It holds paths of more than ${MAX_PATH_BYTES} bytes or ${MAX_LEVELS} directories, which cannot be worked on. Shorten them with a command in the sandbox (mv).`;

/** By the code of the system call. Any error that is not listed (EIO, ENOSPC ...) stops the commit. */
export const ENTRY_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied on the host',
  EPERM: 'the host does not permit it (owner, or an immutable entry)',
  EROFS: 'the file system is read-only',
  EBUSY: 'it is in use on the host (a mount point?)',
  ENOTEMPTY: NEW_ENTRIES,
  EEXIST: HOST_CHANGED,
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
  EISDIR: HOST_CHANGED,
  ETXTBSY: 'it is being executed',
};
