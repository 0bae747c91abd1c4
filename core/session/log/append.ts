/**
 * The log file `calls.jsonl`: `appendEvent` writes it for TypeScript, `printf >>` for the launcher. One event
 * is one line and one write(2), so concurrent writers do not interleave. Types and fold: shared/log/.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { TraiError } from '../../../shared/errors.ts';
import { isLogEvent, type LogEvent, type NewEvent } from '../../../shared/log/events.ts';
import { eventLine } from '../../../shared/log/lines.ts';
import { errorCode } from '../../kernel/fs/port.ts';
import { logIsNoFile, logLineCut, logNotWritten } from '../messages/errors.ts';

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
    throw logLineCut(path, written, line.length);
  } catch (error) {
    throw asTraiError(error, path);
  } finally {
    closeSync(fd);
  }
}

/** Checks ahead of actions that have to be logged. Errors: `corrupt` when the log is not a regular file. */
export function expectLog(sessionDir: string): void {
  const path = logPath(sessionDir);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw logIsNoFile(path);
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
  if (!found.isFile()) throw logIsNoFile(path);
  if (found.size === 0) return false;
  const last = new Uint8Array(1);
  return readSync(fd, last, 0, 1, found.size - 1) === 1 && last[0] !== NEWLINE;
}

function asTraiError(error: unknown, path: string): TraiError {
  if (error instanceof TraiError) return error;
  return ['EISDIR', 'ELOOP', 'ENXIO'].includes(errorCode(error))
    ? logIsNoFile(path, error)
    : logNotWritten(path, error);
}
