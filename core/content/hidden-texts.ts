/** Looks into the pending texts of a list for hidden characters that the host's versions have not. */
import { HIDDEN_FILE_BYTES } from '../../shared/limits.ts';
import type { Change } from '../../shared/model/change.ts';
import type { HiddenFound } from '../../shared/model/risk.ts';
import { addsHidden } from '../../shared/text/hidden-characters.ts';
import { identityOf } from '../kernel/fs/entry.ts';
import { inSlices } from '../kernel/fs/slices.ts';
import type { SessionContext } from '../session/session-context.ts';
import { readNow } from './read-now.ts';
import { lookAt, type Now } from './sides.ts';

/**
 * - `hidden`, `clean`: what the change adds was looked at
 * - `unread`: a text that is too large, or that can't be read
 * - `moved`: not what the list speaks of any more; another look may tell
 */
export type TextVerdict = 'hidden' | 'clean' | 'unread' | 'moved';

/** The entries whose text a change writes. What is certain to be a rename has the text that the host has. */
export function hasNewText({ kind, pending, ignored, renamedFrom }: Change): boolean {
  return pending?.type === 'file' && kind !== 'meta' && ignored === null && renamedFrom === undefined;
}

/** What was found, by entry id, in the order of the list, until `ms` are over: one of them at least. */
export async function lookForHidden(
  ctx: SessionContext,
  changes: readonly Change[],
  ms: number,
): Promise<Map<string, TextVerdict>> {
  const ends = performance.now() + ms;
  const found = new Map<string, TextVerdict>();
  function* steps(): Generator<Change | null> {
    for (const change of changes) {
      yield change;
      yield null;
    }
  }
  await inSlices(steps(), (change) => {
    found.set(change.id, verdictOf(ctx, change));
    return performance.now() >= ends;
  });
  return found;
}

/** All that is to be said of these changes. What is not known is looked at now, as far as `ms` go. */
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
  // Most texts have none at all: then it does not matter what the host has.
  if (after.text === null || !addsHidden('', after.text)) return 'clean';
  if (host.entry?.type !== 'file') return 'hidden';
  const before = readNow(host, HIDDEN_FILE_BYTES);
  if (before === null) return 'unread';
  return addsHidden(before.text ?? '', after.text) ? 'hidden' : 'clean';
}

function isListed({ entry }: Now, identity: string | undefined): boolean {
  return identity === undefined || identityOf(entry) === identity;
}
