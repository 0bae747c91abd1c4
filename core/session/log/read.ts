/** Reads a session's log, whole or as it grows. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { TraiError } from '../../../shared/errors.ts';
import type { LogEvent } from '../../../shared/log/events.ts';
import { isLoggedEvent, LogParser, type RawLine } from '../../../shared/log/lines.ts';
import { errorCode } from '../../kernel/fs/port.ts';
import { logPath } from './append.ts';

export interface LogContent {
  events: LogEvent[];
  /** Byte offset of each event's line, same order. */
  offsets: number[];
  /** Lines that are no events, to be shown as they are. */
  raw: RawLine[];
  /** Bytes of the log that were read. */
  size: number;
}

export interface LogNews extends LogContent {
  /** The file is another one or was cut: what was read before does not count any more, this is all of it. */
  reset: boolean;
}

const CHUNK_BYTES = 256 * 1024;
const SMALL_BYTES = 4 * 1024;
/** So many bytes before the read position must still be the same, else the file was replaced or rewritten. */
const WITNESS_BYTES = 64;

/**
 * Everything in the log. A last line without newline is reported as torn (it may just be in the making). A session
 * that has not logged yet is an empty log. Errors: `io`.
 */
export async function readLog(sessionDir: string): Promise<LogContent> {
  const tail = new LogTail(sessionDir);
  const { events, offsets, raw, size } = await tail.read();
  const pending = tail.pending();
  return { events, offsets, raw: pending === null ? raw : [...raw, pending], size };
}

/**
 * Reads what was appended since the last time. Synchronous but for a breath between large pieces: mostly it is a line
 * or two, for which a promise of each system call costs a claim more than the calls themselves.
 */
export class LogTail {
  readonly #path: string;
  #parser = new LogParser();
  #size = 0;
  #inode = '';
  #witness: Uint8Array = new Uint8Array();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(sessionDir: string) {
    this.#path = logPath(sessionDir);
  }

  /** What is new since the last read; overlapping reads wait for each other. Errors: `io`. */
  read(): Promise<LogNews> {
    const result = this.#queue.then(() => this.#read());
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** The last line, as long as it has no newline. */
  pending(): RawLine | null {
    return this.#parser.pending();
  }

  async #read(): Promise<LogNews> {
    let file: number | null = null;
    try {
      // O_NONBLOCK: a FIFO in the log's place must not hang the server.
      file = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
      const reset = this.#isAnother(file);
      if (reset) this.#restart();
      return { ...(await this.#readOn(file)), reset };
    } catch (error) {
      if (file === null && errorCode(error) === 'ENOENT') return this.#gone();
      // Where the parser stands is unknown after a read that failed: the next one starts from the beginning.
      if (file !== null) this.#inode = 'unknown';
      const path = this.#path;
      throw new TraiError('io', `the log could not be read: ${String(error)}`, { path, cause: error });
    } finally {
      if (file !== null) closeSync(file);
    }
  }

  async #readOn(file: number): Promise<LogContent> {
    const news: LogContent = { events: [], offsets: [], raw: [], size: this.#size };
    // A session's log is looked at several times a call, mostly for a line or two.
    const left = fstatSync(file).size - this.#size;
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(SMALL_BYTES, left)));
    for (;;) {
      const bytesRead = readSync(file, buffer, 0, buffer.length, this.#size);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      for (const line of this.#parser.push(chunk)) {
        if (!isLoggedEvent(line)) news.raw.push(line);
        else {
          news.events.push(line.event);
          news.offsets.push(line.offset);
        }
      }
      this.#size += bytesRead;
      this.#witness = lastBytes(this.#witness, chunk);
      if (bytesRead < buffer.length) break;
      await breathe();
    }
    return { ...news, size: this.#size };
  }

  /** Inode numbers are used again, so that of a new file says little: the bytes before our position decide. */
  #isAnother(file: number): boolean {
    const { dev, ino } = fstatSync(file, { bigint: true });
    const inode = `${dev}:${ino}`;
    const known = this.#inode;
    this.#inode = inode;
    if (known === '') return false;
    if (known !== inode) return true;
    const length = this.#witness.length;
    const found = new Uint8Array(length);
    const bytesRead = readSync(file, found, 0, length, this.#size - length);
    return bytesRead < length || Buffer.compare(found, this.#witness) !== 0;
  }

  #gone(): LogNews {
    const reset = this.#size > 0;
    this.#restart();
    this.#inode = '';
    return { events: [], offsets: [], raw: [], size: 0, reset };
  }

  #restart(): void {
    this.#parser = new LogParser();
    this.#size = 0;
    this.#witness = new Uint8Array();
  }
}

function lastBytes(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (chunk.length >= WITNESS_BYTES) return chunk.slice(-WITNESS_BYTES);
  const joined = Buffer.concat([before, chunk]);
  return new Uint8Array(joined.subarray(Math.max(0, joined.length - WITNESS_BYTES)));
}
