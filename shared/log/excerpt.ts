/** What of a command's output goes into the log: its beginning and its end. */
import { EXCERPT_BYTES } from '../limits.ts';

export interface Excerpt {
  head: string;
  tail: string;
  /** Bytes (of UTF-8) left out between the two. */
  cut: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * The first and the last `limit` bytes of an output, less where a character would be split. An output of at most
 * twice the limit is kept whole, as `head`.
 */
export function excerpt(output: string, limit: number = EXCERPT_BYTES): Excerpt {
  const bytes = encoder.encode(output);
  if (bytes.length <= 2 * limit) return { head: decoder.decode(bytes), tail: '', cut: 0 };
  let headEnd = limit;
  while (headEnd > 0 && isContinuation(bytes[headEnd])) headEnd--;
  let tailStart = bytes.length - limit;
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart++;
  return {
    head: decoder.decode(bytes.subarray(0, headEnd)),
    tail: decoder.decode(bytes.subarray(tailStart)),
    cut: tailStart - headEnd,
  };
}
