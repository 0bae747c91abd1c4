/** One event as the line that is written: at most MAX_LOG_LINE_BYTES, so that it fits one write(2). */
import { MAX_LOG_LINE_BYTES } from '../limits.ts';
import type { LogEvent } from './types.ts';

/** Room for the newline at the end and the one that closes a torn line before it. */
const LINE_BYTES = MAX_LOG_LINE_BYTES - 2;
/** More than the mark, in JSON, ever takes. */
const MARK_BYTES = 64;

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;
/** Bytes of a string inside JSON: its escapes, and UTF-8. */
const jsonBytes = (text: string): number => byteLength(JSON.stringify(text)) - 2;

/**
 * The JSON of an event without its newline. Texts that make it too long are cut, the longest first, and say so
 * ("… [3,000 bytes cut]" where the text was; `cut` of an outcome counts what its head and tail lost).
 */
export function eventLine(event: LogEvent): string {
  let line = JSON.stringify(event);
  let size = byteLength(line);
  if (size <= LINE_BYTES) return line;
  const copy: Record<string, unknown> = { ...event };
  while (size > LINE_BYTES) {
    cutLongest(copy, size - LINE_BYTES);
    line = JSON.stringify(copy);
    size = byteLength(line);
  }
  return line;
}

/** Shortens the field that takes the most bytes by at least `excess` bytes, or to nearly nothing. */
function cutLongest(event: Record<string, unknown>, excess: number): void {
  let longest = '';
  let bytes = -1;
  for (const [name, value] of Object.entries(event)) {
    if (typeof value !== 'string' && !Array.isArray(value)) continue;
    const size = byteLength(JSON.stringify(value));
    if (size > bytes) [longest, bytes] = [name, size];
  }
  const value = event[longest];
  if (Array.isArray(value)) {
    // A list that alone fills a line (thousands of pids) keeps its first half, until it fits.
    event[longest] = value.slice(0, Math.floor(value.length / 2));
    return;
  }
  const text = String(value);
  const keep = Math.max(0, bytes - 2 - excess - MARK_BYTES);
  if (event['t'] === 'call.outcome' && (longest === 'head' || longest === 'tail')) {
    const kept = longest === 'head' ? jsonHead(text, keep) : jsonTail(text, keep);
    event[longest] = kept;
    event['cut'] = Number(event['cut']) + byteLength(text) - byteLength(kept);
    return;
  }
  const kept = jsonHead(text, keep);
  event[longest] = `${kept}… [${byteLength(text) - byteLength(kept)} bytes cut]`;
}

/** Longest beginning whose JSON takes at most `limit` bytes; never splits a surrogate pair. */
function jsonHead(text: string, limit: number): string {
  const endOf = (units: number): number =>
    isHigh(text.charCodeAt(units - 1)) && isLow(text.charCodeAt(units)) ? units - 1 : units;
  return text.slice(
    0,
    endOf(largest(text.length, (units) => jsonBytes(text.slice(0, endOf(units))) <= limit)),
  );
}

/** Longest end whose JSON takes at most `limit` bytes. */
function jsonTail(text: string, limit: number): string {
  const startOf = (units: number): number => {
    const start = text.length - units;
    return isLow(text.charCodeAt(start)) && isHigh(text.charCodeAt(start - 1)) ? start + 1 : start;
  };
  return text.slice(startOf(largest(text.length, (units) => jsonBytes(text.slice(startOf(units))) <= limit)));
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Largest number from 0 to `most` that fits, where everything below a number that fits does too. */
function largest(most: number, fits: (value: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
