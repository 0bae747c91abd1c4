/** Lines of a log: bytes to events in chunks of any size, and one event to one line. */
import { isObject } from '../json-lines.ts';
import { EXCERPT_BYTES, MAX_LINE_CHARS, MAX_LOG_LINE_BYTES } from '../limits.ts';
import {
  EVENT_FIELDS,
  type EventType,
  isEventType,
  isLogEvent,
  type LogEvent,
  withLaterFields,
} from './events.ts';

/** A line that is no known event: kept, to be shown raw. */
export interface RawLine {
  raw: string;
  offset: number;
  /** `torn`: cut off (writer killed, disk full); `too-long`: over MAX_LOG_LINE_BYTES. */
  problem: 'torn' | 'too-long' | 'not-json' | 'unknown-type' | 'unknown-version' | 'bad-shape';
}

type LogLine = LogEvent | RawLine;

export function isRaw(line: LogLine): line is RawLine {
  return 'raw' in line;
}

export function parseLine(text: string, offset: number): LogLine {
  let value: unknown;
  try {
    value = withLaterFields(JSON.parse(text));
  } catch {
    // An object without an end was cut off by a crash or a full disk.
    return rawLine(text, offset, text.startsWith('{') && !text.trimEnd().endsWith('}') ? 'torn' : 'not-json');
  }
  return isLogEvent(value) ? value : rawLine(text, offset, problemOf(value));
}

function problemOf(value: unknown): RawLine['problem'] {
  if (!isObject(value)) return 'bad-shape';
  const { v, t } = value;
  if (v !== undefined && v !== 1) return 'unknown-version';
  return v === 1 && typeof t === 'string' && !isEventType(t) ? 'unknown-type' : 'bad-shape';
}

function rawLine(text: string, offset: number, problem: RawLine['problem']): RawLine {
  const raw = text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
  return { raw, offset, problem };
}

const NEWLINE = 10;
/** For the shown part of a line that is too long: at most 4 bytes a character. */
const SHOWN_BYTES = MAX_LINE_CHARS * 4;

/** As both writers begin a line. */
const HEAD =
  /^\{"v":1,(?:"at":"[^"]{0,30}",)?"t":"([a-z.]{1,30})"(?:,"at":"[^"]{0,30}")?(?:,"request":"([^"\\]+)")?/;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Other events are passed over without being parsed. */
export interface WantedEvents {
  types: ReadonlySet<EventType>;
  /** Such an event is left out, and behind it those of other types with its request are passed over too. */
  isEnough?: (event: LogEvent) => boolean;
}

/** The result does not depend on how the bytes are split. Holds at most MAX_LOG_LINE_BYTES of a line. */
export class LogParser {
  #offset = 0;
  #length = 0;
  #kept: Uint8Array[] = [];
  readonly #wanted: WantedEvents | null;
  readonly #unwanted: ReadonlySet<string>;
  /** By request. */
  readonly #enough = new Map<string, EventType>();

  /** @param wanted null = all */
  constructor(wanted: WantedEvents | null = null) {
    this.#wanted = wanted;
    const types = wanted === null ? [] : Object.keys(EVENT_FIELDS);
    this.#unwanted = new Set(types.filter((type) => isEventType(type) && wanted?.types.has(type) === false));
  }

  /** The lines that `chunk` completes. The caller may reuse the chunk. */
  push(chunk: Uint8Array): LogLine[] {
    const lines: LogLine[] = [];
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    let from = 0;
    if (this.#length > 0 && end > 0) {
      from = chunk.indexOf(NEWLINE) + 1;
      this.#keep(chunk.subarray(0, from - 1));
      this.#end(this.#text(), lines);
    }
    // Whole lines are decoded together: in UTF-8 a line feed is part of no other character.
    const text = decoder.decode(chunk.subarray(from, end));
    const isOneToOne = text.length === end - from;
    for (let at = 0; from < end; ) {
      const next = text.indexOf('\n', at);
      this.#length = isOneToOne ? next - at : chunk.indexOf(NEWLINE, from) - from;
      from += this.#length + 1;
      this.#end(text.slice(at, next), lines);
      at = next + 1;
    }
    this.#keep(chunk.subarray(end));
    return lines;
  }

  /** A line of `#length` bytes ends here. */
  #end(text: string, lines: LogLine[]): void {
    // Two writers that close a torn line at the same time leave an empty one.
    if (this.#length > 0) {
      if (this.#isTooLong) lines.push(rawLine(text, this.#offset, 'too-long'));
      else if (this.#isWanted(text)) {
        const line = parseLine(text, this.#offset);
        if (!this.#isEnough(line)) lines.push(line);
      }
    }
    this.#offset += this.#length + 1;
    this.#length = 0;
    this.#kept = [];
  }

  /** The line without a line feed: being written, or torn. */
  pending(): RawLine | null {
    if (this.#length === 0) return null;
    return rawLine(this.#text(), this.#offset, this.#isTooLong ? 'too-long' : 'torn');
  }

  #isWanted(text: string): boolean {
    if (this.#wanted === null) return true;
    const head = HEAD.exec(text);
    const type = head?.[1] ?? '';
    if (this.#unwanted.has(type)) return false;
    const enough = this.#enough.get(head?.[2] ?? '');
    return enough === undefined || enough === type;
  }

  #isEnough(line: LogLine): boolean {
    const isEnough = this.#wanted?.isEnough;
    if (isEnough === undefined || isRaw(line) || !('request' in line) || line.request === '') return false;
    if (!isEnough(line)) return false;
    this.#enough.set(line.request, line.t);
    return true;
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

/** Without the line feed, and the one that closes a torn line before it. */
const LINE_BYTES = MAX_LOG_LINE_BYTES - 2;
const MARK_BYTES = 64;

const byteLength = (text: string): number => encoder.encode(text).length;

/** Short enough for one write(2): the longest texts are cut, and say so; `cut` of an outcome counts it. */
export function eventLine(event: LogEvent): string {
  const copy: Record<string, unknown> = { ...event };
  let line = JSON.stringify(event);
  for (let size = byteLength(line); size > LINE_BYTES; size = byteLength(line)) {
    cutLongest(copy, size - LINE_BYTES);
    line = JSON.stringify(copy);
  }
  return line;
}

/** By at least `excess` bytes, or to nearly nothing. */
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
    // A list that alone fills a line (thousands of pids) is halved until it fits.
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

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The first and last `limit` bytes, on character boundaries. Up to twice the limit all of it is `head`. */
export function excerpt(
  output: string,
  limit: number = EXCERPT_BYTES,
): { head: string; tail: string; cut: number } {
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
