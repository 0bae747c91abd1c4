/**
 * Overrides: conflicts that were decided for the sandbox. The commit journals their base records, by which an
 * undo makes them conflicts again and a redo recognises the same decision.
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
import { type CommitPlan, changesOf, type Step } from '../plan/plan.ts';
import type { Merges } from './merges.ts';

export type Overrides = ReadonlyMap<BytePath, Override>;

/** The conflicts that a plan overrides. A merge journals its own base. */
export async function collectOverrides(
  ctx: SessionContext,
  { steps }: CommitPlan,
  merges: Merges,
): Promise<Overrides> {
  const taken = new Map<BytePath, Override>();
  const against = steps
    .flatMap(changesOf)
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
    // A conflict by the group recurs by itself, unless it comes from a database log that has no base record.
    const isByGroup = group !== null && ownGroups.has(group);
    if (taken.get(path)?.base === undefined && !isByGroup)
      taken.set(path, { path, base: { state: 'unknown' } });
  }
  return taken;
}

function ownBase({ path, conflict }: Change, base: BaseState): BaseRecord['base'] | null {
  if (conflict === 'host-parent-gone') return { state: 'absent' };
  if (base.state === 'none') return conflict === 'unknown-base' ? { state: 'unknown' } : null;
  const now = lstatEntry(path);
  const host = now === null ? null : toHostStat(now, path);
  return conflictOf({ base, host, since: 0n, parentGone: false, below: false }) === null ? null : base;
}

export function overridesOf(overrides: Overrides, step: Step, failed: ReadonlyMap<BytePath, string>) {
  if (overrides.size === 0) return [];
  return changesOf(step).flatMap(({ path }) => {
    const one = failed.has(path) ? undefined : overrides.get(path);
    return one === undefined ? [] : [one];
  });
}

function revertedOverrides({ units, undone }: CommitRecord): BytePath[] {
  return units
    .flatMap(({ i, overrides }) => (undone.has(i) ? (overrides ?? []) : []))
    .map(({ path }) => path);
}

/** Journals the files that an undo leaves beside databases: no time stamp reveals later that one is gone. */
export function noteBeside(journal: Journal, commit: CommitRecord): void {
  const paths = [...new Set(revertedOverrides(commit).flatMap(partnersOf))];
  if (paths.length > 0) journal.add({ t: 'beside', paths });
}

function isPartnerGone(path: BytePath, beside: readonly BytePath[]): boolean {
  const now = new Set(partnersOf(path));
  return beside.some((other) => isSameDatabase(path, other) && !now.has(other));
}

/** The choices by which a redo repeats overrides, where the host has not changed since the undo. */
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
    // Stricter than an undo, which ignores a change of the link count: in doubt the user decides.
    if (now !== null && now.type !== 'dir' && now.ctimeNs > end) continue;
    // A directory's fingerprint does not contain its attributes.
    if (xattrs === true && now?.type === 'dir' && port.xattrsOf([path])[0] !== then.xattrs) continue;
    choices[id] = 'take-sandbox';
  }
  return choices;
}
