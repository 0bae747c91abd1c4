/**
 * Marks of the entries that a user has viewed, with their fingerprints. One JSON object a line in
 * `sessions/ID/viewed.jsonl`; the last line of an entry wins. core/content/viewed.ts reads and writes the
 * file.
 */
import { jsonLines } from '../json-lines.ts';

export interface ViewedMark {
  id: string;
  /** Of both sides at that time, see `entryEtag`. */
  etag: string;
  /** Hash of both contents; null when not read: another fingerprint then means another content. */
  content: string | null;
}

/** Ids of pending entries. `updated`: viewed, and changed since. */
export interface ViewedState {
  viewed: string[];
  updated: string[];
}

export function formatViewed(marks: readonly (readonly [id: string, mark: ViewedMark | null])[]): string {
  return marks
    .map(([id, mark]) => `${JSON.stringify({ v: 1, id, ...(mark === null ? { gone: true } : mark) })}\n`)
    .join('');
}

/** Torn and unknown lines are skipped: a lost mark only means that the user views the entry again. */
export function parseViewed(text: string): { marks: Map<string, ViewedMark>; lines: number } {
  const marks = new Map<string, ViewedMark>();
  for (const { v, id, gone, etag, content } of jsonLines(text)) {
    if (v !== 1 || typeof id !== 'string') continue;
    if (gone === true) marks.delete(id);
    else if (typeof etag === 'string' && (content === null || typeof content === 'string'))
      marks.set(id, { id, etag, content });
  }
  return { marks, lines: text.split('\n').length - 1 };
}
