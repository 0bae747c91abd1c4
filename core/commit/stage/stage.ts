/**
 * Staging: everything a commit needs is on disk before the host is touched.
 *
 *     check-steps.ts  compare host and upper with the review; what moved on fails alone, with its group
 *     moves.ts     new directories that one rename moves: proven to be what a copy would be
 *     areas.ts     staging directories beside the targets, each in the journal before it is made
 *     stage.ts     copy with as few `cp` as possible, check that the copies are what was reviewed (here)
 *     merges.ts    merged texts, exactly as they were shown
 *     copies.ts    one `unit` line for each step
 */
import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { at, type FsPort, type Pace, type Stat } from '../../kernel/fs/port.ts';
import { removeTree } from '../../kernel/fs/remove-tree.ts';
import { birthOf, identityOf, looksLike } from '../../kernel/fs/stat-identity.ts';
import type { HostResult } from '../journal/unit.ts';
import type { Step } from '../plan/plan.ts';
import type { Area } from './areas.ts';
import { copyOut } from './copy.ts';

/** A step with what was found of it in the upper. */
export interface Prepared {
  step: Step;
  /** Of each member, by path: the upper's entry as it was before copying. */
  upper: Map<BytePath, Stat>;
  area: Area;
  /** Changes that must not be copied although they lie below. */
  excluded: readonly BytePath[];
}

export interface Staged {
  /** See `birthOf`; null when the copy of the step itself is missing. */
  born: string | null;
  /** Members that could not be staged, and why. */
  failed: Map<BytePath, string>;
  /** How they will be on the host. */
  left: HostResult[];
}

const CHANGED = 'it changed while it was being copied; it stays pending';

/** Copies all steps of one area with as few cp processes as can be. Returns what cp complained about. */
export async function copyArea(
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

/** Which members cp is told: whole subtrees by their top, else every entry; directories of the latter are made bare. */
function toCopy({ step, excluded }: Prepared): { change: Change; whole: boolean }[] {
  const partly = new Set<BytePath>();
  for (const path of excluded) {
    for (let dir = parentOf(path); dir.length >= step.change.path.length; dir = parentOf(dir))
      partly.add(dir);
  }
  const covered = new Set<BytePath>();
  const out: { change: Change; whole: boolean }[] = [];
  for (const change of step.members) {
    const whole = !partly.has(change.path);
    if (covered.has(parentOf(change.path))) {
      if (change.pending?.type === 'dir') covered.add(change.path);
      continue;
    }
    if (change.pending?.type === 'dir' && whole) covered.add(change.path);
    out.push({ change, whole });
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
  const fd = port.openDir(staged);
  try {
    port.chmod(at(fd), stat.mode);
    port.utimes(at(fd), stat.mtimeNs);
  } finally {
    port.close(fd);
  }
}

/**
 * Compares the copies of a step with the reviewed list. What is not in the list is taken out of the copy again (a
 * live session goes on writing); what is missing, different or `changed` is reported and stays pending.
 */
export async function checkStaged(
  port: FsPort,
  prepared: Prepared,
  changed: ReadonlySet<BytePath>,
  complaint: string,
  pace: Pace,
): Promise<Staged> {
  const { step, area } = prepared;
  const check = new Check(port, prepared, changed, pace);
  const top = relativeTo(area.base, step.change.path);
  const openParts = openContainers(port, area.fd, top);
  const root = port.lstat(at(area.fd, top));
  if (root !== null) await check.entry(area.fd, top, step.change.path, root, openParts);
  for (const { path } of step.members) {
    if (check.seen.has(path) || check.failed.has(path)) continue;
    check.failed.set(path, complaint === '' ? CHANGED : `it could not be copied: ${complaint}`);
  }
  const bad = check.failed.has(step.change.path);
  return { born: root === null || bad ? null : birthOf(root), failed: check.failed, left: check.left };
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

class Check {
  readonly failed = new Map<BytePath, string>();
  readonly seen = new Set<BytePath>();
  readonly left: HostResult[] = [];
  readonly #port: FsPort;
  readonly #members: Map<BytePath, Change>;
  readonly #changed: ReadonlySet<BytePath>;
  readonly #pace: Pace;

  constructor(port: FsPort, { step }: Prepared, changed: ReadonlySet<BytePath>, pace: Pace) {
    this.#port = port;
    this.#changed = changed;
    this.#members = new Map(step.members.map((change) => [change.path, change]));
    this.#pace = pace;
  }

  /** Checks the staged entry `name` in `dir`; takes it out when it is not what was reviewed. False = taken out. */
  async entry(dir: number, name: BytePath, path: BytePath, stat: Stat, usable: boolean): Promise<boolean> {
    await this.#pace.breathe();
    const change = this.#members.get(path);
    if (change === undefined || !usable || !this.#agrees(dir, name, change, stat)) {
      if (change !== undefined) this.failed.set(path, CHANGED);
      removeTree(this.#port, dir, name);
      return false;
    }
    this.seen.add(path);
    this.left.push({ path, id: identityOf(stat) });
    if (stat.type === 'dir') await this.#children(dir, name, path, stat);
    return true;
  }

  #agrees(dir: number, name: BytePath, { path, pending }: Change, stat: Stat): boolean {
    if (this.#changed.has(path) || !looksLike(pending, stat)) return false;
    return stat.type !== 'symlink' || this.#port.readlink(at(dir, name)) === pending?.target;
  }

  async #children(dir: number, name: BytePath, path: BytePath, stat: Stat): Promise<void> {
    const fd = this.#port.openDir(at(dir, name));
    try {
      const closed = (stat.mode & 0o700) !== 0o700;
      if (closed) this.#port.chmod(at(fd), stat.mode | 0o700);
      let removed = false;
      for (const child of this.#port.readdir(at(fd))) {
        const found = this.#port.lstat(at(fd, child));
        if (found === null) continue;
        if (!(await this.entry(fd, child, joinPath(path, child), found, true))) removed = true;
      }
      if (removed) this.#port.utimes(at(fd), stat.mtimeNs);
      if (closed) this.#port.chmod(at(fd), stat.mode);
    } finally {
      this.#port.close(fd);
    }
  }
}

/** A copied step: where it waits, and by what it is recognised. */
export interface Copy {
  prepared: Prepared;
  born: string;
  left: HostResult[];
}
