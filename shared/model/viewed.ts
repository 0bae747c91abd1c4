/**
 * Which pending entries a person has looked at, and what they were then. One JSON object a line in
 * `sessions/ID/viewed.jsonl`; the last line of an entry wins. Pure: reading and writing the file is core/content/viewed.ts.
 */
import { jsonLines } from '../json-lines.ts';

export interface ViewedMark {
  /** Id of the change. */
  id: string;
  /** Identities of both sides at that time, see `entryEtag`. */
  etag: string;
  /** Hash of what both sides held; null when it was not read: then another identity means another content. */
  content: string | null;
}

/** What tabs get: ids of pending entries. An `updated` one was looked at and has changed since. */
export interface ViewedState {
  viewed: string[];
  updated: string[];
}

/** Lines with their newlines; a null mark takes the entry's mark away. */
export function formatViewed(marks: readonly (readonly [id: string, mark: ViewedMark | null])[]): string {
  return marks
    .map(([id, mark]) => `${JSON.stringify({ v: 1, id, ...(mark === null ? { gone: true } : mark) })}\n`)
    .join('');
}

/** Reads the file's text. Torn and unknown lines are passed over: a mark too few only means to look once more. */
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
