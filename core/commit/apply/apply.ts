/**
 * Rolls a transaction forward from `ready` to `applied`. Idempotent.
 *
 *     for each unit without `done`, in order:
 *       unit-applier.ts  apply it by held descriptors; recognise what an earlier run has done
 *       images.ts        keep the before-image: the old inode if no process can write to it, else a copy
 *       stamps.ts        the line `done`, with the change time of the entry
 *     an error about one entry fails its unit and group; any other stops, with the journal open
 *     restore modes, sync the host, write `applied`, remove the staging directories
 */
import { type BytePath, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { messageOf } from '../../../shared/errors.ts';
import type { CommitReport, EntryFailure } from '../../../shared/model/commit.ts';
import { type Dirs, removeTree } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { typeOf } from '../../kernel/fs/fingerprint.ts';
import { Pace } from '../../kernel/fs/pace.ts';
import {
  at,
  errorCode,
  type FsPort,
  orIfRefused,
  orNull,
  type Stat,
  syncDirs,
  syncFileSystems,
  withHandle,
} from '../../kernel/fs/port.ts';
import { coveringDir, type SessionContext, upperPathIn } from '../../session/session-context.ts';
import type { Journal } from '../journal/journal.ts';
import type { AbandonLine } from '../journal/lines.ts';
import { Stamps } from '../journal/stamps.ts';
import { bytesOf, entriesOf, entryCount, isTimeOnly, type Unit } from '../journal/unit.ts';
import { GROUP_FAILED, givenUp, partlyApplied, stoppedAt } from '../messages/reasons.ts';
import { hostDirs } from '../stage/areas.ts';
import { mergedUnits } from '../stage/merged-before.ts';
import { copyWrittenImages, dropUnusedImages } from './images.ts';
import type { Task } from './task.ts';
import { UnitApplier } from './unit-applier.ts';

interface Tools {
  dirs: Dirs;
  applier: UnitApplier;
  stamps: Stamps;
  /** Groups of which a unit has failed. */
  broken: Set<string>;
}

function toolsOf(task: Task, dirs: Dirs): Tools {
  const { units, failed } = task.journal.record;
  const stamps = new Stamps(task.ctx, task.earlier?.until ?? null);
  const broken = new Set(units.filter(({ i }) => failed.has(i)).flatMap(({ groups }) => groups));
  return { dirs, applier: new UnitApplier(task, dirs), stamps, broken };
}

/** `ready` or `applying` to `applied`. `stopped`: the journal stays open for the next run. */
export async function applyAll(task: Task): Promise<{ report: CommitReport; stopped: boolean }> {
  const { port, journal } = task;
  const dirs = hostDirs(task);
  const tools = toolsOf(task, dirs);
  const { applier } = tools;
  try {
    await applyUnits(task, tools);
    const loosened = journal.record.loosened.length > 0;
    restoreModes(port, dirs, journal);
    if (journal.record.phase !== 'applied') {
      await copyWrittenImages(task);
      dropUnusedImages(task);
      await makeDurable(task, dirs, loosened);
    }
    applier.close();
    removeStages(port, dirs, journal);
    return { report: reportOf(task, null), stopped: false };
  } catch (error) {
    const code = errorCode(error);
    // Without an errno it is a bug, which must surface.
    if (code === '') throw error;
    orIfRefused(() => restoreModes(port, dirs, journal), undefined);
    return { report: reportOf(task, messageOf(error)), stopped: true };
  } finally {
    applier.close();
    dirs.close();
  }
}

/** Abandons the units that an interrupted commit has not begun. */
export function abandonRest(task: Task): void {
  const { units, done, failed, phase, abandoned } = task.journal.record;
  if (phase === 'applied' || abandoned !== null) return;
  const dirs = hostDirs(task);
  const tools = toolsOf(task, dirs);
  const { applier } = tools;
  try {
    const begun = units.filter((unit) => done.has(unit.i) || (!failed.has(unit.i) && applier.isBegun(unit)));
    abandon(task, tools, begun, 'discarded');
  } finally {
    applier.close();
    dirs.close();
  }
}

/** Completes begun units first, with their groups: half of a repository's data is worse than all or none. */
function abandon(task: Task, tools: Tools, begun: readonly Unit[], why: AbandonLine['why']): void {
  const { journal } = task;
  const going = new Set(begun);
  for (const unit of withTheirGroups(journal.record.units, begun))
    applyUnit(task, tools, unit, going.has(unit));
  journal.addSynced({ t: 'abandon', why });
}

async function applyUnits(task: Task, tools: Tools): Promise<void> {
  const { record } = task.journal;
  const { units, done } = record;
  const pace = new Pace();
  const total = units.reduce((sum, unit) => sum + entryCount(unit), 0);
  const count = { done: 0, bytes: 0 };
  for (const unit of units) {
    await pace.breathe();
    if (record.abandoned === null && task.cancelled?.() === true)
      abandon(
        task,
        tools,
        units.filter(({ i }) => done.has(i)),
        'cancelled',
      );
    if (record.abandoned === null) applyUnit(task, tools, unit, false);
    count.done += entryCount(unit);
    count.bytes += bytesOf(unit);
    task.onProgress?.({ done: count.done, total, path: unit.path, bytes: count.bytes });
  }
}

/** Applies a unit that is neither done nor failed. @param isBegun then even if its group is broken */
function applyUnit(
  { port, journal, unfinished, earlier }: Task,
  { dirs, applier, stamps, broken }: Tools,
  unit: Unit,
  isBegun: boolean,
): void {
  const { done, failed } = journal.record;
  if (done.has(unit.i) || failed.has(unit.i)) return;
  try {
    // A directory's own mode must not be compared, or set, while it is loosened.
    if (unit.kind === 'meta' && typeOf(unit.host) === 'dir') restoreModes(port, dirs, journal);
    if (!isBegun && unit.groups.some((group) => broken.has(group))) {
      journal.add({ t: 'fail', i: unit.i, message: GROUP_FAILED });
    } else {
      const found = earlier !== undefined && applier.isInPlace(unit) ? entryAt(unit, dirs) : null;
      const note = applier.apply(unit);
      const stamp = stamps.of(unit.path, entryAt(unit, dirs), found);
      const more = { ...(note === '' ? {} : { note }), ...(stamp === undefined ? {} : { stamp }) };
      journal.add({ t: 'done', i: unit.i, ...more });
    }
  } catch (error) {
    const known = entryMessage(error);
    if (known === null && errorCode(error) === '') throw error;
    const message = known ?? messageOf(error);
    const partly = applier.isInPlace(unit) ? partlyApplied(message) : null;
    if (known === null) {
      if (partly !== null) unfinished.set(unit.i, partly);
      throw error;
    }
    journal.add({ t: 'fail', i: unit.i, message: partly ?? message });
  }
  if (failed.has(unit.i)) for (const group of unit.groups) broken.add(group);
  journal.flush();
}

/** Null also where lstat is refused: that must not fail a unit that is done. */
function entryAt({ kind, path }: Unit, dirs: Dirs): Stat | null {
  if (kind === 'delete' || kind === 'move-to-store') return null;
  return orNull(() => dirs.lstatHere(path));
}

/** Syncs the host, then writes `applied`. @param loosened modes were restored, anywhere on the host */
async function makeDurable({ port, journal, ctx }: Task, dirs: Dirs, loosened: boolean): Promise<void> {
  const bases = new Set([...journal.record.stages.map(({ base }) => base)]);
  const renamed = new Set<BytePath>();
  for (const unit of journal.record.units) {
    const { path, i } = unit;
    if (unit.kind === 'move-to-host') {
      if (journal.record.done.has(i)) renamed.add(parentOf(path));
    } else if (unit.kind !== 'put' || typeof unit.stage !== 'number')
      bases.add(coveringDir(ctx.coveredDirs, path)?.path ?? parentOf(path));
  }
  // Syncing a rename's two directories suffices; syncfs would also wait for what other programs have written.
  for (const dir of renamed)
    if (loosened || bases.size > 0 || renamed.size > FEW || !syncRename(port, ctx, dirs, dir))
      bases.add(coveringDir(ctx.coveredDirs, dir)?.path ?? dir);
  await syncFileSystems(port, heldOneByOne(dirs, bases));
  journal.addSynced({ t: 'applied' });
}

/** Most renames that are synced one by one instead of with their whole file system. */
const FEW = 32;

/** False when a directory could not be opened, so that the file system has to be synced. */
function syncRename(port: FsPort, ctx: SessionContext, dirs: Dirs, dir: BytePath): boolean {
  const from = upperPathIn(ctx.coveredDirs, dir);
  try {
    syncDirs(port, [at(dirs.open(dir), '.'), ...(from === null ? [] : [joinPath(from, '.')])]);
    return from !== null;
  } catch (error) {
    // Not readable by its owner, or removed since an earlier run renamed into it.
    if (['EACCES', 'ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) return false;
    throw error;
  }
}

function* heldOneByOne(dirs: Dirs, paths: Iterable<BytePath>): Generator<number> {
  for (const path of paths) yield dirs.open(path);
}

export function restoreModes(port: FsPort, dirs: Dirs, journal: Journal): void {
  const { loosened } = journal.record;
  if (loosened.length === 0) return;
  for (const { path, mode } of loosened.toReversed()) {
    const now = dirs.lstat(path);
    if (now?.type !== 'dir' || now.mode !== (mode | 0o700)) continue;
    const fd = port.openDir(at(dirs.open(parentOf(path)), nameOf(path)));
    withHandle(port, fd, () => port.chmod(at(fd), mode));
  }
  loosened.length = 0;
  dirs.loosened.clear();
  // `Dirs` caches modes.
  dirs.close();
}

export function removeStages(port: FsPort, dirs: Dirs, journal: Journal): void {
  for (const { base, name } of journal.record.stages) {
    if (dirs.lstat(base) === null) continue;
    removeTree(port, dirs.openToWrite(base), name);
  }
  restoreModes(port, dirs, journal);
}

function markedIn(done: readonly Unit[]): Pick<CommitReport, 'marked'> {
  const marked = mergedUnits(done).filter(({ merged }) => merged.marks !== undefined);
  return marked.length === 0 ? {} : { marked: marked.map(({ path }) => path) };
}

function reportOf(task: Task, stopped: string | null): CommitReport {
  const { record } = task.journal;
  const failures: EntryFailure[] = [...record.refused];
  const out = { applied: 0, bytes: 0, notApplied: [] as BytePath[] };
  let [left, times] = [0, 0];
  for (const unit of record.units) {
    const message = record.failed.get(unit.i) ?? task.unfinished.get(unit.i);
    const note = record.done.get(unit.i);
    if (message !== undefined) {
      for (const { path } of entriesOf(unit)) failures.push({ path, message });
    } else if (note !== undefined) {
      if (isTimeOnly(unit)) times++;
      else out.applied += entryCount(unit);
      out.bytes += bytesOf(unit);
      if (note !== '') failures.push({ path: unit.path, message: note });
    } else if (record.abandoned === 'discarded') left += entryCount(unit);
    else for (const { path } of entriesOf(unit)) out.notApplied.push(path);
  }
  if (left > 0) {
    // A number instead of the paths: this may be written on a full disk, to free space.
    failures.push({ path: task.ctx.projectRoot, message: givenUp(left) });
  }
  if (stopped !== null) {
    const where = out.notApplied[0] ?? record.units.at(-1)?.path ?? ('/' as BytePath);
    failures.push({ path: where, message: stoppedAt(where, stopped) });
  }
  return {
    n: record.n,
    state:
      stopped === null && failures.length === 0 && record.abandoned !== 'cancelled' ? 'applied' : 'partial',
    ...(record.abandoned === 'cancelled' ? { cancelled: true } : {}),
    ...(stopped === null ? {} : { stopped: true }),
    ...markedIn(record.units.filter(({ i }) => record.done.has(i))),
    ...out,
    ...(times > 0 ? { times } : {}),
    kept: record.begin.kept,
    ignored: record.begin.ignored,
    failed: failures,
    copies: record.begin.live,
    ms: Math.round(performance.now() - task.startedAt),
  };
}

/** The units that share a group with begun ones, transitively: a unit may be in several groups. */
export function withTheirGroups<U extends Pick<Unit, 'groups'>>(
  units: readonly U[],
  begun: readonly U[],
): U[] {
  const going = new Set(begun);
  const groups = new Set(begun.flatMap((unit) => unit.groups));
  for (let before = -1; before < groups.size; ) {
    before = groups.size;
    for (const unit of units) {
      if (!going.has(unit) && !unit.groups.some((group) => groups.has(group))) continue;
      going.add(unit);
      for (const group of unit.groups) groups.add(group);
    }
  }
  return units.filter((unit) => going.has(unit));
}
