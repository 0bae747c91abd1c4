import type { Program } from './program.ts';

/** One entry of a tree, as snapshot.mjs gives it. Names are byte strings. */
export interface Entry {
  type: 'file' | 'directory' | 'link' | 'socket' | 'other';
  mode: number;
  /** Nanoseconds. */
  mtime: string;
  content: string;
  /** The first name of a file that has several, or nothing. */
  twin: string;
}

export type Tree = Readonly<Record<string, Entry>>;

function anyOf(patterns: readonly RegExp[] | undefined, path: string): boolean {
  return patterns?.some((pattern) => pattern.test(path)) ?? false;
}

/**
 * What of two trees differs, a line each. Times are compared only where the program sets them; sockets are never
 * committed, so they do not count.
 */
export function differences(
  plain: Tree,
  other: Tree,
  rules: Pick<Program, 'ignore' | 'loose' | 'times' | 'copiesOfLinks'>,
): string[] {
  const lines: string[] = [];
  for (const path of [...new Set([...Object.keys(plain), ...Object.keys(other)])].sort()) {
    if (anyOf(rules.ignore, path)) continue;
    const [a, b] = [plain[path], other[path]];
    if (a?.type === 'socket' || b?.type === 'socket') continue;
    if (a === undefined) lines.push(`only with trai: ${path}`);
    else if (b === undefined) lines.push(`only without trai: ${path}`);
    else if (a.type !== b.type) lines.push(`${path}: ${a.type} without trai, ${b.type} with it`);
    else if (a.type !== 'link' && a.mode !== b.mode)
      lines.push(`${path}: mode ${a.mode.toString(8)} without trai, ${b.mode.toString(8)} with it`);
    else if (a.content !== b.content && !anyOf(rules.loose, path))
      lines.push(`${path}: other content (${a.content} without trai, ${b.content} with it)`);
    else if (a.twin !== b.twin && rules.copiesOfLinks !== true)
      lines.push(
        `${path}: the same file as ${a.twin || 'no other'} without trai, as ${b.twin || 'no other'} with it`,
      );
    else if (rules.times === true && a.type === 'file' && a.mtime !== b.mtime)
      lines.push(`${path}: other time of modification (${a.mtime} without trai, ${b.mtime} with it)`);
  }
  return lines;
}

/** What changed in a tree that nothing may have touched: everything counts, times too. */
export function touched(before: Tree, after: Tree): string[] {
  return differences(before, after, { times: true });
}

/** Durations, which no two runs have in common. */
export function withoutDurations(text: string): string {
  return text.replace(/\d+(\.\d+)?\s?(ms|µs|s|m)\b/g, '<time>');
}
