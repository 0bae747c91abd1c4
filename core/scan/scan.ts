/**
 * The change list of a session: what its uppers would do to the host. Reads only.
 *
 *     for each entry of each upper (walk.ts):
 *       whiteout                     -> deleted, with everything below
 *       opaque directory             -> dir-replaced; what the host has below it is deleted
 *       on the host, the same type   -> compare content, mode, owner with host and base record (judge.ts)
 *       else                         -> added or replaced
 *     ask the viewer where the upper alone does not tell
 *     compare extended attributes in one question (judge.ts)
 *     drop conflicts whose content is the same again (refine.ts)
 *     group what must stay together; find database files that the host changed
 *     pair certain renames
 *
 * cache/ proves that a list is still current and keeps counts; lookup/ answers about single paths without a
 * scan; reap.ts removes untouched copy-ups from a quiet upper.
 */
import { createHash } from 'node:crypto';
import { toDisplay } from '../../shared/bytes.ts';
import { type Change, type ChangeList, countChanges } from '../../shared/model/change.ts';
import { goesWithOthers, setGroups, spreadGroupConflicts } from '../../shared/model/conflict.ts';
import { byBytes } from '../kernel/fs/entry.ts';
import { collect, inSlices } from '../kernel/fs/pace.ts';
import { useAndCloseAsync } from '../kernel/fs/port.ts';
import { readBases } from '../overlay/bases.ts';
import { openViewer, type Viewer } from '../overlay/viewer.ts';
import type { SessionContext } from '../session/session-context.ts';
import { fingerprintText } from './cache/fingerprints.ts';
import type { ScanTrace } from './cache/unchanged.ts';
import { ChangeMaker } from './judge.ts';
import { findMovedPartners, findRenames, forgiveSame } from './refine.ts';
import { type Steps, Walk } from './walk.ts';

/**
 * May run beside a live session and in a worker thread.
 * @param trace begun right before; records what is read
 * @throws TraiError `unsupported` when the merged view is needed and can't be mounted
 */
export async function scan(ctx: SessionContext, trace?: ScanTrace): Promise<ChangeList> {
  const bases = await readBases(ctx);
  const walk = new Walk(ctx, new ChangeMaker(ctx, bases));
  const found: Change[] = [];
  const keep = (one: Change) => {
    found.push(one);
    return false;
  };
  await run(ctx, walk, keep, trace);
  await collect(forgiveSame(ctx, found, bases));
  const list = trace?.during(() => listOf(ctx, walk, found)) ?? listOf(ctx, walk, found);
  await collect(findRenames(ctx, list.changes));
  return list;
}

/** As exact as a scan, but stops at the first change. Counts what can't be read. Throws as `scan`. */
export async function hasPending(ctx: SessionContext): Promise<boolean> {
  const walk = new Walk(ctx, new ChangeMaker(ctx, await readBases(ctx)));
  return (await run(ctx, walk, ({ ignored }) => ignored === null)) || walk.problems.length > 0;
}

async function run(
  ctx: SessionContext,
  walk: Walk,
  take: (one: Change) => boolean,
  trace?: ScanTrace,
): Promise<boolean> {
  const part = async (steps: Steps) => await inSlices(trace?.along(steps) ?? steps, take);
  if (await part(walk.walkUppers())) return true;
  if (walk.needsViewer) {
    const answers = async (viewer: Viewer) => await part(walk.answerQuestions(viewer));
    if (await useAndCloseAsync(await openViewer(ctx), answers)) return true;
  }
  return await part(walk.attributes.compare());
}

function listOf(ctx: SessionContext, walk: Walk, found: Change[]): ChangeList {
  found.sort((a, b) => byBytes(a.path, b.path));
  const changes = withHolders(found, walk.holders);
  findMovedPartners(ctx, changes);
  setGroups(changes);
  spreadGroupConflicts(changes);
  const ignored = changes.filter((change) => change.ignored !== null);
  const kept = changes.filter((change) => change.ignored === null);
  const times = timesOf(walk, changes);
  return {
    session: ctx.session,
    revision: revisionOf(changes, times.timed),
    at: new Date().toISOString(),
    changes,
    counts: countChanges(changes),
    bytes: bytesOf(kept),
    ignored: { count: ignored.length, bytes: bytesOf(ignored) },
    conflicts: kept.filter((change) => change.conflict !== null).length,
    ...times,
    problems: walk.problems.map(({ path, message }) => ({ path: toDisplay(path), message })),
  };
}

/** The list already has those whose attributes differ too. */
function timesOf(walk: Walk, changes: readonly Change[]): Pick<ChangeList, 'timed' | 'times'> {
  if (walk.attributes.times.length === 0) return {};
  const listed = new Set(changes.map(({ path }) => path));
  const timed = walk.attributes.times.filter(({ path }) => !listed.has(path));
  return timed.length === 0 ? {} : { timed, times: timed.length };
}

function withHolders(sorted: Change[], holders: readonly Change[]): Change[] {
  const needed = holders.filter((holder) => {
    const prefix = `${holder.path}/`;
    const next = sorted[firstFrom(sorted, prefix)];
    return next?.path.startsWith(prefix) === true;
  });
  if (needed.length === 0) return sorted;
  return [...sorted, ...needed].sort((a, b) => byBytes(a.path, b.path));
}

function firstFrom(sorted: readonly Change[], path: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `entries-ignored`: ignored entries and times alone do not make a reviewed list stale. */
function revisionOf(changes: readonly Change[], timed: readonly Change[] = []): string {
  const kept = createHash('sha256');
  const ignored = createHash('sha256');
  const goes = goesWithOthers(changes);
  for (const change of changes) {
    const hash = change.ignored === null || goes(change) ? kept : ignored;
    hash.update(fingerprintText(change), 'latin1');
  }
  for (const change of timed) ignored.update(fingerprintText(change), 'latin1');
  return `${kept.digest('hex').slice(0, 32)}-${ignored.digest('hex').slice(0, 32)}`;
}

/** What the changes write, in bytes. */
export function bytesOf(changes: readonly Change[]): number {
  return changes.reduce((sum, { kind, pending }) => sum + (kind === 'meta' ? 0 : (pending?.size ?? 0)), 0);
}
