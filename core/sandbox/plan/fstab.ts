/**
 * The plan as the text that `mount -a -T` reads, with the session's overlay directory as the working directory.
 * Directories are named by short relative paths (`3/l` is a symbolic link to the covered directory), so that no name of
 * the user's ever stands in an option string, where commas, colons, backslashes and a 256-byte limit would break it.
 */
import { type BytePath, isWithin } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { escapeMount } from '../../kernel/mounts.ts';
import type { PlanStep } from './plan.ts';

/** As an ordinary user the kernel turns the index off again but keeps its guard: a second mount of an upper is EBUSY. */
const USER_OPTIONS = 'userxattr,index=on,volatile';
/** As real root every feature is named, since a distribution may turn metacopy or redirect_dir on by default. */
const ROOT_OPTIONS = 'index=off,metacopy=off,redirect_dir=off,xino=off,nfs_export=off,volatile';

export interface FstabInput {
  steps: readonly PlanStep[];
  /** The number of each covered directory. */
  numbers: ReadonlyMap<BytePath, number>;
  source: string;
  root: boolean;
  stateDir: BytePath;
  /** Absolute directory below which `keep` steps are parked. */
  parking: BytePath;
}

/** fstab(5) fields end at white space: octal escapes, which libmount undoes. */
export function escapeFstab(text: string): string {
  return text.replace(/[\s\\#]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

export function fstabText({ steps, numbers, source, root, stateDir, parking }: FstabInput): string {
  const lines: string[] = [];
  const entry = (from: string, target: string, type: string, options: string): void => {
    lines.push(`${escapeFstab(from)} ${escapeFstab(target)} ${type} ${options} 0 0\n`);
  };
  const bind = (from: string, target: string): void => entry(from, target, 'none', 'rbind');
  const overlay = (path: BytePath, target: string, lower: 'l' | 'c'): void => {
    const n = numbers.get(path);
    if (n === undefined) throw new RangeError(`expected a number for the covered directory ${path}`);
    const features = root ? ROOT_OPTIONS : USER_OPTIONS;
    entry(source, target, 'overlay', `lowerdir=${n}/${lower},upperdir=${n}/u,workdir=${n}/w,${features}`);
  };
  const spots = childSpots(steps);
  let parked = 0;
  for (const step of steps) {
    if (step.do === 'direct') bind(step.path, step.path);
    if (step.do === 'read-only' && !step.mounted && step.held !== true)
      entry(step.path, step.path, 'none', (step.late ? ['rbind'] : ['rbind', 'ro', ...step.flags]).join(','));
    if (step.do === 'copied') {
      const children = step.children.map(({ path }) => ({ path, ...(spots.get(path) ?? NOWHERE) }));
      for (const { path, spot, within } of children) if (!within) bind(path, spot);
      overlay(step.path, step.path, 'c');
      for (const { path, spot } of children) bind(spot, path);
    }
    if (step.do === 'overlay') {
      const kept = steps.filter((other) => other.do === 'keep' && other.below === step.path);
      const asides = kept.map(({ path }) => ({ path, spot: `${parking}/${++parked}` }));
      for (const { path, spot } of asides) bind(path, spot);
      const aside = spots.get(step.path);
      overlay(step.path, aside?.within === true ? aside.spot : step.path, 'l');
      for (const { path, spot } of asides) bind(spot, path);
    }
  }
  entry(`${stateDir}/mask`, stateDir, 'none', 'bind,ro');
  // Keeps the owner of the mounts reachable: only it may refresh them when a later call joins.
  if (!root) entry('/proc/self/ns/user', `${stateDir}/userns`, 'none', 'bind');
  // `mount -a` passes over `/` by that name, and over what is mounted already, which it tells by the source.
  for (const { path, options } of lateSteps(steps))
    entry('trai-late', path === '/' ? '/.' : path, 'none', options);
  return lines.join('');
}

interface Spot {
  spot: string;
  within: boolean;
  file: boolean;
}

const NOWHERE: Spot = { spot: '', within: false, file: false };

/**
 * Where each child of a copied directory waits while that is covered: a name below `overlay/`, which is the working
 * directory, so that no mount hides it. `within`: it is one overlay, which is mounted there to begin with.
 */
export function childSpots(steps: readonly PlanStep[]): ReadonlyMap<BytePath, Spot> {
  const spots = new Map<BytePath, Spot>();
  for (const { path, file } of steps.flatMap((step) => (step.do === 'copied' ? step.children : []))) {
    const inside = steps.filter((one) => isWithin(one.path, path));
    const within = inside.length === 1 && inside[0]?.do === 'overlay' && inside[0].path === path;
    // A spot once made stays what it is.
    spots.set(path, { spot: `parking/${file ? 'f' : 'd'}${spots.size + 1}`, within, file });
  }
  return spots;
}

/** Last of all: an overlay whose upper lies below a read-only mount can't be mounted. */
function lateSteps(steps: readonly PlanStep[]): { path: BytePath; options: string }[] {
  return steps.flatMap((step) =>
    step.do === 'read-only' && step.late && step.held !== true
      ? [{ path: step.path, options: ['remount', 'bind', 'ro', ...step.flags].join(',') }]
      : [],
  );
}

/**
 * The same once more, a line each: options, blank, path. What `mount -a` passed over all the same (its rules for that
 * differ from release to release) is made read-only by these, one mount(8) each. Errors: `unsupported`.
 */
export function lateText(steps: readonly PlanStep[]): string {
  const late = lateSteps(steps);
  if (late.some(({ path }) => path.includes('\n')))
    throw new TraiError('unsupported', 'a directory with a mount below it has a newline in its name', {
      hint: 'Rename it.',
    });
  return late.map(({ path, options }) => `${options} ${path}\n`).join('');
}

export interface CheckInput {
  /** Mount points of the session. */
  mounts: number;
  /** Points that may be writable. */
  writable: readonly BytePath[];
  stateDir: BytePath;
  /** What waits below it is hidden by the mask in the end. */
  parking: BytePath;
}

/**
 * What `enter` holds against mountinfo before anything runs, a line each: count, points that may be writable, the mask's
 * point, the directory where parts of the file system wait.
 */
export function checkText({ mounts, writable, stateDir, parking }: CheckInput): string {
  return `${mounts}\n ${writable.map(escapeMount).join(' ')} \n${escapeMount(stateDir)}\n${escapeMount(parking)}\n`;
}
