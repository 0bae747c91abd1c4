/** Searches the pending versions of a list's files. One page at a time: 50,000 files take seconds. */
import type { SearchHit, SearchOrder, SearchPage } from '../../shared/api/types.ts';
import { SEARCH_FILE_BYTES, SEARCH_FILE_HITS, SEARCH_HITS, SEARCH_MS } from '../../shared/limits.ts';
import type { Change } from '../../shared/model/change.ts';
import { findLines } from '../../shared/text/search-text.ts';
import { inSlices } from '../kernel/fs/slices.ts';
import type { SessionContext } from '../session/session-context.ts';
import { readNow } from './read-now.ts';
import { lookAt } from './sides.ts';

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
  // Not read: gone, closed, too large, or another file by now.
  const pending = lookAt(ctx, change)?.pending;
  const content = pending === undefined ? null : readNow(pending, SEARCH_FILE_BYTES);
  if (content === null) page.skipped++;
  if (content === null || content.text === null) return;
  const { found, total } = findLines(content.text, order, SEARCH_FILE_HITS);
  const { id: entry, path } = change;
  page.hits.push(...found.map((one): SearchHit => ({ entry, path, ...one })));
  if (total > found.length) page.more[entry] = total - found.length;
}
