/** The change list of a session: what its uppers would do to the host. */
import { createHash } from 'node:crypto';
import { toDisplay } from '../../bytes.ts';
import type { SessionContext } from '../../sandbox/types.ts';
import { goesWithOthers, setGroups, spreadGroupConflicts } from '../conflict.ts';
import { type Change, type ChangeList, countChanges } from '../model.ts';
import { readBases } from './bases.ts';
import { byBytes } from './entry.ts';
import { type Found, FoundMaker } from './found.ts';
import type { Looks } from './looks.ts';
import { findMovedPartners } from './partners.ts';
import { findRenames } from './renames.ts';
import { forgiveSame } from './same-again.ts';
import { inSlices } from './slices.ts';
import { openViewer } from './viewer.ts';
import { Walk } from './walk.ts';
import type { Steps } from './walk-parts.ts';

/**
 * Walks the uppers and compares them with the host. Reads only; may run beside a live session and in a worker thread.
 * @param looks begun right before; hears of everything that is looked at
 * @throws TraiError `unsupported` when the merged view is needed and can't be mounted
 */
export async function scan(ctx: SessionContext, looks?: Looks): Promise<ChangeList> {
  const along = (steps: Steps): Iterable<Found | null> => looks?.along(steps) ?? steps;
  const bases = await readBases(ctx);
  const walk = new Walk(ctx, new FoundMaker(ctx, bases));
  const found: Found[] = [];
  const keep = (one: Found) => {
    found.push(one);
    return false;
  };
  await inSlices(along(walk.walkUppers()), keep);
  if (walk.needsViewer) {
    const viewer = await openViewer(ctx);
    try {
      await inSlices(along(walk.answerQuestions(viewer)), keep);
    } finally {
      await viewer.close();
    }
  }
  await inSlices(along(walk.compareAttributes()), keep);
  const changes = found.map(({ change }) => change);
  await inSlices(forgiveSame(ctx, changes, bases), keep);
  const list = looks?.during(() => listOf(ctx, walk, found)) ?? listOf(ctx, walk, found);
  await inSlices(findRenames(ctx, list.changes), keep);
  return list;
}

/**
 * Whether some change exists that is not ignored: as exact as a scan, and done at the first one. What could not be read
 * counts as one.
 * @throws TraiError as `scan`
 */
export async function hasPending(ctx: SessionContext): Promise<boolean> {
  const walk = new Walk(ctx, new FoundMaker(ctx, await readBases(ctx)));
  const counts = (one: Found) => one.change.ignored === null;
  if (await inSlices(walk.walkUppers(), counts)) return true;
  if (walk.needsViewer) {
    const viewer = await openViewer(ctx);
    try {
      if (await inSlices(walk.answerQuestions(viewer), counts)) return true;
    } finally {
      await viewer.close();
    }
  }
  return walk.problems.length > 0 || (await inSlices(walk.compareAttributes(), counts));
}

function listOf(ctx: SessionContext, walk: Walk, found: Found[]): ChangeList {
  found.sort((a, b) => byBytes(a.change.path, b.change.path));
  const all = withHolders(found, walk.holders);
  const changes = all.map((one) => one.change);
  findMovedPartners(ctx, changes);
  setGroups(changes);
  spreadGroupConflicts(changes);
  const ignored = changes.filter((change) => change.ignored !== null);
  const kept = changes.filter((change) => change.ignored === null);
  return {
    session: ctx.session,
    revision: revisionOf(all),
    at: new Date().toISOString(),
    changes,
    counts: countChanges(changes),
    bytes: bytesOf(kept),
    ignored: { count: ignored.length, bytes: bytesOf(ignored) },
    conflicts: kept.filter((change) => change.conflict !== null).length,
    problems: walk.problems.map(({ path, message }) => ({ path: toDisplay(path), message })),
  };
}

/** Adds the directories that are needed only for what is below them. */
function withHolders(sorted: Found[], holders: readonly Found[]): Found[] {
  const needed = holders.filter((holder) => {
    const prefix = `${holder.change.path}/`;
    const next = sorted[firstFrom(sorted, prefix)];
    return next?.change.path.startsWith(prefix) === true;
  });
  if (needed.length === 0) return sorted;
  return [...sorted, ...needed].sort((a, b) => byBytes(a.change.path, b.change.path));
}

function firstFrom(sorted: readonly Found[], path: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.change.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Two parts, `entries-ignored`: noise in an ignored cache does not outdate the list that a person reviews. Ignored
 * entries that go with others belong to those.
 */
function revisionOf(found: readonly Found[]): string {
  const kept = createHash('sha256');
  const ignored = createHash('sha256');
  const goes = goesWithOthers(found.map(({ change }) => change));
  for (const { change, identity } of found) {
    const hash = change.ignored === null || goes(change) ? kept : ignored;
    hash.update(`${change.path}\0${change.kind} ${identity}\0`, 'latin1');
  }
  return `${kept.digest('hex').slice(0, 32)}-${ignored.digest('hex').slice(0, 32)}`;
}

function bytesOf(changes: readonly Change[]): number {
  let bytes = 0;
  for (const { kind, pending } of changes) if (kind !== 'meta' && pending !== null) bytes += pending.size;
  return bytes;
}
