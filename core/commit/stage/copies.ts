/** All copies of a commit: where they go, making them, and what the journal says of each. */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import type { FsPort, Pace } from '../../kernel/fs/port.ts';
import { identityOf, isSame } from '../../kernel/fs/stat-identity.ts';
import type { Viewer } from '../../overlay/viewer.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { Journal } from '../journal/journal-file.ts';
import { leftAs } from '../journal/left-entry.ts';
import type { ImageKind } from '../journal/lines.ts';
import { type Areas, asideName } from './areas.ts';
import { type Merges, printOfMerge } from './merges.ts';
import { type Findings, failStep, type Looked } from './prepare.ts';
import { type Copy, checkStaged, copyArea, type Prepared } from './stage.ts';
import { type Taken, takenIn } from './taken.ts';
import { unitOf } from './unit-line.ts';
import type { Uppers } from './uppers.ts';

export interface Copying {
  port: FsPort;
  ctx: SessionContext;
  areas: Areas;
  uppers: Uppers;
  journal: Journal;
  live: boolean;
  pace: Pace;
}

/** For each step that puts something in place, the directory to stage in; steps without one fail. */
export function chooseBases(areas: Areas, findings: Findings): Map<Looked, BytePath> {
  const bases = new Map<Looked, BytePath>();
  findings.looked = findings.looked.filter((one) => {
    if (one.step.op !== 'put' && one.step.op !== 'swap') return true;
    const { base, message } = baseFor(areas, one);
    if (base === null) failStep(one.step, message, findings.failed);
    else bases.set(one, base);
    return base !== null;
  });
  return bases;
}

function baseFor(areas: Areas, { step }: Looked): { base: BytePath | null; message: string } {
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
  work: Copying,
  list: ChangeList,
  findings: Findings,
  bases: ReadonlyMap<Looked, BytePath>,
  viewer: Viewer,
): Promise<Map<Looked, Copy>> {
  const prepared = prepare(work, list, findings, bases);
  const copies = new Map<Looked, Copy>();
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
  findings.looked = findings.looked.filter((one) => !prepared.has(one) || copies.has(one));
  return copies;
}

function prepare(
  { areas, journal }: Copying,
  list: ChangeList,
  findings: Findings,
  bases: ReadonlyMap<Looked, BytePath>,
): Map<Looked, Prepared> {
  const prepared = new Map<Looked, Prepared>();
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
function changedMeanwhile({ uppers }: Copying, { step, upper }: Prepared): Set<BytePath> {
  const changed = new Set<BytePath>();
  for (const { path } of step.members) {
    const before = upper.get(path);
    if (before !== undefined && !isSame(identityOf(before), uppers.lstat(path))) changed.add(path);
  }
  return changed;
}

interface Staged {
  copies: ReadonlyMap<Looked, Copy>;
  /** They are not copied; see moves.ts. */
  moves: ReadonlySet<Looked>;
  /** Null = no before-images are kept. */
  images: ReadonlyMap<Looked, ImageKind> | null;
  taken: Taken;
}

/**
 * Writes one `unit` line for each step that goes on, in the order in which they are applied: first what is moved, since that
 * may turn out to be impossible only then, and nothing else of its group is to be on the host.
 */
export function writeUnits(
  ctx: SessionContext,
  journal: Journal,
  findings: Findings,
  { copies, moves, images, taken }: Staged,
  merges: Merges,
): void {
  const { n } = journal.record;
  findings.looked = findings.looked.toSorted((a, b) => Number(moves.has(b)) - Number(moves.has(a)));
  findings.looked.forEach((one, i) => {
    const unit = unitOf(ctx, one, i, findings.failed, moves.has(one));
    const copy = copies.get(one);
    if (copy !== undefined) {
      unit.stage = copy.prepared.area.index;
      unit.rel = relativeTo(copy.prepared.area.base, unit.path);
      unit.born = copy.born;
      unit.aside = unit.op === 'swap' ? asideName(ctx.session, n, i) : null;
    }
    const image = images?.get(one);
    if (image !== undefined) unit.image = image;
    const merge = merges.get(unit.path);
    if (merge !== undefined) {
      const { id, base, conflicts } = merge;
      const marks = conflicts > 0 ? { marks: conflicts } : {};
      unit.merged = { id, base, print: printOfMerge(merge), ...marks };
    }
    const against = takenIn(taken, one.step, findings.failed);
    if (against.length > 0) unit.taken = against;
    journal.add(unit);
    if (images === null) return;
    if (unit.moved === true) journal.add({ t: 'left', i, entries: [], moved: true });
    else journal.add({ t: 'left', i, entries: copy?.left ?? [leftAs(unit)] });
  });
}
