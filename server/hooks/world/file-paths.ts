/** Which file one of the client's file tools works on. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type ToolInput, text } from './input.ts';

const WRITERS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const SEARCHERS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LS']);

/** The path that a tool was given, absolute and ordinary text: the client resolves `~` and relative names itself. */
export function absolutePath(given: string, cwd: string): string {
  return path.resolve(cwd || '/', expandHome(given));
}

/** The file that a tool reads or writes (Read, Edit, Write and their like), absolute; null when it names none. */
export function fileOf(call: ToolInput): string | null {
  const given = text(call.toolInput, 'file_path') || text(call.toolInput, 'notebook_path');
  return given === '' ? null : absolutePath(given, call.cwd);
}

/** True for the client's tools that write a file of the host. */
export function isFileWriter(tool: string): boolean {
  return WRITERS.has(tool);
}

/** The directory (or file) that a search looks through, absolute; null for a tool that does not search. */
export function searchedBy(call: ToolInput): string | null {
  if (!SEARCHERS.has(call.tool)) return null;
  const given = text(call.toolInput, 'path');
  if (given !== '') return absolutePath(given, call.cwd);
  const pattern = call.tool === 'Glob' ? beforeGlob(text(call.toolInput, 'pattern')) : '';
  return absolutePath(pattern, call.cwd);
}

/** The part of a glob pattern in front of its first special character's component. */
export function beforeGlob(pattern: string): string {
  const special = pattern.search(/[*?[{]/);
  return special < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', special) + 1);
}

/** The path with its links followed as far as it exists. */
export function followed(given: string): string {
  let existing = given;
  let rest = '';
  for (;;) {
    try {
      return path.join(realpathSync(existing), rest);
    } catch {
      if (existing === '/') return given;
      rest = path.join(path.basename(existing), rest);
      existing = path.dirname(existing);
    }
  }
}

function expandHome(given: string): string {
  return given === '~' || given.startsWith('~/') ? (process.env['HOME'] ?? '/') + given.slice(1) : given;
}
