/** From the bytes of a log to events, in pieces of any size. What is not an event is kept, to be shown raw. */
import { MAX_LINE_CHARS, MAX_LOG_LINE_BYTES } from '../limits.ts';
import { isEventType } from './fields.ts';
import { isLogEvent } from './guard.ts';
import type { LogEvent, RawLine, RawProblem } from './types.ts';

/** An event and the byte offset at which its line begins. */
export interface LoggedEvent {
  offset: number;
  event: LogEvent;
}
export type LogLine = LoggedEvent | RawLine;

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
  if (isLogEvent(value)) return { offset, event: value };
  return rawLine(text, offset, problemOf(value));
}

function problemOf(value: unknown): RawProblem {
  if (typeof value !== 'object' || value === null) return 'bad-shape';
  const { v, t } = value as { v?: unknown; t?: unknown };
  if (v !== undefined && v !== 1) return 'unknown-version';
  return v === 1 && typeof t === 'string' && !isEventType(t) ? 'unknown-type' : 'bad-shape';
}

function rawLine(text: string, offset: number, problem: RawProblem): RawLine {
  const raw = text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
  return { raw, offset, problem };
}

const NEWLINE = 10;
/** Enough bytes for what is shown of a line that is too long to be ours: MAX_LINE_CHARS, at most 4 bytes each. */
const SHOWN_BYTES = MAX_LINE_CHARS * 4;

/**
 * Takes the bytes of a log in order and gives its lines; the result does not depend on how the bytes were split.
 * Holds at most MAX_LOG_LINE_BYTES of an unfinished line, however long it gets.
 */
export class LogParser {
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Offset of the unfinished line, its length, and what is kept of it. */
  #offset: number;
  #length = 0;
  #kept: Uint8Array[] = [];

  /** `offset`: position in the file of the first byte that will be pushed. */
  constructor(offset = 0) {
    this.#offset = offset;
  }

  /** The lines that `chunk` completes. The chunk may be overwritten afterwards. */
  push(chunk: Uint8Array): LogLine[] {
    const lines: LogLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at));
      const line = this.#line();
      if (line !== null) lines.push(line);
      this.#offset += this.#length + 1;
      this.#length = 0;
      this.#kept = [];
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
    return lines;
  }

  /** The line that has no newline yet: being written this moment, or torn. */
  pending(): RawLine | null {
    if (this.#length === 0) return null;
    const text = this.#text();
    return rawLine(text, this.#offset, this.#length > MAX_LOG_LINE_BYTES ? 'too-long' : 'torn');
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const room = MAX_LOG_LINE_BYTES - this.#length;
    this.#length += bytes.length;
    if (room > 0) this.#kept.push(bytes.slice(0, room));
  }

  #line(): LogLine | null {
    // An empty line is what a writer leaves that closed a torn line at the same time as another.
    if (this.#length === 0) return null;
    const text = this.#text();
    return this.#length > MAX_LOG_LINE_BYTES
      ? rawLine(text, this.#offset, 'too-long')
      : parseLine(text, this.#offset);
  }

  #text(): string {
    const whole = new Uint8Array(Math.min(this.#length, MAX_LOG_LINE_BYTES));
    let at = 0;
    for (const part of this.#kept) {
      whole.set(part, at);
      at += part.length;
    }
    return this.#decoder.decode(this.#length > MAX_LOG_LINE_BYTES ? whole.subarray(0, SHOWN_BYTES) : whole);
  }
}
