/** Plain-text search, line by line. Never a pattern: no expression can be slow or surprising. */
import { SEARCH_SNIPPET } from '../limits.ts';
import { splitLines } from './lines.ts';

export interface FoundLine {
  line: number;
  text: string;
  /** Offset in `text`; -1 where upper and lower case differ in length, so that the offset is not known. */
  at: number;
  length: number;
}

export function findLines(
  content: string,
  { text, matchCase }: { text: string; matchCase: boolean },
  max: number,
): { found: FoundLine[]; total: number } {
  const fold = (of: string): string => (matchCase ? of : of.toLowerCase());
  const wanted = fold(text);
  const found: FoundLine[] = [];
  let total = 0;
  // Most files have no match and need not be split.
  if (wanted === '' || !fold(content).includes(wanted)) return { found, total };
  for (const [index, line] of splitLines(content).entries()) {
    const folded = fold(line.text);
    const at = folded.indexOf(wanted);
    if (at < 0) continue;
    total++;
    if (found.length >= max) continue;
    const isExact = folded.length === line.text.length;
    found.push({ line: index + 1, ...snippet(line.text, isExact ? at : -1, wanted.length) });
  }
  return { found, total };
}

function snippet(line: string, at: number, length: number): Omit<FoundLine, 'line'> {
  if (line.length <= SEARCH_SNIPPET) return { text: line, at, length: at < 0 ? 0 : length };
  if (at < 0) return { text: `${line.slice(0, SEARCH_SNIPPET)}…`, at, length: 0 };
  const from = Math.max(0, Math.min(at - SEARCH_SNIPPET / 4, line.length - SEARCH_SNIPPET));
  const to = Math.max(from + SEARCH_SNIPPET, at + length);
  const head = from > 0 ? '…' : '';
  return {
    text: `${head}${line.slice(from, to)}${to < line.length ? '…' : ''}`,
    at: at - from + head.length,
    length,
  };
}
