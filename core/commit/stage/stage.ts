/**
 * Staging: everything a commit needs is on disk before the host is touched.
 *
 *     check-steps.ts   compare host and upper with the review; what moved on fails alone, with its group
 *     moves.ts         new directories that one rename moves: proven to be what a copy would be
 *     areas.ts         staging directories beside the targets, each in the journal before it is made
 *     stage.ts         copy with as few `cp` as possible (copy.ts), check that the copies are what was reviewed (here)
 *     merges.ts        merged texts, exactly as they were shown
 *     unit-of-step.ts  one `unit` line for each step
 */
import { type BytePath, joinPath, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import { type Dirs, relativeTo, removeTree } from '../../kernel/fs/dir-handles.ts';
import { entryMessage } from '../../kernel/fs/entry-errors.ts';
import { birthOf, identityOf, isSame, looksLike } from '../../kernel/fs/fingerprint.ts';
import { at, type FsPort, type Stat, withHandle } from '../../kernel/fs/port.ts';
import type { Viewer } from '../../overlay/viewer.ts';
import type { Transaction } from '../journal/journal.ts';
import type { HostResult } from '../journal/unit.ts';
import type { Step } from '../plan/plan.ts';
import type { Area, Areas } from './areas.ts';
import { type CheckedStep, type CheckTools, type Findings, failStep } from './check-steps.ts';
import { copyOut } from './copy.ts';

/** A commit that is being staged, and what works on it. */
export interface Staging extends CheckTools, Transaction {
  areas: Areas;
  live: boolean;
}

/** A step that is to be copied. */
interface Prepared {
  step: Step;
  /** Of each member, by path: the upper's entry as it was before copying. */
  upper: Map<BytePath, Stat>;
  area: Area;
  /** Changes that must not be copied although they lie below. */
  excluded: readonly BytePath[];
}

/** A copied step: where it waits, by what it is recognised (`birthOf`), and how its entries will be on the host. */
export interface Copy {
  prepared: Prepared;
  born: string;
  result: HostResult[];
}

const CHANGED = 'it changed while it was being copied; it stays pending';

/** For each step that puts something in place, the directory to stage in; steps without one fail. */
export function chooseBases(areas: Areas, findings: Findings): Map<CheckedStep, BytePath> {
  const bases = new Map<CheckedStep, BytePath>();
  findings.checked = findings.checked.filter((one) => {
    const { op, change } = one.step;
    if (op !== 'put' && op !== 'swap') return true;
    let message = 'its directory on the host is missing or can not be written';
    try {
      const base = areas.baseFor(parentOf(change.path));
      if (base !== null) bases.set(one, base);
    } catch (error) {
      const said = entryMessage(error);
      if (said === null) throw error;
      message = said;
    }
    if (!bases.has(one)) failStep(one.step, message, findings.failed);
    return bases.has(one);
  });
  return bases;
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
    const all = mine.map(([, one]) => one);
    const complaint = await copyArea(work.port, area, viewer.pathOf(area.base), all);
    for (const [checked, one] of mine) {
      const check = new CopyCheck(work, one, findings.failed);
      const born = await check.run(complaint);
      if (born !== null) copies.set(checked, { prepared: one, born, result: check.result });
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
  const excludedBelow = new Map<BytePath, BytePath[]>();
  const going = new Set<BytePath>();
  for (const [one, base] of bases) {
    const area = areas.areaAt(base, (dir, name) => {
      journal.add({ t: 'stage', base: dir, name });
      journal.sync();
    });
    const members = one.step.members.filter(({ path }) => !findings.failed.has(path));
    for (const { path } of members) going.add(path);
    const excluded: BytePath[] = [];
    if (one.step.change.pending?.type === 'dir') excludedBelow.set(one.step.change.path, excluded);
    prepared.set(one, { step: { ...one.step, members }, upper: one.upper, area, excluded });
  }
  for (const { path, pending } of list.changes) {
    if (pending === null || going.has(path)) continue;
    for (let dir = parentOf(path); dir !== '/'; dir = parentOf(dir)) excludedBelow.get(dir)?.push(path);
  }
  return prepared;
}

/** Copies all steps of one area with as few cp processes as can be. Returns what cp complained about. */
async function copyArea(
  port: FsPort,
  area: Area,
  from: BytePath,
  prepared: readonly Prepared[],
): Promise<string> {
  const names: BytePath[] = [];
  const linked: BytePath[] = [];
  const bare: { path: BytePath; stat: Stat }[] = [];
  for (const one of prepared) {
    for (const { change, whole } of toCopy(one)) {
      const stat = one.upper.get(change.path);
      if (stat === undefined) continue;
      if (change.pending?.type === 'dir' && !whole) bare.push({ path: change.path, stat });
      // Links are kept within one cp, so what has several names goes first and stays together.
      else (stat.nlink > 1 && stat.type !== 'dir' ? linked : names).push(relativeTo(area.base, change.path));
    }
  }
  const complaint = await copyOut(port, from, [...linked, ...names], area.fd);
  // The deepest ones bring those above them.
  const deepest = bare.filter(({ path }, i) => bare[i + 1]?.path.startsWith(`${path}/`) !== true);
  for (const { path } of deepest) makeDirs(port, area.fd, relativeTo(area.base, path));
  for (const { path, stat } of bare.reverse()) dress(port, area, path, stat);
  return complaint;
}

/** Which members cp is given: whole subtrees by their top, else every entry; directories of the latter are made bare. */
function toCopy({ step, excluded }: Prepared): { change: Change; whole: boolean }[] {
  const partly = new Set<BytePath>();
  for (const path of excluded) {
    for (let dir = parentOf(path); dir.length >= step.change.path.length; dir = parentOf(dir))
      partly.add(dir);
  }
  const brought = new Set<BytePath>();
  const out: { change: Change; whole: boolean }[] = [];
  for (const change of step.members) {
    const isBrought = brought.has(parentOf(change.path));
    const whole = !partly.has(change.path);
    if (change.pending?.type === 'dir' && (isBrought || whole)) brought.add(change.path);
    if (!isBrought) out.push({ change, whole });
  }
  return out;
}

/**
 * Makes the directories above relative paths, open to us. cp would give those that it makes the mode of their originals,
 * and could then write only one entry into a directory of mode 0555.
 */
export function makeParents(port: FsPort, fd: number, names: readonly BytePath[]): void {
  const parents = new Set(names.map((name) => parentOf(`/${name}` as BytePath).slice(1)));
  for (const parent of parents) if (parent !== '') makeDirs(port, fd, parent as BytePath);
}

/** Makes the directories of a relative path below a held one, and opens up those that are there. */
export function makeDirs(port: FsPort, fd: number, rel: BytePath): void {
  let path = '';
  for (const name of rel.split('/')) {
    path = path === '' ? name : `${path}/${name}`;
    const stat = port.lstat(at(fd, path));
    if (stat === null) port.mkdir(at(fd, path), 0o700);
    // Made by cp with its final mode; `dress` sets that again.
    else if (stat.type === 'dir' && (stat.mode & 0o700) !== 0o700) port.chmod(at(fd, path), 0o700);
  }
}

/** Gives a directory that was made bare the owner, mode and time of its original. */
function dress(port: FsPort, area: Area, path: BytePath, stat: Stat): void {
  const staged = at(area.fd, relativeTo(area.base, path));
  const now = port.lstat(staged);
  if (now === null) return;
  if (now.uid !== stat.uid || now.gid !== stat.gid) port.lchown(staged, stat.uid, stat.gid);
  withHandle(port, port.openDir(staged), (fd) => {
    port.chmod(at(fd), stat.mode);
    port.utimes(at(fd), stat.mtimeNs);
  });
}

/**
 * Compares the copies of a step with the reviewed list. What is not in the list is taken out of the copy again (a
 * live session goes on writing); what is missing or different is reported and stays pending.
 */
class CopyCheck {
  readonly result: HostResult[] = [];
  readonly #seen = new Set<BytePath>();
  readonly #failed: Map<BytePath, string>;
  readonly #work: Staging;
  readonly #prepared: Prepared;
  readonly #members: Map<BytePath, Change>;

  constructor(work: Staging, prepared: Prepared, failed: Map<BytePath, string>) {
    this.#work = work;
    this.#prepared = prepared;
    this.#failed = failed;
    this.#members = new Map(prepared.step.members.map((change) => [change.path, change]));
  }

  /** Returns `birthOf` the copy; null when the copy of the step itself is missing. */
  async run(complaint: string): Promise<string | null> {
    const { port } = this.#work;
    const { step, area } = this.#prepared;
    const { path } = step.change;
    const rel = relativeTo(area.base, path);
    const isOpen = openContainers(port, area.fd, rel);
    const top = port.lstat(at(area.fd, rel));
    if (top !== null) await this.#entry(area.fd, rel, path, isOpen ? top : null);
    for (const { path: member } of step.members) {
      if (this.#seen.has(member) || this.#failed.has(member)) continue;
      this.#failed.set(member, complaint === '' ? CHANGED : `it could not be copied: ${complaint}`);
    }
    return top === null || this.#failed.has(path) ? null : birthOf(top);
  }

  /** Checks the staged entry `name` in `dir`; takes it out when it is not what was reviewed. False = taken out. */
  async #entry(dir: number, name: BytePath, path: BytePath, stat: Stat | null): Promise<boolean> {
    const { port, pace } = this.#work;
    await pace.breathe();
    const change = this.#members.get(path);
    if (change === undefined || stat === null || !this.#agrees(at(dir, name), change, stat)) {
      if (change !== undefined) this.#failed.set(path, CHANGED);
      removeTree(port, dir, name);
      return false;
    }
    this.#seen.add(path);
    this.result.push({ path, id: identityOf(stat) });
    if (stat.type === 'dir') await this.#children(at(dir, name), path, stat);
    return true;
  }

  #agrees(staged: BytePath, { path, pending }: Change, stat: Stat): boolean {
    const { port, uppers, live } = this.#work;
    if (!looksLike(pending, stat)) return false;
    if (stat.type === 'symlink' && port.readlink(staged) !== pending?.target) return false;
    // What a running process has written to since may be torn.
    const before = live ? this.#prepared.upper.get(path) : undefined;
    return before === undefined || isSame(identityOf(before), uppers.lstat(path));
  }

  async #children(staged: BytePath, path: BytePath, stat: Stat): Promise<void> {
    const { port } = this.#work;
    const fd = port.openDir(staged);
    try {
      const closed = (stat.mode & 0o700) !== 0o700;
      if (closed) port.chmod(at(fd), stat.mode | 0o700);
      let removed = false;
      for (const child of port.readdir(at(fd))) {
        const found = port.lstat(at(fd, child));
        if (found === null) continue;
        if (!(await this.#entry(fd, child, joinPath(path, child), found))) removed = true;
      }
      if (removed) port.utimes(at(fd), stat.mtimeNs);
      if (closed) port.chmod(at(fd), stat.mode);
    } finally {
      port.close(fd);
    }
  }
}

/** The copied directories above a target are only a way to it, but a 0555 one would not let it be renamed out. */
function openContainers(port: FsPort, fd: number, rel: BytePath): boolean {
  const names = rel.split('/').slice(0, -1);
  let path = '';
  for (const name of names) {
    path = path === '' ? name : `${path}/${name}`;
    const stat = port.lstat(at(fd, path));
    if (stat === null || stat.type !== 'dir') return false;
    if ((stat.mode & 0o700) !== 0o700) port.chmod(at(fd, path), 0o700);
  }
  return true;
}

/** Left free beyond the copies: directories, inodes and the journal take some (bytes). */
export const RESERVE = 256 * 1024;

/** statfs(2) numbers of btrfs, xfs and bcachefs: there a copy shares its blocks, and is tried rather than counted. */
export const SHARING = new Set([0x9123683e, 0x58465342, 0xca451a4e]);

/** @throws TraiError `no-space` naming the directory, what it takes and what is there */
export function checkSpace(port: FsPort, dirs: Dirs, bases: ReadonlyMap<CheckedStep, BytePath>): void {
  const needed = new Map<BytePath, number>();
  for (const [{ upper }, base] of bases) {
    let bytes = needed.get(base) ?? RESERVE;
    for (const stat of upper.values()) bytes += stat.disk;
    needed.set(base, bytes);
  }
  for (const [base, bytes] of needed) {
    const { free, kind } = port.space(at(dirs.open(base)));
    if (bytes <= free || SHARING.has(kind)) continue;
    const shown = toDisplay(base);
    throw new TraiError('no-space', `The commit needs ${bytes} bytes below ${shown}; ${free} are free.`, {
      hint: 'Nothing was applied. Free some space there and commit again.',
      path: shown,
      data: { needed: bytes, free },
    });
  }
}
