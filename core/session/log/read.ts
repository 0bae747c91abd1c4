import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { LogEvent } from '../../../shared/log/events.ts';
import { foldLog, type LogFold } from '../../../shared/log/fold.ts';
import { isRaw, LogParser, type RawLine, type WantedEvents } from '../../../shared/log/lines.ts';
import { isPast } from '../../kernel/fs/fingerprint.ts';
import { errorCode } from '../../kernel/fs/port.ts';
import { logUnreadable } from '../messages/errors.ts';
import { logPath } from './append.ts';

interface LogContent {
  events: LogEvent[];
  /** Lines that are not events, shown as they are. */
  raw: RawLine[];
  size: number;
}

export interface LogNews extends LogContent {
  /** The file was replaced or cut: this is all of it, and earlier reads are void. */
  reset: boolean;
}

/** A text of it is among the young objects of V8; larger ones have pages of their own, which cost more than reading them. */
const CHUNK_BYTES = 64 * 1024;
const SMALL_BYTES = 4 * 1024;
/** The bytes before the read position that must be unchanged, else the file was replaced or rewritten. */
const WITNESS_BYTES = 64;

/**
 * The whole log, with an incomplete last line as torn. Empty for a session without a log. Errors: `io`.
 * @param wanted only these events; null = all
 */
export async function readLog(sessionDir: string, wanted: WantedEvents | null = null): Promise<LogContent> {
  const tail = new LogTail(sessionDir, wanted);
  const { events, raw, size } = await tail.read();
  const pending = tail.pending();
  return { events, raw: pending === null ? raw : [...raw, pending], size };
}

/** Errors: `io`. */
export async function readFold(sessionDir: string, wanted: WantedEvents | null = null): Promise<LogFold> {
  return foldLog((await readLog(sessionDir, wanted)).events);
}

/** Synchronous but for pauses: for the usual line or two, promises cost more than the system calls. */
export class LogTail {
  readonly #path: string;
  readonly #wanted: WantedEvents | null;
  #parser: LogParser;
  #size = 0;
  #inode = '';
  /** The file as it was read to its end; empty while a write may not have changed its time. */
  #seen = '';
  #witness: Uint8Array = new Uint8Array();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(sessionDir: string, wanted: WantedEvents | null = null) {
    this.#path = logPath(sessionDir);
    this.#wanted = wanted;
    this.#parser = new LogParser(wanted);
  }

  /** Overlapping reads are queued. Errors: `io`. */
  read(): Promise<LogNews> {
    const result = this.#queue.then(() => this.#read());
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** The last line while it has no newline. */
  pending(): RawLine | null {
    return this.#parser.pending();
  }

  async #read(): Promise<LogNews> {
    let file: number | null = null;
    try {
      // Most logs of a server are those of sessions that ended long ago.
      if (this.#seen !== '' && this.#seen === seenOf(statSync(this.#path, QUIETLY)))
        return { events: [], raw: [], size: this.#size, reset: false };
      // O_NONBLOCK: a FIFO in the log's place must not hang the server.
      file = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
      const reset = this.#isAnother(file);
      if (reset) this.#restart();
      return { ...(await this.#readOn(file)), reset };
    } catch (error) {
      if (file === null && errorCode(error) === 'ENOENT') return this.#gone();
      // The parser's position is unknown after a failed read: the next read starts over.
      if (file !== null) [this.#inode, this.#seen] = ['unknown', ''];
      throw logUnreadable(this.#path, error);
    } finally {
      if (file !== null) closeSync(file);
    }
  }

  async #readOn(file: number): Promise<LogContent> {
    const news: LogContent = { events: [], raw: [], size: this.#size };
    // Small, as the log is read several times a call.
    const left = fstatSync(file).size - this.#size;
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(SMALL_BYTES, left)));
    for (;;) {
      const bytesRead = readSync(file, buffer, 0, buffer.length, this.#size);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      for (const line of this.#parser.push(chunk)) {
        if (isRaw(line)) news.raw.push(line);
        else news.events.push(line);
      }
      this.#size += bytesRead;
      this.#witness = lastBytes(this.#witness, chunk);
      if (bytesRead < buffer.length) break;
      await breathe();
    }
    return { ...news, size: this.#size };
  }

  /** Inode numbers are reused, so the bytes before the read position decide. */
  #isAnother(file: number): boolean {
    const now = fstatSync(file, { bigint: true });
    this.#seen = isPast(now.ctimeNs) ? seenOf(now) : '';
    const inode = `${now.dev}:${now.ino}`;
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
    [this.#inode, this.#seen] = ['', ''];
    return { events: [], raw: [], size: 0, reset };
  }

  #restart(): void {
    this.#parser = new LogParser(this.#wanted);
    this.#size = 0;
    this.#witness = new Uint8Array();
  }
}

const QUIETLY = { bigint: true, throwIfNoEntry: false } as const;

const seenOf = (file: BigIntStats | undefined): string =>
  file === undefined ? '' : `${file.dev}:${file.ino} ${file.size} ${file.ctimeNs}`;

function lastBytes(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (chunk.length >= WITNESS_BYTES) return chunk.slice(-WITNESS_BYTES);
  const joined = Buffer.concat([before, chunk]);
  return new Uint8Array(joined.subarray(Math.max(0, joined.length - WITNESS_BYTES)));
}
