/** Searches the pending versions of a list's files. One page at a time: 50,000 files take seconds. */
import { closeSync, fstatSync, readlinkSync, readSync } from 'node:fs';
import type { SearchHit, SearchOrder, SearchPage } from '../../api/files.ts';
import { SEARCH_FILE_BYTES, SEARCH_FILE_HITS, SEARCH_HITS, SEARCH_MS } from '../../limits.ts';
import type { SessionContext } from '../../sandbox/types.ts';
import type { Change } from '../model.ts';
import { findLines } from '../search-text.ts';
import { decodeText, isBinaryHead, SNIFF_BYTES } from '../sniff.ts';
import { openToRead } from './compare.ts';
import { identityOf, toEntry } from './entry.ts';
import { lookAt, type Now } from './sides.ts';
import { inSlices } from './slices.ts';

/** The entries that a search looks into, in the order of the list. */
export function searchable(changes: readonly Change[], includeIgnored: boolean): Change[] {
  return changes.filter(
    ({ pending, kind, ignored }) =>
      pending?.type === 'file' && kind !== 'meta' && (includeIgnored || ignored === null),
  );
}

/** Looks into `changes`, which begin behind the page before. A page ends when it is full or has taken its time. */
export async function searchPending(
  ctx: SessionContext,
  changes: readonly Change[],
  order: SearchOrder,
): Promise<SearchPage> {
  const page: SearchPage = { hits: [], more: {}, searched: 0, skipped: 0, next: null };
  const ends = performance.now() + SEARCH_MS;
  function* steps(): Generator<Change | null> {
    for (const change of changes) {
      yield change;
      yield null;
    }
  }
  await inSlices(steps(), (change) => {
    searchOne(ctx, change, order, page);
    if (page.hits.length < SEARCH_HITS && performance.now() < ends) return false;
    page.next = page.searched < changes.length ? change.id : null;
    return true;
  });
  return page;
}

function searchOne(ctx: SessionContext, change: Change, order: SearchOrder, page: SearchPage): void {
  page.searched++;
  const content = contentOf(ctx, change);
  if (content === null) page.skipped++;
  if (content === null || content.text === null) return;
  const { found, total } = findLines(content.text, order, SEARCH_FILE_HITS);
  const { id: entry, path } = change;
  page.hits.push(...found.map((one): SearchHit => ({ entry, path, ...one })));
  if (total > found.length) page.more[entry] = total - found.length;
}

interface Content {
  /** Null when it is binary. */
  text: string | null;
}

/** Null when it was not read: gone, closed, too large, or another file by now. */
function contentOf(ctx: SessionContext, change: Change): Content | null {
  const pending = lookAt(ctx, change)?.pending;
  if (pending === undefined || pending.entry?.type !== 'file') return null;
  try {
    return readSame(pending);
  } catch {
    return null;
  }
}

/** Exactly the file that was looked at, as `openSame` of read-side.ts; with sync calls, which are four times faster. */
function readSame({ path, real, entry }: Now): Content | null {
  if (entry === null) return null;
  const fd = openToRead(path);
  try {
    const isSame = (): boolean => {
      const now = toEntry(fstatSync(fd, { bigint: true }));
      return now.type === 'file' && now.dev === entry.dev && identityOf(now) === identityOf(entry);
    };
    if (readlinkSync(`/proc/self/fd/${fd}`, 'latin1') !== real || !isSame()) return null;
    const head = Buffer.alloc(Math.min(entry.size, SNIFF_BYTES));
    if (readSync(fd, head, 0, head.length, 0) !== head.length) return null;
    // What is binary is not searched, however large it is.
    if (isBinaryHead(head)) return { text: null };
    if (entry.size > SEARCH_FILE_BYTES) return null;
    const bytes = Buffer.alloc(entry.size);
    if (readSync(fd, bytes, 0, bytes.length, 0) !== bytes.length) return null;
    return isSame() ? { text: decodeText(bytes) } : null;
  } finally {
    closeSync(fd);
  }
}
