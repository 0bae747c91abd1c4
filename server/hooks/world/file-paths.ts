import path from 'node:path';
import { orNull, realPath } from '../../../core/kernel/fs/port.ts';
import { homeDir } from '../../../core/session/dirs.ts';
import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import { type ToolInput, text } from './input.ts';

const WRITERS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const SEARCHERS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LS']);

/** Ordinary text. The client resolves `~` and relative names itself. */
export function absolutePath(given: string, cwd: string): string {
  return path.resolve(cwd || '/', expandHome(given));
}

export function fileOf(call: ToolInput): string | null {
  const given = text(call.toolInput, 'file_path') || text(call.toolInput, 'notebook_path');
  return given === '' ? null : absolutePath(given, call.cwd);
}

export function isFileTool(tool: string): boolean {
  return tool === 'Read' || WRITERS.has(tool) || SEARCHERS.has(tool);
}

export function isFileWriter(tool: string): boolean {
  return WRITERS.has(tool);
}

export function searchedBy(call: ToolInput): string | null {
  if (!SEARCHERS.has(call.tool)) return null;
  const given = text(call.toolInput, 'path');
  if (given !== '') return absolutePath(given, call.cwd);
  const pattern = call.tool === 'Glob' ? beforeGlob(text(call.toolInput, 'pattern')) : '';
  return absolutePath(pattern, call.cwd);
}

/** The directories of a glob before its first special character. */
export function beforeGlob(pattern: string): string {
  const special = pattern.search(/[*?[{]/);
  return special < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', special) + 1);
}

/** With symlinks resolved, as far as the path exists. */
export function followed(given: BytePath): BytePath {
  for (let at = given; at !== '/'; at = parentOf(at)) {
    const real = orNull(() => realPath(at));
    if (real !== null) return at === given ? real : joinPath(real, given.slice(at.length + 1));
  }
  return given;
}

function expandHome(given: string): string {
  return given === '~' || given.startsWith('~/') ? homeDir(process.env) + given.slice(1) : given;
}
