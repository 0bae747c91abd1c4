/**
 * The log file `calls.jsonl`: `appendEvent` writes it for TypeScript, `printf >>` for the launcher. One event
 * is one line and one write(2), so concurrent writers do not interleave. Types and fold: shared/log/.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { TraiError } from '../../../shared/errors.ts';
import { isLogEvent, type LogEvent, type NewEvent } from '../../../shared/log/events.ts';
import { eventLine } from '../../../shared/log/lines.ts';
import { errorCode, isNoSpace } from '../../kernel/fs/port.ts';

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
const NEWLINE = 10;

export const LOG_NAME = 'calls.jsonl';

export function logPath(sessionDir: string): string {
  return join(sessionDir, LOG_NAME);
}

/** What identifies the log's state: it only grows. 0 when there is none. */
export function logSize(sessionDir: string): number {
  return statSync(logPath(sessionDir), { throwIfNoEntry: false })?.size ?? 0;
}

/** Adds version and time. Errors: those of `appendEvent`. */
export function logTo(sessionDir: string, event: NewEvent): void {
  // Spreading a union loses its member; the guard in appendEvent checks the result.
  appendEvent(sessionDir, { v: 1, at: new Date().toISOString(), ...event } as LogEvent);
}

/**
 * Synchronous, so that a process's events keep their order. Errors: `internal` for an invalid event,
 * `no-session` when the directory is gone, `no-space` when only a part was written (the next event closes the
 * torn line), `io`.
 */
export function appendEvent(sessionDir: string, event: LogEvent): void {
  if (!isLogEvent(event)) {
    throw new TraiError('internal', `expected a log event, got ${JSON.stringify(event).slice(0, 200)}`);
  }
  const path = logPath(sessionDir);
  const fd = openLog(path);
  try {
    const start = endsInMidLine(fd, path) ? '\n' : '';
    const line = Buffer.from(`${start}${eventLine(event)}\n`);
    const written = writeSync(fd, line);
    if (written === line.length) return;
    // The rest could land behind another writer's line, so the line stays torn.
    throw new TraiError('no-space', `wrote ${written} of ${line.length} bytes of a log line`, {
      path,
      hint: 'Free some space: what could not be logged is not run.',
    });
  } catch (error) {
    throw asTraiError(error, path);
  } finally {
    closeSync(fd);
  }
}

/** Checks ahead of actions that have to be logged. Errors: `corrupt` when the log is not a regular file. */
export function expectLog(sessionDir: string): void {
  const path = logPath(sessionDir);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw notAFile(path);
}

function openLog(path: string): number {
  try {
    // O_NONBLOCK: a FIFO in the log's place must not hang a call.
    return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw asTraiError(error, path);
  }
}

/** True after a torn line, which must not swallow the next. */
function endsInMidLine(fd: number, path: string): boolean {
  const found = fstatSync(fd);
  if (!found.isFile()) throw notAFile(path);
  if (found.size === 0) return false;
  const last = new Uint8Array(1);
  return readSync(fd, last, 0, 1, found.size - 1) === 1 && last[0] !== NEWLINE;
}

function notAFile(path: string, cause?: unknown): TraiError {
  const hint = `Move it away (mv ${path} ${path}.other): a new log is begun.`;
  return new TraiError('corrupt', `expected the log to be a regular file: ${path}. ${hint}`, { path, cause });
}

function asTraiError(error: unknown, path: string): TraiError {
  if (error instanceof TraiError) return error;
  const code = errorCode(error);
  const message = `the log could not be written: ${error instanceof Error ? error.message : String(error)}`;
  if (code === 'EISDIR' || code === 'ELOOP' || code === 'ENXIO') return notAFile(path, error);
  if (code === 'ENOENT') return new TraiError('no-session', message, { path, cause: error });
  if (isNoSpace(error) || code === 'EFBIG') {
    return new TraiError('no-space', message, { path, cause: error, hint: 'Free some space.' });
  }
  return new TraiError('io', message, { path, cause: error });
}
