/**
 * Conflicts that were decided for the sandbox. The commit writes down what they were, by which an undo makes them conflicts
 * again, and a redo knows that it is the same decision.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord, BaseState } from '../../../shared/model/base-record.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { CommitRequest } from '../../../shared/model/commit.ts';
import { conflictOf } from '../../../shared/model/conflict.ts';
import { lstatEntry, toHostStat } from '../../kernel/fs/entry.ts';
import { isAsLeft } from '../../kernel/fs/fingerprint.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { readBases } from '../../overlay/bases.ts';
import { isSameDatabase, partnerMovedSince, partnersOf } from '../../scan/refine.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { CommitRecord, Journal } from '../journal/journal.ts';
import type { Override } from '../journal/unit.ts';
import { lastResults } from '../plan/last-results.ts';
import type { CommitPlan, Step } from '../plan/plan.ts';
import type { Merges } from './merges.ts';

export type Overrides = ReadonlyMap<BytePath, Override>;

/** What a plan takes although the host has what the sandbox never saw. A merge writes down the same by itself. */
export async function collectOverrides(
  ctx: SessionContext,
  { steps }: CommitPlan,
  merges: Merges,
): Promise<Overrides> {
  const taken = new Map<BytePath, Override>();
  const against = steps
    .flatMap(({ members, below }) => [...members, ...below])
    .filter(({ conflict, path }) => conflict !== null && !merges.has(path));
  if (against.length === 0) return taken;
  const bases = await readBases(ctx);
  const ownGroups = new Set<string | null>();
  for (const change of against) {
    const base = ownBase(change, bases.lookup(change.path));
    if (base !== null) ownGroups.add(change.group);
    taken.set(change.path, { path: change.path, ...(base === null ? {} : { base }) });
  }
  for (const { path, group } of against) {
    // What is in conflict by its group is so again by itself. By a log beside it, of which no record says anything, it is not.
    const isByGroup = group !== null && ownGroups.has(group);
    if (taken.get(path)?.base === undefined && !isByGroup)
      taken.set(path, { path, base: { state: 'unknown' } });
  }
  return taken;
}

/** The record by which the change is in conflict; null when it is not by its own. */
function ownBase({ path, conflict }: Change, base: BaseState): BaseRecord['base'] | null {
  if (conflict === 'host-parent-gone') return { state: 'absent' };
  if (base.state === 'none') return conflict === 'unknown-base' ? { state: 'unknown' } : null;
  const now = lstatEntry(path);
  const host = now === null ? null : toHostStat(now, path);
  return conflictOf({ base, host, since: 0n, parentGone: false, below: false }) === null ? null : base;
}

/** What of a step is to stand in its unit. */
export function overridesOf(
  overrides: Overrides,
  { members, below }: Step,
  failed: ReadonlyMap<BytePath, string>,
) {
  if (overrides.size === 0) return [];
  return [...members, ...below].flatMap(({ path }) => {
    const one = failed.has(path) ? undefined : overrides.get(path);
    return one === undefined ? [] : [one];
  });
}

/** Paths of a commit that were taken against a conflict, and that an undo has taken back. */
function revertedOverrides({ units, undone }: CommitRecord): BytePath[] {
  return units
    .flatMap(({ i, overrides }) => (undone.has(i) ? (overrides ?? []) : []))
    .map(({ path }) => path);
}

/** Writes down what an undo leaves beside databases: no time tells later that one of those files is gone. */
export function noteBeside(journal: Journal, commit: CommitRecord): void {
  const paths = [...new Set(revertedOverrides(commit).flatMap(partnersOf))];
  if (paths.length > 0) journal.add({ t: 'beside', paths });
}

function isPartnerGone(path: BytePath, beside: readonly BytePath[]): boolean {
  const now = new Set(partnersOf(path));
  return beside.some((other) => isSameDatabase(path, other) && !now.has(other));
}

/**
 * The choices by which a redo decides again what the undone commit had decided: of exactly those entries that the host has
 * not changed since the undo.
 */
export function choicesOfRedo(
  port: FsPort,
  ctx: SessionContext,
  changes: readonly Change[],
  undo: CommitRecord,
  commit: CommitRecord | null,
): CommitRequest['choices'] {
  const choices: CommitRequest['choices'] = {};
  const taken = new Set(commit === null ? [] : revertedOverrides(commit));
  if (taken.size === 0) return choices;
  const left = lastResults(port, ctx, undo);
  for (const { id, path, conflict, xattrs } of changes) {
    const then = left.get(path);
    if (conflict === null || !taken.has(path) || then === undefined) continue;
    const now = port.lstat(path);
    if (then.endedAt === null || !isAsLeft(then.id, now, then.endedAt, then.stamp)) continue;
    const end = BigInt(then.endedAt) * 1_000_000n;
    if (partnerMovedSince(path, end) || isPartnerGone(path, undo.beside)) continue;
    // Stricter than an undo, of which another name of the file that goes is none of its business: in doubt the person is asked.
    if (now !== null && now.type !== 'dir' && now.ctimeNs > end) continue;
    // A directory's identity does not tell its attributes.
    if (xattrs === true && now?.type === 'dir' && port.xattrsOf([path])[0] !== then.xattrs) continue;
    choices[id] = 'take-sandbox';
  }
  return choices;
}
