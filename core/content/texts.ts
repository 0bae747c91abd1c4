import type { Input } from '../../shared/api/contract.ts';
import type { LineCounts, SearchHit, SearchPage } from '../../shared/api/types.ts';
import {
  COUNTED_BYTES,
  HIDDEN_FILE_BYTES,
  SEARCH_FILE_BYTES,
  SEARCH_FILE_HITS,
  SEARCH_HITS,
  SEARCH_MS,
} from '../../shared/limits.ts';
import type { Change } from '../../shared/model/change.ts';
import type { HiddenFound } from '../../shared/model/risk.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import { addsHidden } from '../../shared/text/hidden-characters.ts';
import { findLines } from '../../shared/text/search-text.ts';
import { identityOf } from '../kernel/fs/entry.ts';
import { inSlices } from '../kernel/fs/pace.ts';
import type { SessionContext } from '../session/session-context.ts';
import { lookAt, type Now, readNow, readSide, type SideContent } from './sides.ts';

/** `unread`: too large, or not readable; `moved`: not the entry of the list any more. */
export type TextVerdict = 'hidden' | 'clean' | 'unread' | 'moved';

/** Whether a change writes text of its own. A certain rename has the host's text. */
export function hasNewText({ kind, pending, ignored, renamedFrom }: Change): boolean {
  return pending?.type === 'file' && kind !== 'meta' && ignored === null && renamedFrom === undefined;
}

/** Others may run after each. */
function* oneByOne(changes: readonly Change[]): Generator<Change | null> {
  for (const change of changes) {
    yield change;
    yield null;
  }
}

/** At least one verdict; others until `ms` are over. */
export async function lookForHidden(
  ctx: SessionContext,
  changes: readonly Change[],
  ms: number,
): Promise<Map<string, TextVerdict>> {
  const ends = performance.now() + ms;
  const found = new Map<string, TextVerdict>();
  await inSlices(oneByOne(changes), (change) => {
    found.set(change.id, verdictOf(ctx, change));
    return performance.now() >= ends;
  });
  return found;
}

/** New verdicts take at most `ms`. */
export async function hiddenAmong(
  ctx: SessionContext,
  changes: readonly Change[],
  ms: number,
  known: ReadonlyMap<string, TextVerdict> = new Map(),
): Promise<HiddenFound> {
  const texts = changes.filter(hasNewText);
  const open = texts.filter(({ id }) => !known.has(id));
  const found = open.length === 0 ? known : await lookForHidden(ctx, open, ms);
  const hidden = new Set<string>();
  let unread = 0;
  for (const { id } of texts) {
    const verdict = known.get(id) ?? found.get(id);
    if (verdict === 'hidden') hidden.add(id);
    else if (verdict !== 'clean') unread++;
  }
  return { hidden, unread };
}

function verdictOf(ctx: SessionContext, change: Change): TextVerdict {
  const sides = lookAt(ctx, change);
  if (sides === null) return 'unread';
  const { host, pending } = sides;
  if (!isListed(pending, change.upperIdentity) || !isListed(host, change.hostIdentity)) return 'moved';
  const after = readNow(pending, HIDDEN_FILE_BYTES);
  if (after === null) return 'unread';
  // Most texts have none, whatever the host has.
  if (after.text === null || !addsHidden('', after.text)) return 'clean';
  if (host.entry?.type !== 'file') return 'hidden';
  const before = readNow(host, HIDDEN_FILE_BYTES);
  if (before === null) return 'unread';
  return addsHidden(before.text ?? '', after.text) ? 'hidden' : 'clean';
}

function isListed({ entry }: Now, identity: string | undefined): boolean {
  return identity === undefined || identityOf(entry) === identity;
}

export function searchable(changes: readonly Change[], includeIgnored: boolean): Change[] {
  return changes.filter(
    ({ pending, kind, ignored }) =>
      pending?.type === 'file' && kind !== 'meta' && (includeIgnored || ignored === null),
  );
}

/** `changes` begin after the page before. A page ends when full or after SEARCH_MS. */
export async function searchPending(
  ctx: SessionContext,
  changes: readonly Change[],
  order: Input<'search'>,
): Promise<SearchPage> {
  const page: SearchPage = { hits: [], more: {}, searched: 0, skipped: 0, next: null };
  const ends = performance.now() + SEARCH_MS;
  await inSlices(oneByOne(changes), (change) => {
    searchOne(ctx, change, order, page);
    if (page.hits.length < SEARCH_HITS && performance.now() < ends) return false;
    page.next = page.searched < changes.length ? change.id : null;
    return true;
  });
  return page;
}

function searchOne(ctx: SessionContext, change: Change, order: Input<'search'>, page: SearchPage): void {
  page.searched++;
  const pending = lookAt(ctx, change)?.pending;
  const content = pending === undefined ? null : readNow(pending, SEARCH_FILE_BYTES);
  if (content === null) page.skipped++;
  if (content === null || content.text === null) return;
  const { found, total } = findLines(content.text, order, SEARCH_FILE_HITS);
  const { id: entry, path } = change;
  page.hits.push(...found.map((one): SearchHit => ({ entry, path, ...one })));
  if (total > found.length) page.more[entry] = total - found.length;
}

/** ms; line counts are not worth a longer wait. */
const COMPARE_MS = 100;

export async function lineCounts(ctx: SessionContext, changes: readonly Change[]): Promise<LineCounts> {
  const counts: LineCounts = {};
  for (const change of changes) counts[change.id] = await countOne(ctx, change);
  return counts;
}

async function countOne(ctx: SessionContext, change: Change): Promise<readonly [number, number] | null> {
  const isFile = change.pending?.type === 'file' || change.host?.type === 'file';
  const sides = isFile && change.kind !== 'meta' ? lookAt(ctx, change) : null;
  if (sides === null || !isCounted(sides.host) || !isCounted(sides.pending)) return null;
  const [before, after] = await Promise.all([textOf(sides.host), textOf(sides.pending)]);
  if (before === null || after === null) return null;
  const { added, removed, approximate } = compareTexts(before, after, { timeoutMs: COMPARE_MS });
  return approximate ? null : [added, removed];
}

function isCounted({ entry }: Now): boolean {
  return entry === null || entry.type !== 'file' || entry.size <= COUNTED_BYTES;
}

/** Null when it can't be counted; a side that is no file has no lines. */
async function textOf({ path, real, entry }: Now): Promise<string | null> {
  if (entry?.type !== 'file') return '';
  const side: SideContent = await readSide(path, entry, real);
  return side.state === 'text' ? side.text : null;
}
