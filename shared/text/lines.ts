/** Lossless lines. Only a line feed ends one: otherwise a bare CR could hide a line. */
import type { DiffLine } from '../model/diff.ts';

export interface Line {
  text: string;
  end: DiffLine['end'];
}

const TERMINATOR: Record<DiffLine['end'], string> = { lf: '\n', crlf: '\r\n', cr: '\r', none: '' };

/** The `rawOf` of all lines, joined, is the text. An empty text has no lines. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    if (feed === -1) {
      lines.push({ text: text.slice(at), end: 'none' });
      break;
    }
    const crlf = feed > at && text.charCodeAt(feed - 1) === 13;
    lines.push({ text: text.slice(at, crlf ? feed - 1 : feed), end: crlf ? 'crlf' : 'lf' });
    at = feed + 1;
  }
  return lines;
}

/** How many lines `splitLines` gives. */
export function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** With its terminator. */
export function rawOf(line: Line): string {
  return line.text + TERMINATOR[line.end];
}

export function countOf(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
