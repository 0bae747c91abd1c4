/** What a request for a part of a recording would do. */

import { ApiError } from '../../shared/api/api-error.ts';
import type { Input } from '../../shared/api/contract.ts';
import type { CommitPreview } from '../../shared/api/types.ts';
import { isWithin } from '../../shared/bytes.ts';
import { type Change, countChanges } from '../../shared/model/change.ts';
import { placesOf } from '../../shared/model/change-places.ts';
import type { CommitReport, Scope, Told } from '../../shared/model/commit.ts';
import { massGuard } from '../../shared/model/mass-guard.ts';
import { countRisks } from '../../shared/model/risk.ts';
import type { Effect } from '../../shared/model/rule.ts';
import { writtenBytes } from '../../web/changes/model/tree.ts';
import { isDirectoryChange } from '../../web/text/kinds.ts';
import { effectsOf, fakeHidden } from './contents.ts';
import type { FakeEntry, FakeSession } from './make.ts';
import { fakeTested } from './tested.ts';

export interface Meant {
  changes: Change[];
  /** New directories added by the selection closure; they are among the changes. */
  along: Told[];
}

export function meantBy(
  { list, calls }: FakeSession,
  scope: Scope,
  action: Input<'preview'>['action'],
): Meant {
  if (scope.kind === 'all') return { changes: list.changes, along: [] };
  const chosen = list.changes.filter(
    isMeant(
      scope,
      calls.map(({ id }) => id),
    ),
  );
  if (chosen.length === 0) throw new ApiError('not-found', 'Nothing of it is pending.');
  const needed = list.changes.filter(
    (change) =>
      action === 'commit' &&
      change.kind === 'added' &&
      isDirectoryChange(change) &&
      !chosen.includes(change) &&
      chosen.some(({ path }) => isWithin(path, change.path)),
  );
  const along = needed.map(({ path }) => {
    const held = chosen.find((change) => isWithin(change.path, path));
    return { path, why: `it is the directory that holds ${held?.path}` };
  });
  return { changes: [...needed, ...chosen], along };
}

function isMeant(
  scope: Exclude<Scope, { kind: 'all' }>,
  calls: readonly string[],
): (change: Change) => boolean {
  if (scope.kind === 'paths') return ({ path }) => scope.paths.some((top) => isWithin(path, top));
  const at = calls.indexOf(scope.call);
  const meant = scope.kind === 'call' ? [scope.call] : calls.slice(0, at + 1);
  return ({ by = [] }) => by.length > 0 && by.every((call) => meant.includes(call));
}

export function fakePreview(session: FakeSession, order: Input<'preview'>): CommitPreview {
  const { list, detail } = session;
  const { scope, action, includeIgnored } = order;
  const { changes, along } = meantBy(session, scope, action);
  const counts = countChanges(changes);
  const ignored = changes.filter((change) => change.ignored !== null);
  const marked = (does: Effect['do']) =>
    changes.flatMap((change) => {
      const found = effectsOf(session, change).find((one) => one.do === does);
      return found === undefined || action === 'discard' ? [] : [{ path: change.path, why: found.text }];
    });
  const effects = { flagged: marked('flag'), confirm: marked('confirm'), never: marked('never') };
  const bytesOf = (some: readonly Change[]): number => some.reduce((sum, one) => sum + writtenBytes(one), 0);
  return {
    revision: list.revision,
    scope,
    action,
    along,
    cannot: [],
    writers: [],
    linked: [],
    space: [],
    effects,
    totals: {
      ...{ along: along.length, cannot: 0, writers: 0, linked: 0, never: effects.never.length },
      ...{ flagged: effects.flagged.length, confirm: effects.confirm.length },
    },
    counts,
    ...(action === 'commit' && scope.kind === 'all' ? { times: list.times } : {}),
    places: placesOf(changes, detail, includeIgnored),
    bytes: bytesOf(changes) - (includeIgnored ? 0 : bytesOf(ignored)),
    conflicts: changes
      .filter((change) => change.conflict !== null && action === 'commit')
      .map((change) => ({
        id: change.id,
        path: change.path,
        reason: change.conflict ?? '',
        ...(session.entries.get(change.id)?.texts?.base == null ? {} : { merge: true as const }),
      })),
    risks: countRisks(changes, {
      ...detail,
      hidden: new Set(action === 'commit' ? fakeHidden(session).hidden : []),
    }),
    unread: 0,
    ignored: { count: ignored.length, bytes: bytesOf(ignored) },
    guard: action === 'commit' ? massGuard(detail, { ...list, changes }, includeIgnored) : null,
    undo: { bytes: 0, maxBytes: 2 * 1024 ** 3 },
    processes: detail.processes,
    live: detail.live,
    ...(action === 'commit' ? { tested: fakeTested(session, changes) } : {}),
  };
}

/** The report of a commit that the user stopped before anything was applied. */
export function stoppedReport(n: number, taken: readonly FakeEntry[]): CommitReport {
  return {
    n,
    state: 'partial',
    applied: 0,
    bytes: 0,
    kept: 0,
    ignored: 0,
    failed: [],
    notApplied: taken.map(({ change }) => change.path),
    copies: false,
    cancelled: true,
    ms: 90,
  };
}
