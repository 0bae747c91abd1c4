/** Lines of a log: bytes to events in pieces of any size, and one event to one line. What is no event is kept, to be shown raw. */
import { EXCERPT_BYTES, MAX_LINE_CHARS, MAX_LOG_LINE_BYTES } from '../limits.ts';
import { isEventType, isLogEvent, type LogEvent } from './events.ts';

/** A line that is no known event. */
export interface RawLine {
  raw: string;
  /** Byte offset of the line in the file. */
  offset: number;
  /** `torn`: cut off in the middle (a writer was killed, the disk was full); `too-long`: over MAX_LOG_LINE_BYTES. */
  problem: 'torn' | 'too-long' | 'not-json' | 'unknown-type' | 'unknown-version' | 'bad-shape';
}

/** An event and the byte offset at which its line begins. */
interface LoggedEvent {
  offset: number;
  event: LogEvent;
}
type LogLine = LoggedEvent | RawLine;

export function isLoggedEvent(line: LogLine): line is LoggedEvent {
  return 'event' in line;
}

/** One line's text without its newline. */
export function parseLine(text: string, offset: number): LogLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Our lines are objects: one that begins as such and has no end was cut off by a crash or a full disk.
    return rawLine(text, offset, text.startsWith('{') && !text.trimEnd().endsWith('}') ? 'torn' : 'not-json');
  }
  return isLogEvent(value) ? { offset, event: value } : rawLine(text, offset, problemOf(value));
}

function problemOf(value: unknown): RawLine['problem'] {
  if (typeof value !== 'object' || value === null) return 'bad-shape';
  const { v, t } = value as { v?: unknown; t?: unknown };
  if (v !== undefined && v !== 1) return 'unknown-version';
  return v === 1 && typeof t === 'string' && !isEventType(t) ? 'unknown-type' : 'bad-shape';
}

function rawLine(text: string, offset: number, problem: RawLine['problem']): RawLine {
  const raw = text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
  return { raw, offset, problem };
}

const NEWLINE = 10;
/** Enough bytes for what is shown of a line that is too long to be ours: MAX_LINE_CHARS, at most 4 bytes each. */
const SHOWN_BYTES = MAX_LINE_CHARS * 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Takes the bytes of a log in order and gives its lines; the result does not depend on how the bytes were split.
 * Holds at most MAX_LOG_LINE_BYTES of an unfinished line, however long it gets.
 */
export class LogParser {
  /** Offset of the unfinished line, its length, and what is kept of it. */
  #offset = 0;
  #length = 0;
  #kept: Uint8Array[] = [];

  /** The lines that `chunk` completes. The chunk may be overwritten afterwards. */
  push(chunk: Uint8Array): LogLine[] {
    const lines: LogLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      // An empty line is what a writer leaves that closed a torn line at the same time as another.
      if (this.#length > 0) {
        const text = this.#text();
        lines.push(this.#isTooLong ? rawLine(text, this.#offset, 'too-long') : parseLine(text, this.#offset));
      }
      this.#offset += this.#length + 1;
      this.#length = 0;
      this.#kept = [];
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  /** The line that has no newline yet: being written this moment, or torn. */
  pending(): RawLine | null {
    if (this.#length === 0) return null;
    return rawLine(this.#text(), this.#offset, this.#isTooLong ? 'too-long' : 'torn');
  }

  get #isTooLong(): boolean {
    return this.#length > MAX_LOG_LINE_BYTES;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const room = MAX_LOG_LINE_BYTES - this.#length;
    this.#length += bytes.length;
    if (room > 0) this.#kept.push(bytes.slice(0, room));
  }

  #text(): string {
    const whole = new Uint8Array(Math.min(this.#length, MAX_LOG_LINE_BYTES));
    let at = 0;
    for (const part of this.#kept) {
      whole.set(part, at);
      at += part.length;
    }
    return decoder.decode(this.#isTooLong ? whole.subarray(0, SHOWN_BYTES) : whole);
  }
}

/** Room for the newline at the end and the one that closes a torn line before it. */
const LINE_BYTES = MAX_LOG_LINE_BYTES - 2;
/** More than the mark, in JSON, ever takes. */
const MARK_BYTES = 64;

const byteLength = (text: string): number => encoder.encode(text).length;

/**
 * The JSON of an event without its newline, short enough for one write(2). Texts that make it too long are cut, the
 * longest first, and say so ("… [3000 bytes cut]" where the text was; `cut` of an outcome counts what its head and tail lost).
 */
export function eventLine(event: LogEvent): string {
  const copy: Record<string, unknown> = { ...event };
  let line = JSON.stringify(event);
  for (let size = byteLength(line); size > LINE_BYTES; size = byteLength(line)) {
    cutLongest(copy, size - LINE_BYTES);
    line = JSON.stringify(copy);
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
  const isOutput = event['t'] === 'call.outcome' && (longest === 'head' || longest === 'tail');
  const kept = oneEnd(text, bytes - 2 - excess - MARK_BYTES, isOutput ? longest : 'head');
  const lost = byteLength(text) - byteLength(kept);
  event[longest] = isOutput ? kept : `${kept}… [${lost} bytes cut]`;
  if (isOutput) event['cut'] = Number(event['cut']) + lost;
}

/** The longest beginning or end, of whole characters, whose JSON takes at most `limit` bytes. */
function oneEnd(text: string, limit: number, end: string): string {
  const characters = end === 'head' ? [...text] : [...text].reverse();
  let bytes = 0;
  const over = characters.findIndex((one) => {
    bytes += byteLength(JSON.stringify(one)) - 2;
    return bytes > limit;
  });
  const kept = over < 0 ? characters : characters.slice(0, over);
  return (end === 'head' ? kept : kept.reverse()).join('');
}

/** What of a command's output goes into the log. */
interface Excerpt {
  head: string;
  tail: string;
  /** Bytes (of UTF-8) left out between the two. */
  cut: number;
}

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
