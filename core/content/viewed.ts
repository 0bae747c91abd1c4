/**
 * The user's "viewed" marks, with the fingerprints of the entries: one JSON object a line in
 * `sessions/ID/viewed.jsonl`; the last line of an entry wins.
 */
import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines } from '../../shared/json-lines.ts';
import type { Change } from '../../shared/model/change.ts';
import { entryEtag } from '../kernel/fs/entry.ts';
import { replaceFile } from '../kernel/fs/state-file.ts';
import type { SessionContext } from '../session/session-context.ts';
import { lookAt, readSide } from './sides.ts';

export interface ViewedMark {
  id: string;
  /** Of both sides at that time, see `entryEtag`. */
  etag: string;
  /** Hash of both contents; null when not read: another fingerprint then means another content. */
  content: string | null;
}

/** Superfluous lines before the file is rewritten. */
const SPARE_LINES = 10_000;

const fileOf = (sessionDir: string): string => path.join(sessionDir, 'viewed.jsonl');

export async function readViewed(sessionDir: string): Promise<Map<string, ViewedMark>> {
  let text: string;
  try {
    text = await readFile(fileOf(sessionDir), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw error;
  }
  const { marks, lines } = parseViewed(text);
  if (lines - marks.size > SPARE_LINES)
    await replaceFile(fileOf(sessionDir), formatViewed([...marks].map(([id, mark]) => [id, mark])));
  return marks;
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

/** Null removes a mark. */
export async function writeViewed(
  sessionDir: string,
  marks: readonly (readonly [id: string, mark: ViewedMark | null])[],
): Promise<void> {
  await appendFile(fileOf(sessionDir), formatViewed(marks), { mode: 0o600 });
}

export function etagOfChange(change: Change): string {
  return entryEtag(change.hostIdentity ?? '-', change.upperIdentity ?? '-');
}

/** Hash of everything shown; null when content is too large or changes. */
export async function contentKey(ctx: SessionContext, change: Change): Promise<string | null> {
  const sides = lookAt(ctx, change);
  if (sides === null) return null;
  const hash = createHash('sha256').update(change.kind);
  for (const [side, now] of [
    [change.host, sides.host],
    [change.pending, sides.pending],
  ] as const) {
    hash.update(`\0${side === null ? '-' : `${side.type} ${side.mode} ${side.uid} ${side.gid} `}`);
    if (side?.type === 'symlink') hash.update(side.target ?? '', 'latin1');
    if (side?.type !== 'file' || change.kind === 'meta') continue;
    if (now.entry === null) return null;
    const content = await readSide(now.path, now.entry, now.real);
    if (content.state === 'text') hash.update(content.text);
    else if (content.state === 'binary' && content.sha256 !== null) hash.update(content.sha256);
    else return null;
  }
  return hash.digest('hex').slice(0, 32);
}
