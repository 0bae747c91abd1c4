import { hash } from 'node:crypto';
import { isObject } from '../../shared/json-lines.ts';
import { isShell } from '../../shared/log/calls.ts';
import { type ToolInput, text } from '../hooks/world/input.ts';

/** Of each end of a longer text; a file's content may have megabytes, and every call waits for its key. */
export const END_CHARS = 8_192;
/** Parts of an input: names, texts, numbers. */
export const MOST_PARTS = 1_000;

/** By client, conversation and input: PermissionRequest has no id of the call. The hook may have added blanks in front. */
export function callKey(call: ToolInput): string {
  return hash('sha256', partsOfCall(call).join('\0'));
}

/** What calls are told apart by: bounded, whatever the input has. Two that differ only beyond the bounds are equal. */
export function partsOfCall({ claude, agent, tool, toolInput: input }: ToolInput): string[] {
  const parts = [claude, agent, tool];
  const what = isShell(tool) ? text(input, 'command').trimStart() : input;
  for (const part of partsOf(what)) {
    parts.push(part);
    if (parts.length >= MOST_PARTS) break;
  }
  return parts;
}

function* partsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield bounded(value);
  else if (Array.isArray(value)) {
    yield `${value.length} values`;
    for (const one of value) yield* partsOf(one);
  } else if (isObject(value)) {
    const names = Object.keys(value);
    yield `${names.length} fields`;
    for (const name of names) {
      yield bounded(name);
      yield* partsOf(value[name]);
    }
  } else yield String(value);
}

/** With its length, so that no text stands for two. */
function bounded(text: string): string {
  const ends = text.length <= 2 * END_CHARS ? text : text.slice(0, END_CHARS) + text.slice(-END_CHARS);
  return `${text.length} ${ends}`;
}
