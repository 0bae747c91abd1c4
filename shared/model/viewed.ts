/**
 * Which pending entries a person has looked at, and what they were then. One JSON object a line in
 * `sessions/ID/viewed.jsonl`; the last line of an entry wins. Pure: reading and writing the file is core/content/viewed.ts.
 */

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
    .map(([id, mark]) =>
      JSON.stringify(
        mark === null ? { v: 1, id, gone: true } : { v: 1, id, etag: mark.etag, content: mark.content },
      ),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Reads the file's text. Torn and unknown lines are passed over: a mark too few only means to look once more. */
export function parseViewed(text: string): { marks: Map<string, ViewedMark>; lines: number } {
  const marks = new Map<string, ViewedMark>();
  const lines = text.split('\n');
  for (const line of lines) {
    const found = readLine(line);
    if (found === null) continue;
    if (found.mark === null) marks.delete(found.id);
    else marks.set(found.id, found.mark);
  }
  return { marks, lines: lines.length - 1 };
}

function readLine(line: string): { id: string; mark: ViewedMark | null } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const { v, id, gone, etag, content } = Object.fromEntries(Object.entries(value ?? {}));
  if (v !== 1 || typeof id !== 'string') return null;
  if (gone === true) return { id, mark: null };
  if (typeof etag !== 'string' || !(content === null || typeof content === 'string')) return null;
  return { id, mark: { id, etag, content } };
}
