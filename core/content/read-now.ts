/** The text of one side of a change, with sync calls, which are four times faster: for jobs that read thousands. */
import { readlinkSync } from 'node:fs';
import { decodeText, isBinaryHead, SNIFF_BYTES } from '../../shared/text/sniff.ts';
import { identityOf } from '../kernel/fs/entry.ts';
import { readBytes, withSame } from '../kernel/fs/same-file.ts';
import type { Now } from './sides.ts';

export interface NowText {
  /** Null when it is binary. */
  text: string | null;
}

/**
 * Reads exactly the file that was looked at, as `openSame` of read-side.ts. Null when it was not read: no file, closed (and not empty), text
 * above `maxBytes`, or another file by now. What is binary is known by its beginning, however large it is.
 */
export function readNow({ path, real, entry }: Now, maxBytes: number): NowText | null {
  if (entry?.type !== 'file') return null;
  const read = withSame(path, identityOf(entry), (fd, { dev, size }) => {
    if (dev !== entry.dev || readlinkSync(`/proc/self/fd/${fd}`, 'latin1') !== real) return null;
    const head = readBytes(fd, Math.min(size, SNIFF_BYTES));
    if (head === null) return null;
    if (isBinaryHead(head)) return { text: null };
    const bytes = size > maxBytes ? null : readBytes(fd, size);
    return bytes === null ? null : { text: decodeText(bytes) };
  });
  // Whoever may not open an empty file knows all of it.
  return read ?? (entry.size === 0 ? { text: '' } : null);
}
