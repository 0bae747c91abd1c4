/** All copies of a commit: where they go, making them, and what the journal says of each. */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { identityOf, isSame } from '../../kernel/fs/stat-identity.ts';
import type { Viewer } from '../../overlay/viewer.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { Journal, Transaction } from '../journal/journal.ts';
import type { ImageKind } from '../journal/unit.ts';
import type { Areas } from './areas.ts';
import { type CheckedStep, type CheckTools, type Findings, failStep } from './check-steps.ts';
import { type Merges, mergedEntry } from './merges.ts';
import { type Overrides, overridesOf } from './overrides.ts';
import { type Copy, checkStaged, copyArea, type Prepared } from './stage.ts';
import { unitOf } from './unit-of-step.ts';

/** A commit that is being staged, and what works on it. */
export interface Staging extends CheckTools, Transaction {
  areas: Areas;
  live: boolean;
}

/** For each step that puts something in place, the directory to stage in; steps without one fail. */
export function chooseBases(areas: Areas, findings: Findings): Map<CheckedStep, BytePath> {
  const bases = new Map<CheckedStep, BytePath>();
  findings.checked = findings.checked.filter((one) => {
    if (one.step.op !== 'put' && one.step.op !== 'swap') return true;
    const { base, message } = baseFor(areas, one);
    if (base === null) failStep(one.step, message, findings.failed);
    else bases.set(one, base);
    return base !== null;
  });
  return bases;
}

function baseFor(areas: Areas, { step }: CheckedStep): { base: BytePath | null; message: string } {
  try {
    const message = 'its directory on the host is missing or can not be written';
    return { base: areas.baseFor(parentOf(step.change.path)), message };
  } catch (error) {
    const message = entryMessage(error);
    if (message === null) throw error;
    return { base: null, message };
  }
}

/** Copies every step of `bases` out of the merged view and checks the copies; what fails is added to `findings`. */
export async function copyAll(
  work: Staging,
  list: ChangeList,
  findings: Findings,
  bases: ReadonlyMap<CheckedStep, BytePath>,
  viewer: Viewer,
): Promise<Map<CheckedStep, Copy>> {
  const prepared = prepare(work, list, findings, bases);
  const copies = new Map<CheckedStep, Copy>();
  for (const area of work.areas.all) {
    const mine = [...prepared].filter(([, one]) => one.area === area);
    const from = viewer.pathOf(area.base);
    const complaint = await copyArea(
      work.port,
      area,
      from,
      mine.map(([, one]) => one),
    );
    for (const [looked, one] of mine) {
      const changed = work.live ? changedMeanwhile(work, one) : new Set<BytePath>();
      const { born, failed, left } = await checkStaged(work.port, one, changed, complaint, work.pace);
      for (const [path, message] of failed) findings.failed.set(path, message);
      if (born !== null) copies.set(looked, { prepared: one, born, left });
      else failStep(one.step, complaint || 'it could not be copied', findings.failed);
    }
  }
  findings.checked = findings.checked.filter((one) => !prepared.has(one) || copies.has(one));
  return copies;
}

function prepare(
  { areas, journal }: Staging,
  list: ChangeList,
  findings: Findings,
  bases: ReadonlyMap<CheckedStep, BytePath>,
): Map<CheckedStep, Prepared> {
  const prepared = new Map<CheckedStep, Prepared>();
  const tops = new Map<BytePath, BytePath[]>();
  const going = new Set<BytePath>();
  for (const [one, base] of bases) {
    const area = areas.areaAt(base, (dir, name) => {
      journal.add({ t: 'stage', base: dir, name });
      journal.sync();
    });
    const members = one.step.members.filter(({ path }) => !findings.failed.has(path));
    for (const { path } of members) going.add(path);
    const excluded: BytePath[] = [];
    if (one.step.change.pending?.type === 'dir') tops.set(one.step.change.path, excluded);
    prepared.set(one, { step: { ...one.step, members }, upper: one.upper, area, excluded });
  }
  for (const { path, pending } of list.changes) {
    if (pending === null || going.has(path)) continue;
    for (let dir = parentOf(path); dir !== '/'; dir = parentOf(dir)) tops.get(dir)?.push(path);
  }
  return prepared;
}

/** Entries that a running process has written to since they were looked at: their copies may be torn. */
function changedMeanwhile({ uppers }: Staging, { step, upper }: Prepared): Set<BytePath> {
  const changed = new Set<BytePath>();
  for (const { path } of step.members) {
    const before = upper.get(path);
    if (before !== undefined && !isSame(identityOf(before), uppers.lstat(path))) changed.add(path);
  }
  return changed;
}

interface Staged {
  copies: ReadonlyMap<CheckedStep, Copy>;
  /** They are not copied; see moves.ts. */
  moves: ReadonlySet<CheckedStep>;
  /** Null = no before-images are kept. */
  images: ReadonlyMap<CheckedStep, ImageKind> | null;
  overrides: Overrides;
  merges: Merges;
}

/**
 * Writes one `unit` line for each step that goes on, in the order in which they are applied: first what is moved, since that
 * may turn out to be impossible only then, and nothing else of its group is to be on the host.
 */
export function writeUnits(ctx: SessionContext, journal: Journal, findings: Findings, staged: Staged): void {
  const { copies, moves, images, overrides, merges } = staged;
  const { failed } = findings;
  findings.checked = findings.checked.toSorted((a, b) => Number(moves.has(b)) - Number(moves.has(a)));
  findings.checked.forEach((one, i) => {
    const merge = merges.get(one.step.change.path);
    const unit = unitOf(ctx, journal.record.n, i, {
      ...{ one, failed, moved: moves.has(one), copy: copies.get(one), image: images?.get(one) },
      merged: merge === undefined ? undefined : mergedEntry(merge),
      overrides: overridesOf(overrides, one.step, failed),
    });
    journal.add(unit);
  });
}
