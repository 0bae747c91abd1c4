/**
 * Staging: everything that a commit needs is on disk before the host is touched.
 *
 *     check-steps.ts   compare host and upper with the review; a stale step fails alone, with its group
 *     moves.ts         find new directories that one rename can move
 *     areas.ts         make staging directories beside the targets, each journalled first
 *     stage.ts         copy with as few `cp` as possible (copy.ts), and compare the copies with the review
 *     merges.ts        put the merged texts in, exactly as they were shown
 *     unit-of-step.ts  journal one `unit` line for each step
 */
import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import { type Dirs, dressDir, relativeTo, removeTree } from '../../kernel/fs/dir-handles.ts';
import { refusalOf } from '../../kernel/fs/entry-errors.ts';
import { birthOf, identityOf, isSame, looksLike } from '../../kernel/fs/fingerprint.ts';
import { Pace } from '../../kernel/fs/pace.ts';
import { at, errorCode, type FsPort, type Stat, withHandleAsync } from '../../kernel/fs/port.ts';
import { xattrChanges } from '../../kernel/fs/xattr-text.ts';
import type { Viewer } from '../../overlay/viewer.ts';
import type { Transaction } from '../journal/journal.ts';
import type { HostResult } from '../journal/unit.ts';
import { noSpace } from '../messages/errors.ts';
import { CHANGED_MEANWHILE, notCopied, XATTR_ERRORS } from '../messages/reasons.ts';
import type { Step } from '../plan/plan.ts';
import { type Area, Areas, hostDirs } from './areas.ts';
import { type CheckedStep, type CheckTools, type Findings, failStep } from './check-steps.ts';
import { copyOut } from './copy.ts';
import { Uppers } from './uppers.ts';

export interface Staging extends CheckTools, Transaction {
  areas: Areas;
}

/** @param stage brings the transaction from `staging` to `ready` */
export async function withStaging(
  transaction: Transaction,
  stage: (work: Staging) => Promise<void>,
): Promise<void> {
  const { port, ctx } = transaction;
  const dirs = hostDirs(transaction);
  const uppers = new Uppers(port, ctx, null);
  const areas = new Areas(port, ctx, dirs);
  try {
    await stage({ ...transaction, dirs, uppers, areas, pace: new Pace() });
  } finally {
    areas.close();
    uppers.close();
    dirs.close();
  }
}

interface Prepared {
  step: Step;
  upper: Map<BytePath, Stat>;
  area: Area;
  excluded: readonly BytePath[];
}

/** A copied step: `birthOf` its staged entry, and the state of its entries on the host afterwards. */
export interface Copy {
  prepared: Prepared;
  born: string;
  result: HostResult[];
}

export function chooseBases(areas: Areas, findings: Findings): Map<CheckedStep, BytePath> {
  const bases = new Map<CheckedStep, BytePath>();
  findings.checked = findings.checked.filter((one) => {
    const { op, change } = one.step;
    if (op !== 'put' && op !== 'swap') return true;
    const message = refusalOf(() => bases.set(one, areas.baseFor(parentOf(change.path))));
    if (message !== null) failStep(one.step, message, findings.failed);
    return message === null;
  });
  return bases;
}

/** Copies the steps of `bases` out of the merged view and checks the copies; failures go to `findings`. */
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
    const copied = await copyArea(work.port, area, viewer.pathOf(area.base), all);
    const { complaint } = copied;
    for (const [checked, one] of mine) {
      const copy = await checkCopy(work, one, findings.failed, copied);
      if (copy !== null) copies.set(checked, copy);
      else failStep(one.step, complaint || notCopied(''), findings.failed);
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
    const area = areas.areaAt(base, journal);
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

interface Copied {
  /** Of cp, or ''. */
  complaint: string;
  /** Why directories did not get their extended attributes. */
  undressed: ReadonlyMap<BytePath, string>;
}

async function copyArea(
  port: FsPort,
  area: Area,
  from: BytePath,
  prepared: readonly Prepared[],
): Promise<Copied> {
  const names: BytePath[] = [];
  const linked: BytePath[] = [];
  const bare: { path: BytePath; stat: Stat }[] = [];
  for (const one of prepared) {
    for (const { change, whole } of toCopy(one)) {
      const stat = one.upper.get(change.path);
      if (stat === undefined) continue;
      if (change.pending?.type === 'dir' && !whole) bare.push({ path: change.path, stat });
      // cp keeps hard links within one run only: names of one file come first, to stay in one chunk.
      else (stat.nlink > 1 && stat.type !== 'dir' ? linked : names).push(relativeTo(area.base, change.path));
    }
  }
  const complaint = await copyOut(port, from, [...linked, ...names], area.fd);
  const deepest = bare.filter(({ path }, i) => bare[i + 1]?.path.startsWith(`${path}/`) !== true);
  for (const { path } of deepest) makeDirs(port, area.fd, relativeTo(area.base, path));
  return { complaint, undressed: dressBare(port, area, from, bare.reverse()) };
}

/** `cp --parents` copies the mode and ACLs of the directories above an entry, and no other attribute; `makeDirs` none. */
function dressBare(
  port: FsPort,
  area: Area,
  from: BytePath,
  bare: readonly { path: BytePath; stat: Stat }[],
): Map<BytePath, string> {
  const undressed = new Map<BytePath, string>();
  const rels = bare.map(({ path }) => relativeTo(area.base, path));
  const texts = port.xattrsOf(rels.map((rel) => joinPath(from, rel)));
  for (const [i, { path, stat }] of bare.entries()) {
    const staged = at(area.fd, rels[i]);
    try {
      dressDir(port, staged, stat, xattrChanges('', texts[i] ?? ''));
    } catch (error) {
      const why = XATTR_ERRORS[errorCode(error)];
      if (why === undefined) throw error;
      undressed.set(path, why);
    }
  }
  return undressed;
}

/** What cp is given: whole subtrees by their top, else single entries. Other directories are made bare. */
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

/** With mode 0700: cp would copy the mode, and could write only one entry into a directory of mode 0555. */
export function makeParents(port: FsPort, fd: number, names: readonly BytePath[]): void {
  const parents = new Set(names.map((name) => parentOf(`/${name}` as BytePath).slice(1)));
  for (const parent of parents) if (parent !== '') makeDirs(port, fd, parent as BytePath);
}

export function makeDirs(port: FsPort, fd: number, rel: BytePath): void {
  let path = '';
  for (const name of rel.split('/')) {
    path = path === '' ? name : `${path}/${name}`;
    const stat = port.lstat(at(fd, path));
    if (stat === null) port.mkdir(at(fd, path), 0o700);
    // cp has given it its final mode, which `dressDir` sets again.
    else if (stat.type === 'dir' && (stat.mode & 0o700) !== 0o700) port.chmod(at(fd, path), 0o700);
  }
}

/**
 * Compares the copies of a step with the review. Entries that were not reviewed are removed from the copy (a
 * live session goes on writing); missing and different ones fail. Null: the step's own entry is one of those.
 */
async function checkCopy(
  { port, ctx, uppers, pace }: Staging,
  prepared: Prepared,
  failed: Map<BytePath, string>,
  { complaint, undressed }: Copied,
): Promise<Copy | null> {
  const { step, area, upper } = prepared;
  const members = new Map(step.members.map((change) => [change.path, change]));
  const found = new Map<BytePath, HostResult>();

  const agrees = (staged: BytePath, { path, pending }: Change, stat: Stat): boolean => {
    if (!looksLike(pending, stat)) return false;
    if (stat.type === 'symlink' && port.readlink(staged) !== pending?.target) return false;
    // A file that a running process has written to during the copy may be torn.
    const before = ctx.quiet ? undefined : upper.get(path);
    return before === undefined || isSame(identityOf(before), uppers.lstat(path));
  };
  /** Removes the staged entry `name` in `dir`, and returns false, when it differs from the review. */
  const checkEntry = async (dir: number, name: BytePath, path: BytePath, stat: Stat): Promise<boolean> => {
    await pace.breathe();
    const change = members.get(path);
    const why = undressed.get(path);
    if (change === undefined || why !== undefined || !agrees(at(dir, name), change, stat)) {
      if (change !== undefined) failed.set(path, why ?? CHANGED_MEANWHILE);
      removeTree(port, dir, name);
      return false;
    }
    found.set(path, { path, id: identityOf(stat) });
    if (stat.type === 'dir') await checkChildren(at(dir, name), path, stat);
    return true;
  };
  const checkChildren = async (staged: BytePath, path: BytePath, stat: Stat): Promise<void> => {
    await withHandleAsync(port, port.openDir(staged), async (fd) => {
      const closed = (stat.mode & 0o700) !== 0o700;
      if (closed) port.chmod(at(fd), stat.mode | 0o700);
      let removed = false;
      for (const child of port.readdir(at(fd))) {
        const now = port.lstat(at(fd, child));
        if (now !== null && !(await checkEntry(fd, child, joinPath(path, child), now))) removed = true;
      }
      if (removed) port.utimes(at(fd), stat.mtimeNs);
      if (closed) port.chmod(at(fd), stat.mode);
    });
  };

  const { path } = step.change;
  const rel = relativeTo(area.base, path);
  const top = openContainers(port, area.fd, rel) ? port.lstat(at(area.fd, rel)) : null;
  if (top !== null) await checkEntry(area.fd, rel, path, top);
  for (const member of members.keys()) {
    if (found.has(member) || failed.has(member)) continue;
    failed.set(member, complaint === '' ? CHANGED_MEANWHILE : notCopied(complaint));
  }
  if (top === null || failed.has(path)) return null;
  return { prepared, born: birthOf(top), result: [...found.values()] };
}

/** Opens up the copied directories above a target, since nothing can be renamed out of one of mode 0555. */
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

/** Bytes left free beyond the copies, for directories, inodes and the journal. */
const RESERVE = 256 * 1024;

/** statfs(2) numbers of btrfs, xfs and bcachefs: copies share blocks, so their size says nothing. */
export const SHARING = new Set([0x9123683e, 0x58465342, 0xca451a4e]);

/** @throws TraiError `no-space` with the directory, the bytes needed and the bytes free */
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
    throw noSpace(bytes, free, base);
  }
}
