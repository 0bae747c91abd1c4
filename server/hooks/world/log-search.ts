import path from 'node:path';
import { readTail } from '../../../core/kernel/fs/plain-file.ts';
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
  try {
    return readTail(file, NEWEST_BYTES)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
