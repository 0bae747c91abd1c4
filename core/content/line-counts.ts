/** How many lines of an entry are new and gone, for the rows that a person has in sight. */
import type { LineCounts } from '../../shared/api/types.ts';
import { COUNTED_BYTES } from '../../shared/limits.ts';
import type { Change } from '../../shared/model/change.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import type { SessionContext } from '../session/session-context.ts';
import { readSide, type SideContent } from './read-side.ts';
import { lookAt, type Now } from './sides.ts';

/** A number beside a name is not worth waiting for (ms). */
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

/** Null when that side has no text to count; a side that is no file has no lines. */
async function textOf({ path, real, entry }: Now): Promise<string | null> {
  if (entry?.type !== 'file') return '';
  const side: SideContent = await readSide(path, entry, real);
  return side.state === 'text' ? side.text : null;
}
