/**
 * The plan as the text that `mount -a -T` reads, with the session's overlay directory as the working directory.
 * Directories are named by short relative paths (`3/l` is a symbolic link to the place), so that no name of the
 * user's ever stands in an option string, where commas, colons, backslashes and a 256-byte limit would break it.
 */
import { type BytePath, isWithin } from '../../../shared/bytes.ts';
import { escapeMount } from '../../kernel/mounts/mountinfo.ts';
import type { PlanStep } from './plan-types.ts';

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

export function fstabText(input: FstabInput): string {
  const lines: string[] = [];
  const entry = (source: string, target: string, type: string, options: string): void => {
    lines.push(`${escapeFstab(source)} ${escapeFstab(target)} ${type} ${options} 0 0`);
  };
  const features = input.root ? ROOT_OPTIONS : USER_OPTIONS;
  const spots = childSpots(input.steps);
  const place = (n: number, lower: 'l' | 'c'): string =>
    `lowerdir=${n}/${lower},upperdir=${n}/u,workdir=${n}/w,${features}`;
  let parked = 0;
  for (const step of input.steps) {
    if (step.do === 'direct') entry(step.path, step.path, 'none', 'rbind');
    if (step.do === 'read-only' && !step.mounted && step.held !== true) {
      const options = step.late ? ['rbind'] : ['rbind', 'ro', ...step.flags];
      entry(step.path, step.path, 'none', options.join(','));
    }
    if (step.do === 'copied') {
      for (const { path } of step.children) {
        const { spot, within } = spots.get(path) ?? NOWHERE;
        if (!within) entry(path, spot, 'none', 'rbind');
      }
      entry(input.source, step.path, 'overlay', place(numberOf(input, step.path), 'c'));
      for (const { path } of step.children) entry((spots.get(path) ?? NOWHERE).spot, path, 'none', 'rbind');
    }
    if (step.do !== 'overlay') continue;
    const kept = input.steps.filter((other) => other.do === 'keep' && other.below === step.path);
    const asides = kept.map((keep) => ({ path: keep.path, spot: `${input.parking}/${++parked}` }));
    for (const { path, spot } of asides) entry(path, spot, 'none', 'rbind');
    const aside = spots.get(step.path);
    const target = aside?.within === true ? aside.spot : step.path;
    entry(input.source, target, 'overlay', place(numberOf(input, step.path), 'l'));
    for (const { path, spot } of asides) entry(spot, path, 'none', 'rbind');
  }
  entry(`${input.stateDir}/mask`, input.stateDir, 'none', 'bind,ro');
  // Keeps the owner of the mounts reachable: only it may refresh them when a later call joins.
  if (!input.root) entry('/proc/self/ns/user', `${input.stateDir}/userns`, 'none', 'bind');
  // `mount -a` passes over `/` by that name, and over what is mounted already, which it tells by the source.
  for (const { path, options } of lateSteps(input.steps))
    entry(LATE_SOURCE, path === '/' ? '/.' : path, 'none', options);
  return lines.join('\n') + '\n';
}

const NOWHERE = { spot: '', within: false };

/**
 * Where each child of a copied directory waits while that is covered: a name below `overlay/`, which is the working
 * directory, so that no mount hides it. `within`: it is one overlay, which is mounted there to begin with.
 */
export function childSpots(
  steps: readonly PlanStep[],
): ReadonlyMap<BytePath, { spot: string; within: boolean; file: boolean }> {
  const spots = new Map<BytePath, { spot: string; within: boolean; file: boolean }>();
  for (const step of steps) {
    if (step.do !== 'copied') continue;
    for (const { path, file } of step.children) {
      const inside = steps.filter((one) => isWithin(one.path, path));
      const within = inside.length === 1 && inside[0]?.do === 'overlay' && inside[0].path === path;
      // A spot once made stays what it is.
      spots.set(path, { spot: `parking/${file ? 'f' : 'd'}${spots.size + 1}`, within, file });
    }
  }
  return spots;
}

function numberOf(input: FstabInput, path: BytePath): number {
  const n = input.numbers.get(path);
  if (n === undefined) throw new RangeError(`expected a number for the place ${path}, found none`);
  return n;
}

const LATE_SOURCE = 'trai-late';

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
 * differ from release to release) is made read-only by these, one mount(8) each.
 */
export function lateText(steps: readonly PlanStep[]): string {
  return lateSteps(steps)
    .map(({ path, options }) => `${options} ${path}\n`)
    .join('');
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
export function checkText(input: CheckInput): string {
  return `${input.mounts}\n ${input.writable.map(escapeMount).join(' ')} \n${escapeMount(input.stateDir)}\n${escapeMount(input.parking)}\n`;
}
