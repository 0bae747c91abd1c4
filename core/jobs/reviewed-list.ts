/** The list that a request is about: what the user reviewed, as it is now. */
import type { BytePath } from '../../shared/bytes.ts';
import { type ChangeList, sameRevision } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { staleList } from '../commit/messages.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { type Fingerprints, staleAmong } from '../scan/cache/fingerprints.ts';
import { scanFor } from './scope-list.ts';

/** What a request says of the list that it is about. */
interface Reviewed {
  scope: Scope;
  revision: string | null;
  includeIgnored: boolean;
  /** Of the list of that revision, where it is known. */
  fingerprints?: Fingerprints | undefined;
}

/**
 * Scans. What is applied or dropped is what the user saw: of a list that has moved on only the entries that
 * are not `stale`, or nothing where it is not known which these are. Who saw none means what is pending now.
 */
export async function reviewedList(
  session: LiveSession,
  { scope, revision, includeIgnored, fingerprints }: Reviewed,
): Promise<{ list: ChangeList; stale?: ReadonlySet<BytePath> }> {
  const list = await scanFor(session, scope);
  if (revision === null || sameRevision(list.revision, revision, includeIgnored)) return { list };
  const stale = fingerprints === undefined ? null : staleAmong(list.changes, fingerprints);
  // Where nothing that was reviewed is left, there is nothing to apply of it.
  if (stale !== null && stale.size < list.changes.length) return { list, stale };
  throw staleList({ revision: list.revision });
}
