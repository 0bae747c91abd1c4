import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { isObject, text } from './input.ts';

/** A call that is asked for was logged a moment ago; what is older than this much log is not looked at. */
const NEWEST_BYTES = 1024 * 1024;

/** Types of the newest events that name `id` as their call or request. A log that can't be read has none. */
export function eventsNaming(sessionDir: string, id: string): string[] {
  const lines = newest(path.join(sessionDir, 'calls.jsonl')).split('\n');
  const types: string[] = [];
  for (const line of lines) {
    if (!line.includes(id)) continue;
    const event = parse(line);
    if (isObject(event) && (text(event, 'call') === id || text(event, 'request') === id))
      types.push(text(event, 't'));
  }
  return types;
}

function newest(file: string): string {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - NEWEST_BYTES);
    const buffer = Buffer.alloc(size - from);
    const read = readSync(fd, buffer, 0, buffer.length, from);
    return buffer.toString('utf8', 0, read);
  } finally {
    closeSync(fd);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
