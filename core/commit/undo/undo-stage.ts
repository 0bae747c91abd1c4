/** Assembles what an undo puts back, beside its targets, out of the commit's before-images. */
import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { chmodEntry } from '../../kernel/fs/move-out.ts';
import { at, errorCode, type FsPort, type Pace } from '../../kernel/fs/port.ts';
import { birthOf, identityOf, looksAlike } from '../../kernel/fs/stat-identity.ts';
import { BEFORE, copiedImage, imageName, imageOf } from '../apply/images.ts';
import { type HostResult, hostOf, replacedBelow, type Unit } from '../journal/unit.ts';
import type { Area } from '../stage/areas.ts';
import { copyOut } from '../stage/copy.ts';
import { makeParents } from '../stage/stage.ts';
import type { Restore } from './undo-look.ts';

export interface Assembled {
  born: string;
  left: HostResult[];
}

const CHANGED =
  'a process that still had it open has changed what was kept of it; it stays as it is on the host';

const isDir = (id: string | null): boolean => id?.startsWith('dir:') === true;

/** Everything that a unit had taken away, itself first. */
function takenAway(unit: Unit): { path: BytePath; id: string }[] {
  const below = replacedBelow(unit).map(({ path, host }) => ({ path, id: host }));
  return [{ path: unit.path, id: hostOf(unit) ?? '' }, ...below];
}

/**
 * Puts together all restores of one area. What can't be is left out of the result.
 *
 * @param commit directory of the commit
 * @returns what cp complained about
 */
export async function assemble(
  port: FsPort,
  commit: BytePath,
  area: Area,
  restores: readonly Restore[],
): Promise<string> {
  const units = restores.flatMap((one) => one.units);
  const linked = units.filter((unit) => imageOf(unit) === 'link');
  const names = linked.map(({ i }) => imageName(i));
  let complaint = await copyOut(port, joinPath(commit, BEFORE), names, area.fd, '--link');
  const alone = (work: () => void): void => {
    complaint = messageOf(work) ?? complaint;
  };
  for (const { i, path } of linked)
    alone(() => arrange(port, area, imageName(i), relativeTo(area.base, path)));
  const copied = topsOf(units.filter((unit) => imageOf(unit) === 'copy'));
  const from = joinPath(commit, copiedImage(area.base === '/' ? ('' as BytePath) : area.base));
  if (copied.length > 0) {
    const wanted = copied.map((path) => relativeTo(area.base, path));
    makeParents(port, area.fd, wanted);
    complaint ||= await copyOut(port, from, wanted, area.fd);
  }
  for (const unit of [...units].reverse()) {
    for (const { path, id } of takenAway(unit).reverse())
      if (isDir(id)) alone(() => dress(port, area, path, id));
  }
  return complaint;
}

/** What is to be said of an entry that fails alone: it is missing or not the same, which `checkAssembled` finds. */
function messageOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    const message = entryMessage(error);
    if (message === null) throw error;
    return message;
  }
}

/** Moves a staged image from the name that it was kept by to its place in the tree. */
function arrange(port: FsPort, area: Area, name: BytePath, rel: BytePath): void {
  const now = port.lstat(at(area.fd, name));
  if (now === null) return;
  if (now.type === 'dir') chmodEntry(port, at(area.fd, name), now.mode | 0o700);
  makeParents(port, area.fd, [rel]);
  port.rename(at(area.fd, name), at(area.fd, rel));
}

function topsOf(units: readonly Unit[]): BytePath[] {
  const dirs = new Set(units.filter((unit) => isDir(hostOf(unit))).map(({ path }) => path));
  return units
    .map(({ path }) => path)
    .filter((path) => {
      for (let dir = parentOf(path); dir !== '/'; dir = parentOf(dir)) if (dirs.has(dir)) return false;
      return true;
    });
}

/** Gives a directory owner, mode and time that it had. */
function dress(port: FsPort, area: Area, path: BytePath, id: string): void {
  const staged = at(area.fd, relativeTo(area.base, path));
  const now = port.lstat(staged);
  if (now?.type !== 'dir') return;
  const [, mode, uid, gid] = id.split(':').map(Number);
  if (now.uid !== uid || now.gid !== gid) port.lchown(staged, uid ?? now.uid, gid ?? now.gid);
  const fd = port.openDir(staged);
  try {
    port.utimes(at(fd), BigInt(id.split(':')[9] ?? '0'));
    port.chmod(at(fd), mode ?? now.mode);
  } finally {
    port.close(fd);
  }
}

/** Compares what was assembled with what was there before the commit. Null: something is missing or not the same. */
export async function checkAssembled(
  port: FsPort,
  area: Area,
  restore: Restore,
  pace: Pace,
): Promise<Assembled | string> {
  const left: HostResult[] = [];
  let born: string | null = null;
  for (const { path, id } of restore.units.flatMap(takenAway)) {
    await pace.breathe();
    const found = statOf(port, at(area.fd, relativeTo(area.base, path)));
    if (found === null || !looksAlike(id, found)) return CHANGED;
    if (path === restore.path) born = birthOf(found);
    left.push({ path, id: identityOf(found) });
  }
  return born === null ? CHANGED : { born, left };
}

/** Below a directory that its owner may not search nothing can be looked at: what is above it decides then. */
function statOf(port: FsPort, path: BytePath) {
  try {
    return port.lstat(path);
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}
