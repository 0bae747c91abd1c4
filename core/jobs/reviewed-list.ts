/** The list that a request is about: what the user reviewed, as it is now. */
import type { BytePath } from '../../shared/bytes.ts';
import { type ChangeList, sameRevision } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { staleList } from '../commit/messages.ts';
import { type Chosen, choose } from '../commit/plan/scope.ts';
import type { LiveSession } from '../sandbox/lock.ts';
import { type Fingerprints, staleAmong } from '../scan/cache/fingerprints.ts';
import { scan } from '../scan/scan.ts';
import type { SessionContext } from '../session/session-context.ts';
import { readSpans, scanWritten } from './written.ts';

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

/** Scans; with the writers of each change where the scope is about calls. */
export async function scanFor(ctx: SessionContext, scope: Scope): Promise<ChangeList> {
  return isAboutCalls(scope) ? await scanWritten(ctx) : await scan(ctx);
}

/**
 * What a scope means in a list whose changes name their writers, as far as it is about calls.
 *
 * @throws TraiError `not-found` when it means nothing that is pending
 */
export async function chosenOf(ctx: SessionContext, list: ChangeList, scope: Scope): Promise<Chosen> {
  const spans = isAboutCalls(scope) ? (await readSpans(ctx.sessionDir)).spans() : [];
  return choose(
    list,
    scope,
    spans.map(({ call }) => call),
  );
}

/** With the files of which only the time differs: a path that is committed means these below it as well. */
export function withTimes(list: ChangeList, { kind }: Scope): ChangeList {
  if (kind !== 'paths' || list.timed === undefined) return list;
  return { ...list, changes: [...list.changes, ...list.timed] };
}

function isAboutCalls({ kind }: Scope): boolean {
  return kind === 'call' || kind === 'up-to';
}
