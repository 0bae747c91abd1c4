/** Three-way merge of a text that host and sandbox have both changed. Pure. */
import { diff3Merge } from 'node-diff3';
import type { TextDiff } from '../model/diff.ts';
import { rawOf, splitLines } from './lines.ts';

/** What merging one entry would put on the host, shown before anybody decides for it. */
export interface MergePreview {
  /** The change's id. */
  id: string;
  /** Names both sides, the base and the result: what lands is this, or nothing. */
  etag: string;
  /** Places where both changed the same lines in different ways. Above 0 only a merge with markers can be committed. */
  conflicts: number;
  /** What it would change on the host, all lines of the file; with the markers where there are conflicts. */
  diff: TextDiff | null;
  /** Why it can't be merged, a sentence; null = it can. All else says nothing then. */
  refused: string | null;
}

export interface Merged {
  text: string;
  /** Places with markers in the text. */
  conflicts: number;
}

/** Pairs of equal lines that are looked at: a file of many equal lines would keep the comparison busy for minutes. */
const MAX_PAIRS = 4_000_000;

/** Null when the texts are too repetitive to be compared in time. */
export function mergeTexts(base: string, host: string, sandbox: string): Merged | null {
  const [o, a, b] = [linesOf(base), linesOf(host), linesOf(sandbox)];
  if (isTooRepetitive(o, a) || isTooRepetitive(o, b)) return null;
  let conflicts = 0;
  const parts = diff3Merge(a, o, b, { excludeFalseConflicts: true }).map(({ ok, conflict }) => {
    if (conflict === undefined) return (ok ?? []).join('');
    conflicts++;
    const side = (mark: string, lines: readonly string[]) => `${mark}\n${ended(lines.join(''))}`;
    return `${side('<<<<<<< host', conflict.a)}${side('||||||| base', conflict.o)}${side('=======', conflict.b)}>>>>>>> sandbox\n`;
  });
  return { text: parts.join(''), conflicts };
}

/** Comparing these would take too long. */
export function isTooRepetitive(one: readonly string[], other: readonly string[]): boolean {
  return pairs(one, other) > MAX_PAIRS;
}

function linesOf(text: string): string[] {
  return splitLines(text).map(rawOf);
}

/** A marker begins a line of its own. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function pairs(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
  return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
