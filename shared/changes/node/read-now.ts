/** The text of one side of a change, with sync calls, which are four times faster: for jobs that read thousands. */
import { closeSync, fstatSync, readlinkSync, readSync } from 'node:fs';
import { decodeText, isBinaryHead, SNIFF_BYTES } from '../sniff.ts';
import { openToRead } from './compare.ts';
import { identityOf, toEntry } from './entry.ts';
import type { Now } from './sides.ts';

export interface NowText {
  /** Null when it is binary. */
  text: string | null;
}

/**
 * Reads exactly the file that was looked at, as `openSame` of read-side.ts. Null when it was not read: no file, closed, text
 * above `maxBytes`, or another file by now. What is binary is known by its beginning, however large it is.
 */
export function readNow({ path, real, entry }: Now, maxBytes: number): NowText | null {
  if (entry?.type !== 'file') return null;
  let fd: number;
  try {
    fd = openToRead(path);
  } catch {
    return null;
  }
  try {
    const isSame = (): boolean => {
      const now = toEntry(fstatSync(fd, { bigint: true }));
      return now.type === 'file' && now.dev === entry.dev && identityOf(now) === identityOf(entry);
    };
    if (readlinkSync(`/proc/self/fd/${fd}`, 'latin1') !== real || !isSame()) return null;
    const head = Buffer.alloc(Math.min(entry.size, SNIFF_BYTES));
    if (readSync(fd, head, 0, head.length, 0) !== head.length) return null;
    if (isBinaryHead(head)) return { text: null };
    if (entry.size > maxBytes) return null;
    const bytes = Buffer.alloc(entry.size);
    if (readSync(fd, bytes, 0, bytes.length, 0) !== bytes.length) return null;
    return isSame() ? { text: decodeText(bytes) } : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
